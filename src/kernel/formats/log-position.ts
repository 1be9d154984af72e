/** The position of a transaction's own ether transfer, which has no log. Logs start at 0. */
export const NATIVE_POSITION = -1

/** The log position of an internal payment. `index` counts from 0 per transaction and recipient. */
export const internalPosition = (index: number): number => NATIVE_POSITION - 1 - index

export const isInternal = (position: number): boolean => position < NATIVE_POSITION

/** Returns the API's form of a log position: `native`, `internal` or the index of a log. */
export const logPositionOf = <P extends number | null>(position: P): P | 'native' | 'internal' => {
  if (position === NATIVE_POSITION) return 'native'
  return position !== null && isInternal(position) ? 'internal' : position
}
