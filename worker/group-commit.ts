import { setTimeout as delay } from 'node:timers/promises'

/**
 * Writes items in groups: while one group is being written the next one gathers, so that the
 * number of transactions follows the speed of the database and not the number of items. A group
 * that is not full waits `gatherMs` for more, where that is given.
 *
 * @param write called with 1 to `maxItems` items, one call at a time
 * @returns adds an item; resolves when its group is written, rejects when `maxTries` have failed
 */
export const createGroupCommit = <T>(
  write: (items: readonly T[]) => Promise<unknown>,
  options: { maxItems: number; maxTries: number; retryMs: number; gatherMs?: number },
): ((item: T) => Promise<void>) => {
  type Waiting = { item: T; done: () => void; failed: (reason: unknown) => void }
  const waiting: Waiting[] = []
  let running = false

  /** Ends the wait for a group that is full. */
  let full: (() => void) | undefined
  const gather = async (gatherMs: number): Promise<void> => {
    if (waiting.length >= options.maxItems) return
    const timer = setTimeout(() => full?.(), gatherMs)
    await new Promise<void>((resolve) => {
      full = resolve
    })
    clearTimeout(timer)
    full = undefined
  }

  const writeWithRetries = async (items: readonly T[]): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await write(items)
        return
      } catch (error) {
        if (tries >= options.maxTries) throw error
        await delay(options.retryMs * 2 ** (tries - 1))
      }
    }
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      if (options.gatherMs) await gather(options.gatherMs)
      const group = waiting.splice(0, options.maxItems)
      try {
        await writeWithRetries(group.map(({ item }) => item))
        for (const { done } of group) done()
      } catch (error) {
        for (const { failed } of group) failed(error)
      }
    }
    running = false
  }

  return (item) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ item, done: resolve, failed: reject })
      if (!running) void drain()
      else if (waiting.length >= options.maxItems) full?.()
    })
}
