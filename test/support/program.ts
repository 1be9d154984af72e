import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export const ROOT = join(import.meta.dirname, '../..')

/** Variables of each process. The compile cache of Node makes later starts faster. */
export const PROCESS_ENV = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'fundproof-compile-cache'),
}

/** How a program ended: its exit code or signal, and its standard output and standard error. */
export type Ended = { code: NodeJS.Signals | number | null; out: string; errors: string }

/** A program of this repository in a process. */
export type Program = {
  pid: number
  /** The output so far, and its lines. */
  output(): string
  lines: string[]
  /** The standard error so far. */
  errors(): string
  ended: Promise<Ended>
  exited: Promise<Ended['code']>
  hasEnded(): boolean
  kill(signal: NodeJS.Signals): void
  interrupt(): void
  /** Closes the pipes of the output, as when a log collector ends. */
  stopReading(): void
}

/** Starts a program with only these environment variables. */
export const startProgram = (
  script: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Program => {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...PROCESS_ENV, ...env },
  })
  const lines: string[] = []
  const texts = { all: '', out: '', errors: '' }
  for (const name of ['out', 'errors'] as const) {
    const stream = name === 'out' ? child.stdout : child.stderr
    stream.setEncoding('utf8').on('data', (part: string) => {
      texts.all += part
      texts[name] += part
    })
    createInterface(stream).on('line', (line) => lines.push(line))
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: signal ?? code, ...texts }))
  })
  return {
    pid: child.pid ?? 0,
    output: () => texts.all,
    lines,
    errors: () => texts.errors,
    ended,
    exited: ended.then(({ code }) => code),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => child.kill(signal),
    interrupt: () => child.kill('SIGINT'),
    stopReading: () => {
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

/** Starts a program, which is interrupted after the test. */
export const runProgram = (...args: Parameters<typeof startProgram>): Program => {
  const program = startProgram(...args)
  onTestFinished(async () => {
    program.interrupt()
    await program.exited
  })
  return program
}
