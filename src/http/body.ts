import type { HonoRequest } from 'hono'
import { DomainError } from '../kernel/errors.ts'
import { type JsonScan, parseExactJson, scanJson } from '../kernel/json.ts'

export const MAX_BODY_BYTES = 256 * 1024
/** Of callers who have not signed in: signing in, registering and the like. */
export const MAX_ANONYMOUS_BODY_BYTES = 16 * 1024
/** Deeper than every body that an operation accepts, far from the depth that exhausts the stack. */
const MAX_DEPTH = 64
/** Enough for every uint256 with 18 decimals. */
const MAX_NUMBER_CHARACTERS = 100

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a JSON body of at most `maxBytes`.
 *
 * @throws DomainError `unsupported_media_type`, `payload_too_large` (with or without a
 * Content-Length), `invalid_json` for bytes that are no UTF-8
 */
export const readJsonText = async (req: HonoRequest, maxBytes: number): Promise<string> => {
  if (!isJson(req.header('content-type'))) {
    throw new DomainError(
      'unsupported_media_type',
      'Send JSON, with Content-Type: application/json.',
    )
  }
  const declared = req.header('content-length')
  if (declared !== undefined && !(Number(declared) <= maxBytes)) throw tooLarge(maxBytes)
  const bytes = await (declared === undefined
    ? readBounded(req.raw.body, maxBytes)
    : readWhole(req.raw))
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/**
 * Parses JSON with exact numbers, in time that grows with its length.
 *
 * @throws DomainError `invalid_json`, also for text that is nested too deeply, holds a number that
 * is too long, or that Postgres cannot store: NUL characters and halves of surrogate pairs
 */
export const parseJson = (text: string): unknown => {
  const scan = scanJson(text)
  if (scan.depth > MAX_DEPTH) {
    throw invalid(`The body is nested too deeply: it may have at most ${MAX_DEPTH} levels.`)
  }
  if (scan.longestNumber > MAX_NUMBER_CHARACTERS) {
    throw invalid(
      `A number in the body is too long: it may have at most ${MAX_NUMBER_CHARACTERS} characters.`,
    )
  }
  const value = tryParse(text, scan)
  // Either can only get in by an escape: raw, they are no JSON or no UTF-8.
  if (text.includes('\\u') && !isStorable(value)) {
    throw invalid('The body holds NUL characters or broken Unicode.')
  }
  return value
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === 'application/json' ||
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i.test(contentType ?? '')

const readWhole = async (request: Request): Promise<ArrayBuffer> => {
  try {
    return await request.arrayBuffer()
  } catch {
    throw invalid('The body ended before it was complete.')
  }
}

/** A body without a length is counted as it comes in, and left where it gets too long. */
const readBounded = async (
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream ?? []) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw invalid('The body ended before it was complete.')
  }
  return Buffer.concat(chunks)
}

const tryParse = (text: string, scan: JsonScan): unknown => {
  try {
    return parseExactJson(text, scan)
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}

const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorable(item))
}

export const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\u0000')

const tooLarge = (maxBytes: number) =>
  new DomainError('payload_too_large', `The body is larger than ${maxBytes / 1024} KiB.`)

const invalid = (message: string) => new DomainError('invalid_json', message)
