/**
 * Does pieces of work a few at a time and hands their results out in the order of the pieces, some
 * of them ahead of whoever takes them. What fails is thrown where its turn comes.
 *
 * @param atOnce pieces under way at a time
 * @param ahead pieces begun or done that nobody has taken yet, at most
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
      // One that fails ends it: nothing after it will be taken.
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
