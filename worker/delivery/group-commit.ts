import { setTimeout as delay } from 'node:timers/promises'

/**
 * Collects items while a group of items is written, and then writes them as the next group. So many
 * items need only a few transactions.
 *
 * @param write gets 1 to `maxItems` items, and is never called twice at the same time
 * @returns a function that adds an item; its promise resolves when the item's group is written, and
 *   rejects after `maxTries` failed writes
 */
export const createGroupCommit = <T>(
  write: (items: readonly T[]) => Promise<unknown>,
  { maxItems, maxTries, retryMs }: { maxItems: number; maxTries: number; retryMs: number },
): ((item: T) => Promise<void>) => {
  const waiting: (PromiseWithResolvers<void> & { item: T })[] = []
  let running = false

  const writeWithRetries = async (items: readonly T[]): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await write(items)
        return
      } catch (error) {
        if (tries >= maxTries) throw error
        await delay(retryMs * 2 ** (tries - 1))
      }
    }
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      const group = waiting.splice(0, maxItems)
      try {
        await writeWithRetries(group.map(({ item }) => item))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    running = false
  }

  return (item) => {
    const written = { item, ...Promise.withResolvers<void>() }
    waiting.push(written)
    if (!running) void drain()
    return written.promise
  }
}
