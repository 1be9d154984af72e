import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { PROCESS_ENV } from '../support/program.ts'
import type { SimulatedBeacon } from './beacon.ts'

/**
 * An order to a worker: run one pass of its jobs. The worker is killed at the crash point, if
 * given.
 */
export type Order = {
  id: number
  nowMs: number
  crashAt: string | null
}
export type Reply = { id: number; problems: string[] }

export type WorkerPlaces = {
  databaseUrl: string
  rpcUrls: readonly string[]
  /** The settings of the sync committee, if the chain has one. */
  committee?: SimulatedBeacon['settings'] | undefined
}

/**
 * How a pass ended. `problems` lists the errors of failed jobs, for example because of a node's
 * fault.
 */
export type Outcome = { killed: boolean; problems: string[] }

/**
 * A worker process that runs only on orders, so that the order of events depends only on the seed.
 * A crash point kills the process as `kill -9` does, and the next order starts another process.
 */
export type SimulatedWorker = {
  work(nowMs: number, crashAt?: string): Promise<Outcome>
  stop(): void
}

const PROGRAM = join(import.meta.dirname, 'worker-process.ts')

export const createSimulatedWorker = (places: WorkerPlaces): SimulatedWorker => {
  let child: ChildProcess | undefined
  let orders = 0
  const start = (): ChildProcess => {
    const started = fork(PROGRAM, [JSON.stringify(places)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...PROCESS_ENV },
    })
    child = started
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    return started
  }
  return {
    work: (nowMs, crashAt) =>
      new Promise<Outcome>((resolve, reject) => {
        const worker = child ?? start()
        const id = ++orders
        const onReply = (reply: Reply): void => {
          if (reply.id !== id) return
          end()
          resolve({ killed: false, problems: reply.problems })
        }
        const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
          end()
          if (signal === 'SIGKILL') resolve({ killed: true, problems: [] })
          else reject(new Error(`The worker ended by itself: ${signal ?? code}.`))
        }
        const end = (): void => {
          worker.off('message', onReply)
          worker.off('exit', onExit)
        }
        worker.on('message', onReply)
        worker.once('exit', onExit)
        worker.send({ id, nowMs, crashAt: crashAt ?? null } satisfies Order)
      }),
    stop: () => {
      child?.kill('SIGKILL')
    },
  }
}
