import type { HonoRequest } from 'hono'
import { DomainError } from '../kernel/errors.ts'
import { parseExactJson } from '../kernel/json.ts'

export const MAX_BODY_BYTES = 256 * 1024
/** Deeper than anything that we accept, far from what would exhaust the stack. */
const MAX_DEPTH = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a JSON body.
 *
 * @throws DomainError `unsupported_media_type`, `payload_too_large` (with or without a
 * Content-Length), `invalid_json` for bytes that are no UTF-8
 */
export const readJsonText = async (req: HonoRequest): Promise<string> => {
  if (!isJson(req.header('content-type'))) {
    throw new DomainError(
      'unsupported_media_type',
      'Send JSON, with Content-Type: application/json.',
    )
  }
  const declared = req.header('content-length')
  if (declared !== undefined && !(Number(declared) <= MAX_BODY_BYTES)) throw tooLarge()
  const bytes = await (declared === undefined ? readBounded(req.raw.body) : readWhole(req.raw))
  if (bytes.byteLength > MAX_BODY_BYTES) throw tooLarge()
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/**
 * Parses JSON with exact numbers.
 *
 * @throws DomainError `invalid_json`, also for text that Postgres cannot store: NUL characters and
 * halves of surrogate pairs
 */
export const parseJson = (text: string): unknown => {
  const value = tryParse(text)
  // Either can only get in by an escape: raw, they are no JSON or no UTF-8.
  if (text.includes('\\u') && !isStorable(value, MAX_DEPTH)) {
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
const readBounded = async (stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream ?? []) {
      size += chunk.byteLength
      if (size > MAX_BODY_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw invalid('The body ended before it was complete.')
  }
  return Buffer.concat(chunks)
}

const tryParse = (text: string): unknown => {
  try {
    return parseExactJson(text)
  } catch (error) {
    // The parser recurses, so that a body of nothing but brackets ends here and not in a crash.
    throw invalid(
      error instanceof RangeError
        ? 'The body is nested too deeply.'
        : 'The body is not valid JSON.',
    )
  }
}

const isStorable = (value: unknown, depth: number): boolean => {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return (
    depth > 0 &&
    Object.entries(value).every(([key, item]) => isStorableText(key) && isStorable(item, depth - 1))
  )
}

export const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\u0000')

const tooLarge = () =>
  new DomainError('payload_too_large', `The body is larger than ${MAX_BODY_BYTES / 1024} KiB.`)

const invalid = (message: string) => new DomainError('invalid_json', message)
