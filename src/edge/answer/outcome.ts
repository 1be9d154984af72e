import { DomainError } from '../../kernel/errors.ts'
import { stringifyWithTexts } from '../../kernel/formats/json.ts'

/** A body that is written while it is sent. The server must call either `open` or `discard`. */
export type AnswerStream = {
  /** `cut` closes the connection at once and drops the bytes that wait for the client. */
  open(cut: () => void): ReadableStream<Uint8Array>
  discard(): void
}

export type Answer = {
  /** The default is the lowest status in the operation's `answers`. */
  status?: number
  /** This value is sent as JSON. Undefined if the body has another form. */
  body?: unknown
  /** Finished JSON text, which is sent instead of `body`. */
  json?: string
  /** Text that is sent instead of `body`, of a media type in the operation's `otherTypes`. */
  text?: { type: string; value: string }
  /** Bytes that are sent instead of `body`, for example a file or compressed text. */
  bytes?: Uint8Array<ArrayBuffer>
  /** A body that is written while it is sent. Only GET may use a stream, which is never stored. */
  stream?: { type: string; source: AnswerStream }
  location?: string
  headers?: Readonly<Record<string, string>>
}

export type Answered = Answer & { status: number }

/** An answer in the form in which it is sent. */
export type Outcome = {
  status: number
  text: string | null
  /** Bytes to send instead of `text`. */
  bytes?: Uint8Array<ArrayBuffer>
  stream?: AnswerStream
  headers?: Readonly<Record<string, string>>
}

/** Returns an answer's text, or null if it has none. With `asText`, amounts become JSON strings. */
export const textOf = ({ text, json, body }: Answer, asText: boolean): string | null => {
  if (body === undefined) return text?.value ?? json ?? null
  return asText ? stringifyWithTexts(body) : JSON.stringify(body)
}

/** Converts an answer to the form in which it is sent. Throws `answer` if it is a DomainError. */
export const outcomeOf = (answer: Answered | DomainError, asText: boolean): Outcome => {
  if (answer instanceof DomainError) throw answer
  const { status, location, headers, text, bytes, stream } = answer
  const type = stream?.type ?? text?.type
  return {
    status,
    text: textOf(answer, asText),
    ...(bytes ? { bytes } : {}),
    ...(stream ? { stream: stream.source } : {}),
    headers: {
      ...headers,
      ...(location === undefined ? {} : { Location: location }),
      ...(type === undefined ? {} : { 'Content-Type': type }),
    },
  }
}

/** Converts a stored answer to the form in which it is sent again. */
export const replayOf = (stored: {
  status: number
  location: string | null
  body: string
}): Outcome => ({
  status: stored.status,
  text: stored.body === '' ? null : stored.body,
  headers: {
    'Idempotent-Replayed': 'true',
    ...(stored.location === null ? {} : { Location: stored.location }),
  },
})
