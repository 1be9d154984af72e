import { setTimeout as delay } from 'node:timers/promises'

const STEP_MS = 25

/** Waits until a condition holds and returns what it gave; throws with what it gave last. */
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
