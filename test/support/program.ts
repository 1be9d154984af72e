import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** A program of this repository as a process of its own. */
export type Program = {
  /** What it has printed so far. */
  output(): string
  exited: Promise<number | null>
  hasEnded(): boolean
  interrupt(): void
}

/** Starts a program with no more than these variables. */
export const startProgram = (
  script: string,
  env: Record<string, string>,
  args: readonly string[] = [],
): Program => {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  return {
    output: () => text,
    exited: new Promise((resolve) => child.once('close', resolve)),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    interrupt: () => child.kill('SIGINT'),
  }
}

/** Starts a program, which is interrupted when the test is over. */
export const runProgram = (...args: Parameters<typeof startProgram>): Program => {
  const program = startProgram(...args)
  onTestFinished(async () => {
    program.interrupt()
    await program.exited
  })
  return program
}
