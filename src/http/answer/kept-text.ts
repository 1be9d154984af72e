import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

type Header = (name: string) => string | undefined

type KeptAnswer = {
  status: 200 | 304
  headers: Readonly<Record<string, string>>
  bytes?: Uint8Array<ArrayBuffer>
}

/** The length of the hash in an ETag: 27 base64 characters are about 160 bits. */
const TAG_LENGTH = 27

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
  const short = gzipSync(plain, { level: 9 })
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, TAG_LENGTH)
  return (header) => {
    const gzip = takesGzip(header('accept-encoding') ?? '')
    const etag = gzip ? `"${tag}-gzip"` : `"${tag}"`
    const vary = [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ')
    const common = { ...headers, ETag: etag, Vary: vary }
    if (isNamedBy(header('if-none-match') ?? '', etag)) {
      return { status: 304, headers: common }
    }
    return {
      status: 200,
      bytes: gzip ? short : plain,
      headers: { ...common, 'Content-Type': type, ...(gzip ? { 'Content-Encoding': 'gzip' } : {}) },
    }
  }
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
