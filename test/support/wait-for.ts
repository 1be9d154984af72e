import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable } from '../../src/db/client.ts'

const STEP_MS = 25

/**
 * Waits until a condition holds, and returns the value. Throws with the last value after a timeout.
 */
export const waitFor = async <T>(
  what: string,
  probe: () => T | Promise<T>,
  holds: (value: T) => boolean,
  timeoutMs = 30_000,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = await probe()
    if (holds(value)) return value
    if (Date.now() > deadline) {
      throw new Error(`${what} did not happen in ${timeoutMs} ms: ${JSON.stringify(value)}`)
    }
    await delay(STEP_MS)
  }
}

/** Conditions for waitFor. */
export const exactly =
  (expected: string | number) =>
  (value: unknown): boolean =>
    value === expected
export const atLeast =
  (least: number) =>
  (value: number): boolean =>
    value >= least
export const including =
  (part: string) =>
  (whole: string | readonly string[]): boolean =>
    whole.includes(part)

/** Whether a transaction in this database waits for a lock. */
export const isLockAwaited = async (sql: Queryable): Promise<boolean> => {
  const waiting = await sql`
    select from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and not granted`
  return waiting.length > 0
}

/** Waits until a transaction in this database waits for a lock. */
export const waitForLock = (sql: Queryable): Promise<boolean> =>
  waitFor('a transaction that waits for a lock', () => isLockAwaited(sql), Boolean)
