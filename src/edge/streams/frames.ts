import { encodePosition, type Position } from '../../domain/events/index.ts'

/** An event to send as `text/event-stream` (HTML Standard, section 9.2, "Server-sent events"). */
type FramedEvent = { position: Position; type: string; body: string }

/** Clients reconnect after this time plus a random time, so that not all reconnect together. */
const RETRY_MS = 1_000
const RETRY_SPREAD_MS = 4_000

const encoder = new TextEncoder()
const encoded = new WeakMap<FramedEvent, Uint8Array>()

/** Encodes an event once for all streams. `body` has no line breaks, so one line is enough. */
export const eventFrame = (event: FramedEvent): Uint8Array => {
  const known = encoded.get(event)
  if (known) return known
  const { position, type, body } = event
  const frame = encoder.encode(`id: ${encodePosition(position)}\nevent: ${type}\ndata: ${body}\n\n`)
  encoded.set(event, frame)
  return frame
}

/** A frame with a position but no event. A client that reconnects resumes from this position. */
export const markFrame = (position: Position, comment: string): Uint8Array =>
  encoder.encode(`: ${comment}\nid: ${encodePosition(position)}\n\n`)

/** The first frame of a stream of events. It also says when a client should reconnect. */
export const openingFrame = (position: Position): Uint8Array =>
  encoder.encode(`${retryLine()}id: ${encodePosition(position)}\n\n`)

/** The first frame of a stream that does not resume. It says when a client should reconnect. */
export const retryFrame = (): Uint8Array => encoder.encode(`${retryLine()}\n`)

const retryLine = (): string => `retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n`

/** Encodes texts by the type of event that brings them. Each line becomes a line of `data`. */
export const textFrames = (texts: Readonly<Record<string, string>>): Uint8Array =>
  encoder.encode(
    Object.entries(texts)
      .map(([type, text]) => `event: ${type}\n${dataLines(text)}\n\n`)
      .join(''),
  )

const dataLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}`)
    .join('\n')

export const commentFrame = (comment: string): Uint8Array => encoder.encode(`: ${comment}\n\n`)
