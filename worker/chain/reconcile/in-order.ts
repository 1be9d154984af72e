/**
 * Calls `work` for several pieces in parallel. Each call of the returned function gives the next
 * result, in the order of the pieces. Rejects if the work failed. Undefined after the last piece.
 *
 * @param atOnce the highest number of pieces in work at the same time
 * @param ahead the highest number of begun pieces whose results the caller has not taken yet
 */
export const inOrder = <P, R>(
  pieces: Iterator<P>,
  work: (piece: P) => Promise<R>,
  { atOnce, ahead }: { atOnce: number; ahead: number },
): (() => Promise<R> | undefined) => {
  const waiting: Promise<R>[] = []
  let active = 0
  let ended = false
  const begin = (): void => {
    while (!ended && active < atOnce && waiting.length < ahead) {
      const piece = pieces.next()
      if (piece.done) {
        ended = true
        return
      }
      active += 1
      const result = work(piece.value)
      waiting.push(result)
      const done = (): void => {
        active -= 1
        begin()
      }
      // After a failure, the caller stops, so no new work begins.
      result.then(done, () => {
        ended = true
      })
    }
  }
  return () => {
    begin()
    const next = waiting.shift()
    begin()
    return next
  }
}
