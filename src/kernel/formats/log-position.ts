/** The position of a transaction's own value; logs count from 0. */
export const NATIVE_POSITION = -1

/**
 * The position of the `index`-th native payment (from 0) to one account by a transaction's calls.
 */
export const internalPosition = (index: number): number => NATIVE_POSITION - 1 - index

export const isInternal = (position: number): boolean => position < NATIVE_POSITION

/** The text of a position in the interface. */
export const logPositionOf = <P extends number | null>(position: P): P | 'native' | 'internal' => {
  if (position === NATIVE_POSITION) return 'native'
  return position !== null && isInternal(position) ? 'internal' : position
}
