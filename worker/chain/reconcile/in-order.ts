/**
 * Runs work on pieces in parallel and returns the results in the order of the pieces. A failure is
 * thrown at its turn.
 *
 * @param atOnce the most pieces in flight
 * @param ahead the most pieces begun or done whose results are not taken yet
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
      // A failure ends the work: no later result will be taken.
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
