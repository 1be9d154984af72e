import type { Log } from '../../kernel/ports/log.ts'
import { commentFrame } from './frames.ts'

type PushStreamOptions = {
  log: Log
  /** The most bytes that may wait for a client. If more bytes wait, the stream is cut. */
  maxQueuedBytes: number
  /** Closes the connection at once and drops the bytes that wait for the client. */
  cut: () => void
  /** Called once, when the stream has ended. */
  onEnd: () => void
  /** Called when fewer than `AHEAD_BYTES` wait for the client. */
  onRoom?: () => void
}

/** A stream of server-sent events. After its end, all methods do nothing. */
export type PushStream = {
  readonly body: ReadableStream<Uint8Array>
  hasEnded(): boolean
  /** Whether fewer than `AHEAD_BYTES` wait for the client. */
  hasRoom(): boolean
  /** Sends bytes. Cuts the stream if too many bytes would wait for the client. */
  send(bytes: Uint8Array): void
  /** Sends bytes, no matter how many bytes wait. The caller must wait for room before. */
  sendAnyway(bytes: Uint8Array): void
  /** Ends the stream after the bytes that wait, with the reason as a comment. */
  end(reason: string): void
}

/** To save memory, a stream has room only while fewer than this many bytes wait for the client. */
const AHEAD_BYTES = 16_384
const LINGER_MS = 10_000

/** Opens a stream to which the server pushes bytes. A client that does not read them is cut. */
export const openPushStream = (options: PushStreamOptions): PushStream => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let ended = false

  const queuedBytes = (): number => AHEAD_BYTES - (controller?.desiredSize ?? AHEAD_BYTES)

  const finish = (): boolean => {
    if (ended) return false
    ended = true
    options.onEnd()
    return true
  }

  const cut = (reason: string): void => {
    if (!finish()) return
    options.log.info({ reason }, 'a stream was cut')
    options.cut()
    controller?.close()
  }

  const sendAnyway = (bytes: Uint8Array): void => {
    if (!ended) controller?.enqueue(bytes)
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made
      },
      pull() {
        options.onRoom?.()
      },
      cancel() {
        finish()
      },
    },
    { highWaterMark: AHEAD_BYTES, size: (bytes) => bytes.byteLength },
  )

  return {
    body,
    hasEnded: () => ended,
    hasRoom: () => queuedBytes() < AHEAD_BYTES,
    send(bytes) {
      const queued = queuedBytes()
      const isTooSlow = queued > 0 && queued + bytes.byteLength > options.maxQueuedBytes
      if (isTooSlow) cut('the consumer is too slow')
      else sendAnyway(bytes)
    },
    sendAnyway,
    end(reason) {
      if (!finish()) return
      controller?.enqueue(commentFrame(reason))
      controller?.close()
      // Closes the connection after `LINGER_MS`, even if the client has not read all bytes.
      setTimeout(options.cut, LINGER_MS).unref()
    },
  }
}
