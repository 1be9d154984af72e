import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../src/kernel/errors.ts'
import type { Log } from '../src/kernel/ports/log.ts'

/** A job of the worker. `run` does one pass over the waiting work. `start` repeats such passes. */
export type Job = {
  readonly name: string
  run(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** A job with `wake`, which ends the pause before the next pass. */
export type Loop = Job & { wake(): void }

export type LoopOptions = {
  name: string
  /** Runs one pass. `stop` aborts `signal`, so that a long pass can end early. */
  run(signal: AbortSignal): Promise<unknown>
  /** The longest pause between two passes, in case a wake-up is lost. */
  sweepMs: number
  log: Log
  /** The pause after a failed pass. It doubles after each further failure. */
  minBackoffMs?: number
  maxBackoffMs?: number
  /** The longest time that `stop` waits for the current pass. */
  stopMs?: number
}

/**
 * Runs a pass on every wake-up, and after a pause of `sweepMs` without wake-ups. Wake-ups during a
 * pass cause exactly one more pass. After a failed pass, wake-ups do not end the pause, so that an
 * unavailable database is not overloaded.
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
    name,
    async run() {
      await run(new AbortController().signal)
    },
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
