import type { HonoRequest } from 'hono'
import { DomainError } from '../../kernel/errors.ts'
import { type JsonScan, parseExactJson, scanJson } from '../../kernel/formats/json.ts'

export const MAX_BODY_BYTES = 256 * 1024
/** The size limit of a body without a known caller, for example of a sign-in. */
export const MAX_ANONYMOUS_BODY_BYTES = 16 * 1024
/** The most nested levels of a JSON body. Very deep nesting could overflow the call stack. */
const MAX_DEPTH = 64
/** The most characters of a number in a body. Any uint256 amount with 18 decimals is shorter. */
const MAX_NUMBER_CHARACTERS = 100

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the text of a JSON body of at most `maxBytes`.
 *
 * @throws DomainError `unsupported_media_type` if the Content-Type is not JSON; `payload_too_large`
 *   above `maxBytes`; `invalid_json` if the body is not UTF-8 or ends too early
 */
export const readJsonText = async (req: HonoRequest, maxBytes: number): Promise<string> => {
  if (!isJson(req.header('content-type'))) {
    throw new DomainError(
      'unsupported_media_type',
      'Send JSON, at least {}, with Content-Type: application/json.',
    )
  }
  try {
    return utf8.decode(await readBytes(req, maxBytes))
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw invalid('The body is not valid UTF-8.')
  }
}

/** A body other than JSON: its allowed media types and its size limit. */
export type Upload = { types: readonly string[]; maxBytes: number }

/**
 * Reads the bytes of an uploaded file.
 *
 * @throws DomainError `unsupported_media_type` if the Content-Type is not in `types`;
 *   `payload_too_large` above `maxBytes`; `invalid_json` if the body ends too early
 */
export const readUpload = (req: HonoRequest, { types, maxBytes }: Upload): Promise<Uint8Array> => {
  const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && types.includes(type)) return readBytes(req, maxBytes)
  throw new DomainError('unsupported_media_type', `Send the file as ${types.join(', ')}.`)
}

const readBytes = async (req: HonoRequest, maxBytes: number): Promise<Uint8Array> => {
  const declared = req.header('content-length')
  if (declared !== undefined && !(Number(declared) <= maxBytes)) throw tooLarge(maxBytes)
  const bytes = await (declared === undefined
    ? readBounded(req.raw.body, maxBytes)
    : readWhole(req.raw))
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  return bytes
}

/**
 * Parses JSON in linear time, and keeps all digits of each number.
 *
 * @throws DomainError `invalid_json` if `text` is not JSON, has too many levels, a too long number,
 *   or text that Postgres cannot store (NUL characters, halves of surrogate pairs)
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
  // In valid UTF-8, only an escape such as `\u0000` can produce NUL or half of a surrogate pair.
  if (text.includes('\\u') && !isStorable(value)) {
    throw invalid('The body holds NUL characters or broken Unicode.')
  }
  return value
}

const isJson = (contentType: string | undefined): boolean =>
  contentType === 'application/json' ||
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;.*)?$/i.test(contentType ?? '')

const readWhole = async (request: Request): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await request.arrayBuffer())
  } catch {
    throw invalid('The body ended before it was complete.')
  }
}

/** Reads a body. Throws DomainError `payload_too_large` as soon as the body exceeds `maxBytes`. */
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
  new DomainError('payload_too_large', `The body is larger than ${sizeOf(maxBytes)}.`)

const sizeOf = (bytes: number): string =>
  bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes / 1000} kB`

const invalid = (message: string) => new DomainError('invalid_json', message)
