/**
 * Notes that the wallet is asked to pay an intent. The note outlives the page, which the donor may
 * close before the wallet answers.
 */
export const noteAsked = (id: string): void => {
  inStorage((storage) => storage.setItem(keyOf(id), '1'))
}

/** Removes the note of an intent, and says whether there was one. */
export const takeAsked = (id: string): boolean =>
  inStorage((storage) => {
    const isNoted = storage.getItem(keyOf(id)) !== null
    storage.removeItem(keyOf(id))
    return isNoted
  }) ?? false

const keyOf = (id: string): string => `asked:${id}`

/** A browser may forbid pages to store anything. */
const inStorage = <Result>(work: (storage: Storage) => Result): Result | undefined => {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}
