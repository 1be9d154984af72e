import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { StartError } from '../kernel/errors.ts'
import { signal } from './processes.ts'

/** A program and its user. Default: the user of this process. */
export type Command = {
  file: string
  args: string[]
  uid?: number | undefined
  gid?: number | undefined
  env?: NodeJS.ProcessEnv
  cwd?: string
}

/** One step of ending a child: sends the signal and waits up to `waitMs` before the next step. */
export type StopStep = { signal: NodeJS.Signals; waitMs: number }

export type Child = {
  readonly pid: number
  /** Resolves at the child's end with the reason: `exit code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>
  isRunning(): boolean
  /** The newest lines of output, oldest first. */
  lastLines(): readonly string[]
  /** Ends the child by these steps, then by SIGKILL. A second call waits for the same end. */
  stop(steps: readonly StopStep[]): Promise<void>
}

const KEPT_LINES = 50
const MAX_LINE_CHARS = 2_000
const LAST_LINES_WAIT_MS = 500
const KILLED_WAIT_MS = 1_000

const living = new Map<number, NodeJS.Signals>()
let exitHookIsSet = false

/**
 * Starts a long-lived child in its own session, so that Ctrl-C reaches only this process, which
 * then ends the child. If this process exits first, the child gets `exitSignal`.
 *
 * @throws StartError if the program cannot be run
 */
export const startChild = async (
  command: Command,
  onLine: (line: string) => void,
  exitSignal: NodeJS.Signals,
): Promise<Child> => {
  const started = spawn(command.file, command.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identity(command),
  })
  const lines: string[] = []
  const keep = (line: string) => {
    lines.push(line.slice(0, MAX_LINE_CHARS))
    if (lines.length > KEPT_LINES) lines.shift()
    onLine(line.slice(0, MAX_LINE_CHARS))
  }
  readLines(started.stdout, keep)
  readLines(started.stderr, keep)
  let running = true
  const closed = new Promise<void>((resolve) => started.once('close', () => resolve()))
  const ended = new Promise<string>((resolve) => {
    started.once('exit', (code, name) => {
      running = false
      if (started.pid !== undefined) living.delete(started.pid)
      const reason = name === null ? `exit code ${code}` : `signal ${name}`
      // The last lines may arrive after the exit; grandchildren may keep the pipe open.
      Promise.race([closed, timeout(LAST_LINES_WAIT_MS)]).then(() => resolve(reason))
    })
  })
  await new Promise<void>((resolve, reject) => {
    started.once('spawn', resolve)
    started.on('error', (error) => {
      reject(new StartError(`${command.file} cannot be run: ${error.message}.`))
    })
  })
  const { pid } = started
  if (pid === undefined) throw new StartError(`${command.file} cannot be run.`)
  endWithUs(pid, exitSignal)

  let stopping: Promise<void> | undefined
  const stop = async (steps: readonly StopStep[]): Promise<void> => {
    for (const step of [...steps, { signal: 'SIGKILL', waitMs: KILLED_WAIT_MS } as const]) {
      if (!running) return
      signal(pid, step.signal)
      await Promise.race([ended, timeout(step.waitMs)])
    }
  }
  return {
    pid,
    ended,
    isRunning: () => running,
    lastLines: () => lines,
    stop(steps) {
      stopping ??= stop(steps)
      return stopping
    },
  }
}

export type RunResult = { ok: boolean; output: string }

/** Runs a short program to its end, with `input` on its standard input. Never throws. */
export const runToEnd = (command: Command, timeoutMs: number, input = ''): Promise<RunResult> =>
  new Promise((resolve) => {
    const options = { timeout: timeoutMs, maxBuffer: 1024 * 1024, ...identity(command) }
    const child = execFile(command.file, command.args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim()
      resolve({ ok: error === null, output: output || (error?.message ?? '') })
    })
    // The exit code shows whether a program ended before it read its input.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })

const identity = ({ uid, gid, env, cwd }: Command) => ({
  ...(uid === undefined ? {} : { uid }),
  ...(gid === undefined ? {} : { gid }),
  ...(env === undefined ? {} : { env }),
  ...(cwd === undefined ? {} : { cwd }),
})

const readLines = (stream: Readable, onLine: (line: string) => void): void => {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine)
}

const timeout = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

const endWithUs = (pid: number, exitSignal: NodeJS.Signals): void => {
  living.set(pid, exitSignal)
  if (exitHookIsSet) return
  exitHookIsSet = true
  process.once('exit', () => {
    for (const [child, name] of living) signal(child, name)
  })
}
