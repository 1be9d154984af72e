import { setTimeout as delay } from 'node:timers/promises'

export type GroupOptions = {
  maxItems: number
  maxTries: number
  retryMs: number
  /** How long a group that is not full waits for more; not at all without it. */
  gatherMs?: number
}

/**
 * Writes items in groups: while one group is being written the next one gathers, so that the
 * number of transactions follows the speed of the database and not the number of items.
 *
 * @param write called with 1 to `maxItems` items, one call at a time
 * @param ended called with each group that is written, or with why it was not after `maxTries`
 * @returns adds an item
 */
export const createGroups = <T>(
  write: (items: readonly T[]) => Promise<unknown>,
  options: GroupOptions,
  ended: (items: readonly T[], error?: unknown) => void,
): ((item: T) => void) => {
  const { maxItems, maxTries, retryMs, gatherMs } = options
  const waiting: T[] = []
  let running = false
  /** Ends the wait for a group that is full. */
  let full: (() => void) | undefined

  const gather = async (forMs: number): Promise<void> => {
    if (waiting.length >= maxItems) return
    const timer = setTimeout(() => full?.(), forMs)
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
        if (tries >= maxTries) throw error
        await delay(retryMs * 2 ** (tries - 1))
      }
    }
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      if (gatherMs) await gather(gatherMs)
      const group = waiting.splice(0, maxItems)
      const error = await writeWithRetries(group).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('not written'),
      )
      ended(group, error)
    }
    running = false
  }

  return (item) => {
    waiting.push(item)
    if (!running) void drain()
    else if (waiting.length >= maxItems) full?.()
  }
}

/**
 * The same with a promise for each item.
 *
 * @returns adds an item; resolves when its group is written, rejects when `maxTries` have failed
 */
export const createGroupCommit = <T>(
  write: (items: readonly T[]) => Promise<unknown>,
  options: GroupOptions,
): ((item: T) => Promise<void>) => {
  type Waiting = { item: T; done: () => void; failed: (reason: unknown) => void }
  const add = createGroups<Waiting>(
    (group) => write(group.map(({ item }) => item)),
    options,
    (group, error) => {
      for (const { done, failed } of group) {
        if (error === undefined) done()
        else failed(error)
      }
    },
  )
  return (item) => new Promise((done, failed) => add({ item, done, failed }))
}
