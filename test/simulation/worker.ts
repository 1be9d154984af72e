import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { PROCESS_ENV } from '../support/program.ts'

/** An order to a worker: one pass of its jobs, killed at the crash point if one is named. */
export type Order = {
  id: number
  nowMs: number
  crashAt: string | null
}
export type Reply = { id: number; problems: string[] }

export type WorkerPlaces = { databaseUrl: string; rpcUrls: readonly string[] }

/** How passes ended: `problems` names those that failed, as a node's fault makes them. */
export type Outcome = { killed: boolean; problems: string[] }

/**
 * A worker in a process of its own that works only by orders, so that a run has one order of
 * events. A crash point kills it as `kill -9` does; the next order starts another one.
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
