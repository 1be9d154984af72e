const PER_BATCH = 100

/** Returns the results of `ask` in the order of the items. Each call gets at most `size` items. */
export const inBatches = async <T, R>(
  items: readonly T[],
  ask: (batch: T[]) => Promise<readonly R[]>,
  size = PER_BATCH,
): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < items.length; from += size) {
    results.push(...(await ask(items.slice(from, from + size))))
  }
  return results
}
