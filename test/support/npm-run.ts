import { execFileSync, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { PROCESS_ENV, ROOT } from './program.ts'

export type NpmRun = {
  pid: number
  /** Standard output and standard error, line by line. */
  lines: string[]
  /** Resolves to npm's exit code or signal. */
  exited: Promise<NodeJS.Signals | number | null>
  /** The programs that npm's process tree has now. */
  children(): RunningProcess[]
}

export type RunningProcess = { pid: number; command: string }

/**
 * Runs `npm run <script>` in a new process group. The group and its children are killed after the
 * test.
 */
export const npmRun = (script: string, env: Record<string, string>): NpmRun => {
  const child = spawn('npm', ['run', script], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...PROCESS_ENV, HOME: process.env.HOME ?? '', ...env },
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => lines.push(line))
  }
  const pid = child.pid ?? 0
  const exited = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  )
  const seen = new Set<number>()
  const children = () => {
    const running = processesBelow(pid)
    for (const one of running) seen.add(one.pid)
    return running
  }
  onTestFinished(async () => {
    children()
    for (const one of [pid, ...seen]) kill(one)
    await exited
  })
  return { pid, lines, exited, children }
}

/** Whether a process exists and is not a zombie. */
export const isRunning = (pid: number): boolean =>
  processes().some((one) => one.pid === pid && !one.state.startsWith('Z'))

const processes = () =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .flatMap((found) =>
      found === null
        ? []
        : [
            {
              pid: Number(found[1]),
              parent: Number(found[2]),
              state: found[3] ?? '',
              command: found[4] ?? '',
            },
          ],
    )

const processesBelow = (root: number): RunningProcess[] => {
  const all = processes()
  const below = (parent: number): RunningProcess[] =>
    all
      .filter((one) => one.parent === parent)
      .flatMap(({ pid, command }) => [{ pid, command }, ...below(pid)])
  return below(root)
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
