/** The position of a transaction's own value. The positions of logs start at 0. */
export const NATIVE_POSITION = -1

/** The position of internal payment `index` (from 0) of a transaction to one account. */
export const internalPosition = (index: number): number => NATIVE_POSITION - 1 - index

export const isInternal = (position: number): boolean => position < NATIVE_POSITION

/** A position in the API: `native`, `internal` or the index of a log. */
export const logPositionOf = <P extends number | null>(position: P): P | 'native' | 'internal' => {
  if (position === NATIVE_POSITION) return 'native'
  return position !== null && isInternal(position) ? 'internal' : position
}
