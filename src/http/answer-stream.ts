/** A body that is written while it goes out. Whoever gets one either opens it or gives it up. */
export type AnswerStream = {
  /** `cut` ends the connection at once, with all that waits for it. */
  open(cut: () => void): ReadableStream<Uint8Array>
  discard(): void
}
