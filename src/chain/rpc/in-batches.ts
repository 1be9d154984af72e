import { ChainError } from '../errors.ts'

const PER_BATCH = 100

/**
 * Returns the results of `ask` in the order of the items. Each call gets at most `size` items, and
 * half as many if the answer was too large. The number doubles again with each success.
 */
export const inBatches = async <T, R>(
  items: readonly T[],
  ask: (batch: T[]) => Promise<readonly R[]>,
  size = PER_BATCH,
): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0, most = size; from < items.length; ) {
    const batch = items.slice(from, from + most)
    try {
      results.push(...(await ask(batch)))
      from += batch.length
      most = Math.min(size, 2 * most)
    } catch (error) {
      if (!(error instanceof ChainError) || error.code !== 'too_large') throw error
      if (batch.length < 2) throw error
      most = batch.length >> 1
    }
  }
  return results
}
