const PER_BATCH = 100

/** Returns the results of `ask` in the order of the items. Each call gets at most 100 items. */
export const inBatches = async <T, R>(
  items: readonly T[],
  ask: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> => {
  const results: R[] = []
  for (let from = 0; from < items.length; from += PER_BATCH) {
    results.push(...(await ask(items.slice(from, from + PER_BATCH))))
  }
  return results
}
