import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../src/kernel/errors.ts'
import type { Log } from '../src/kernel/log.ts'

/** A job of the worker: `run` is one pass over what waits; `start` repeats it until `stop`. */
export type Job = {
  readonly name: string
  run(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export type LoopOptions = {
  name: string
  /** One pass. Its signal is aborted by `stop`, so that a long pass can give up between steps. */
  run(signal: AbortSignal): Promise<void>
  /** The longest pause between two passes: what catches lost wake-ups. */
  sweepMs: number
  log: Log
  /** Pause after a failed pass; doubles with each further one. */
  minBackoffMs?: number
  maxBackoffMs?: number
  /** How long `stop` waits for the pass that is under way. */
  stopMs?: number
}

export type Loop = { start(): void; stop(): Promise<void>; wake(): void }

/**
 * Repeats a pass on every wake-up and at least each `sweepMs`, never two at once. Wake-ups that
 * come during a pass cause exactly one more. After a failed pass it waits, wake-ups or not, so
 * that a database that is away is not hammered; the failure is one log line.
 */
export const createLoop = (options: LoopOptions): Loop => {
  const { name, run, sweepMs, log } = options
  const minBackoffMs = options.minBackoffMs ?? 250
  const maxBackoffMs = options.maxBackoffMs ?? 30_000
  const stopping = new AbortController()
  let finished: Promise<void> | undefined
  let woken = false
  let interrupt = (): void => {}

  const pause = async (ms: number): Promise<void> => {
    const wait = new AbortController()
    interrupt = () => wait.abort()
    if (!woken && !stopping.signal.aborted) {
      await delay(ms, undefined, { signal: wait.signal }).catch(() => {})
    }
    interrupt = () => {}
  }

  const repeat = async (): Promise<void> => {
    let failures = 0
    while (!stopping.signal.aborted) {
      woken = false
      try {
        await run(stopping.signal)
        failures = 0
        await pause(sweepMs)
      } catch (error) {
        if (stopping.signal.aborted) return
        const backoffMs = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(failures++, 16))
        log.error({ job: name, failures, backoffMs, reason: messageOf(error) }, 'a pass failed')
        await delay(backoffMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  return {
    start() {
      finished ??= repeat()
    },
    async stop() {
      stopping.abort()
      interrupt()
      const gaveUp = new AbortController()
      await Promise.race([
        finished,
        delay(options.stopMs ?? 2_000, undefined, { signal: gaveUp.signal }).catch(() => {}),
      ])
      gaveUp.abort()
    },
    wake() {
      woken = true
      interrupt()
    },
  }
}
