import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'

type Header = (name: string) => string | undefined

type KeptAnswer = {
  status: 200 | 304
  headers: Readonly<Record<string, string>>
  bytes?: Uint8Array<ArrayBuffer>
}

/** The length of the hash in an ETag: 27 base64 characters are about 160 bits. */
const TAG_LENGTH = 27
/** A text that is compressed for each caller gets less work than a text that is compressed once. */
const LEVEL_ONCE = 9
const LEVEL_EACH = 5

const compress = promisify(gzip)

/**
 * Returns a function that answers each caller with `text`, which is compressed only once. The plain
 * and the compressed form have separate ETags (RFC 9110, section 8.8.3.3). A caller that already
 * has the current text gets the status 304.
 */
export const keepText = (
  type: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): ((header: Header) => KeptAnswer) => {
  const plain = Buffer.from(text)
  const short = gzipSync(plain, { level: LEVEL_ONCE })
  const tag = tagOf(plain)
  return (header) => {
    const { isKnown, isShort, all } = formFor(header, tag, type, headers)
    return isKnown ? { status: 304, headers: all } : answerOf(isShort ? short : plain, all)
  }
}

/** Answers one caller with `text`, as `keepText` does. Compresses only what is sent compressed. */
export const answerText = async (
  type: string,
  text: string,
  headers: Readonly<Record<string, string>>,
  header: Header,
): Promise<KeptAnswer> => {
  const plain = Buffer.from(text)
  const { isKnown, isShort, all } = formFor(header, tagOf(plain), type, headers)
  if (isKnown) return { status: 304, headers: all }
  return answerOf(isShort ? await compress(plain, { level: LEVEL_EACH }) : plain, all)
}

const answerOf = (
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): KeptAnswer => ({ status: 200, bytes, headers })

const tagOf = (plain: Buffer): string =>
  createHash('sha256').update(plain).digest('base64url').slice(0, TAG_LENGTH)

/** Whether a caller has the text already, whether it gets the compressed form, and the headers. */
const formFor = (
  header: Header,
  tag: string,
  type: string,
  headers: Readonly<Record<string, string>>,
) => {
  const isShort = takesGzip(header('accept-encoding') ?? '')
  const etag = isShort ? `"${tag}-gzip"` : `"${tag}"`
  const isKnown = isNamedBy(header('if-none-match') ?? '', etag)
  const vary = [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  const about = { 'Content-Type': type, ...(isShort ? { 'Content-Encoding': 'gzip' } : {}) }
  const all = { ...headers, ETag: etag, Vary: vary, ...(isKnown ? {} : about) }
  return { isKnown, isShort, all }
}

/** Whether `Accept-Encoding` allows gzip, by name or by `*` (RFC 9110, section 12.5.3). */
const takesGzip = (accepted: string): boolean => {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [coding, Number(weight ?? 1)]
    }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** Whether `If-None-Match` has this ETag, by weak comparison (RFC 9110, section 13.1.2). */
export const isNamedBy = (tags: string, etag: string): boolean =>
  tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
