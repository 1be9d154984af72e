import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cleanup } from './cleanup.ts'
import { cpuOf } from './processor-time.ts'

/** Another Node process of this run, whose output goes into a file. */
export type NodeProcess = {
  pid: number
  /** Sends a message and waits for the answer, one message at a time. Needs `talks`. */
  ask(message: object): Promise<unknown>
  /** The processor time used so far in seconds, or null if the system does not report it. */
  cpuS(): number | null
  /** Resolves to the exit code, or to null after a signal. */
  readonly ended: Promise<number | null>
  /** Throws an error with the last lines of the output if the process has ended. */
  assertRunning(): void
  stop(): Promise<void>
}

type NodeProcessOptions = {
  /** The path of the script from the root of the repository. */
  script: string
  /** The command-line options of Node. */
  nodeArgs?: readonly string[]
  env?: Record<string, string>
  talks?: boolean
}

const ROOT = join(import.meta.dirname, '../..')
const STOP_MS = 6_000
const LAST_CHARS = 2_000

/** Starts a process that ends with the run, and whose output goes into the run's folder. */
export const startNode = (
  { folder }: { folder: string },
  cleanup: Cleanup,
  options: NodeProcessOptions,
): NodeProcess => {
  const logFile = join(folder, `${options.script.replaceAll('/', '-')}.log`)
  const log = openSync(logFile, 'a')
  const args = [...(options.nodeArgs ?? []), join(ROOT, options.script)]
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: ROOT,
    // The process has another session, so Ctrl-C reaches only this process, which ends the other
    // one.
    detached: true,
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: options.talks ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
  })
  closeSync(log)
  const failed = (why: string): Error =>
    new Error(`${options.script} ${why}:\n${readFileSync(logFile, 'utf8').slice(-LAST_CHARS)}`)
  let running = true
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      running = false
      resolve(code)
    })
    child.once('error', () => {
      running = false
      resolve(null)
    })
  })
  const started: NodeProcess = {
    pid: child.pid ?? 0,
    ask(message) {
      if (!running) return Promise.reject(failed('has ended'))
      const answered = new Promise<unknown>((resolve) => child.once('message', resolve))
      child.send(message)
      return Promise.race([
        answered,
        exited.then(() => {
          throw failed('has ended')
        }),
      ])
    },
    ended: exited,
    cpuS: () => (child.pid === undefined ? null : cpuOf(child.pid)),
    assertRunning() {
      if (!running) throw failed('has ended')
    },
    async stop() {
      if (!running) return
      child.kill('SIGTERM')
      await Promise.race([exited, delay(STOP_MS, undefined, { ref: false })])
      if (running) child.kill('SIGKILL')
      await exited
    },
  }
  cleanup.add(() => started.stop())
  return started
}
