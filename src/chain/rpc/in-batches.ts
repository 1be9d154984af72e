import { ChainError } from '../errors.ts'

const PER_BATCH = 100

/**
 * Returns the results of `ask` in the order of the items. Each call gets at most `size` items, and
 * half of them if the answer for more items is too large.
 */
export const inBatches = async <T, R>(
  items: readonly T[],
  ask: (batch: T[]) => Promise<readonly R[]>,
  size = PER_BATCH,
): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < items.length; from += size) {
    results.push(...(await inHalves(items.slice(from, from + size), ask)))
  }
  return results
}

const inHalves = async <T, R>(
  items: T[],
  ask: (batch: T[]) => Promise<readonly R[]>,
): Promise<readonly R[]> => {
  try {
    return await ask(items)
  } catch (error) {
    if (!(error instanceof ChainError) || error.code !== 'too_large') throw error
    if (items.length < 2) throw error
    const half = items.length >> 1
    const first = await inHalves(items.slice(0, half), ask)
    return [...first, ...(await inHalves(items.slice(half), ask))]
  }
}
