/** A body that is written while it is sent. Its receiver must open it or give it up. */
export type AnswerStream = {
  /** `cut` ends the connection at once, with all that waits for it. */
  open(cut: () => void): ReadableStream<Uint8Array>
  discard(): void
}
