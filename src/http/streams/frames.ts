import { encodePosition, type Position } from '../../domain/event/index.ts'

/** The lines of `text/event-stream`: HTML Standard, section 9.2, "Server-sent events". */
type FramedEvent = { position: Position; type: string; body: string }

const encoder = new TextEncoder()
const encoded = new WeakMap<FramedEvent, Uint8Array>()

/**
 * One event, encoded once for all streams that send it. A body is one line: JSON has no bare line
 * ends.
 */
export const eventFrame = (event: FramedEvent): Uint8Array => {
  const known = encoded.get(event)
  if (known) return known
  const { position, type, body } = event
  const frame = encoder.encode(`id: ${encodePosition(position)}\nevent: ${type}\ndata: ${body}\n\n`)
  encoded.set(event, frame)
  return frame
}

/**
 * A block without data tells no event, but its `id` is what a client resumes from: also one that
 * has had none yet.
 */
export const markFrame = (position: Position, comment: string): Uint8Array =>
  encoder.encode(`: ${comment}\nid: ${encodePosition(position)}\n\n`)

export const openingFrame = (position: Position, retryMs: number): Uint8Array =>
  encoder.encode(`retry: ${retryMs}\nid: ${encodePosition(position)}\n\n`)

export const commentFrame = (comment: string): Uint8Array => encoder.encode(`: ${comment}\n\n`)
