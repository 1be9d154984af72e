const PER_BATCH = 100

/** The results of `ask` for all items, in their order. Asks for at most 100 items at a time. */
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
