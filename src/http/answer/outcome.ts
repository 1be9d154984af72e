import { DomainError } from '../../kernel/errors.ts'
import { stringifyWithTexts } from '../../kernel/formats/json.ts'

/** A body that is written while it is sent. Its receiver must open it or give it up. */
export type AnswerStream = {
  /** `cut` ends the connection at once, with all that waits for it. */
  open(cut: () => void): ReadableStream<Uint8Array>
  discard(): void
}

/** What a handler answers. */
export type Answer = {
  /** Left out: the lowest of the operation's answers. */
  status?: number
  /** Written as JSON, amounts as the caller prefers them; left out where there is none. */
  body?: unknown
  /** Instead of `body`: JSON that is written already. */
  json?: string
  /** Instead of `body`: text of another media type, one of the answer's `otherTypes`. */
  text?: { type: string; value: string }
  /** Instead of `body`: text that is encoded already and maybe compressed, or a file. */
  bytes?: Uint8Array<ArrayBuffer>
  /** Instead of `body`: what goes on after the answer has begun. Of a GET, which keeps nothing. */
  stream?: { type: string; source: AnswerStream }
  location?: string
  headers?: Readonly<Record<string, string>>
}

export type Answered = Answer & { status: number }

/** An answer as it goes out. */
export type Outcome = {
  status: number
  text: string | null
  /** Instead of `text`. */
  bytes?: Uint8Array<ArrayBuffer>
  stream?: AnswerStream
  headers?: Readonly<Record<string, string>>
}

/** The JSON of an answer; null where there is none. */
export const textOf = ({ text, json, body }: Answer, asText: boolean): string | null => {
  if (body === undefined) return text?.value ?? json ?? null
  return asText ? stringifyWithTexts(body) : JSON.stringify(body)
}

/** An answer as it goes out. A returned refusal is thrown. */
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

/** A stored answer as it goes out again. */
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
