import { encodePosition, type Position } from '../../domain/event/index.ts'

/** An event to send as `text/event-stream` (HTML Standard, section 9.2, "Server-sent events"). */
type FramedEvent = { position: Position; type: string; body: string }

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

export const openingFrame = (position: Position, retryMs: number): Uint8Array =>
  encoder.encode(`retry: ${retryMs}\nid: ${encodePosition(position)}\n\n`)

export const commentFrame = (comment: string): Uint8Array => encoder.encode(`: ${comment}\n\n`)
