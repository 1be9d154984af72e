import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompressSync, gzip, gzipSync } from 'node:zlib'

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

/** The content codings, by their names in HTTP. */
type Coding = 'br' | 'gzip'

const COMPRESS_ONCE: Readonly<Record<Coding, (plain: Buffer) => Buffer<ArrayBuffer>>> = {
  // Without options, brotli takes its best and slowest quality.
  br: (plain) => brotliCompressSync(plain),
  gzip: (plain) => gzipSync(plain, { level: LEVEL_ONCE }),
}

/**
 * Returns a function that answers each caller with `text`, which is compressed only once in each of
 * the `codings`, the best one first. The plain and each compressed form have separate ETags (RFC
 * 9110, section 8.8.3.3). A caller that already has the current text gets the status 304.
 */
export const keepText = (
  type: string,
  text: string,
  headers: Readonly<Record<string, string>>,
  codings: readonly Coding[] = ['gzip'],
): ((header: Header) => KeptAnswer) => {
  const plain = Buffer.from(text)
  const short = new Map(codings.map((coding) => [coding, COMPRESS_ONCE[coding](plain)]))
  const tag = tagOf(plain)
  return (header) => {
    const coding = codingFor(header, codings)
    const { isKnown, all } = formFor(header, coding, tag, type, headers)
    if (isKnown) return { status: 304, headers: all }
    return answerOf((coding && short.get(coding)) ?? plain, all)
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
  const coding = codingFor(header, ['gzip'])
  const { isKnown, all } = formFor(header, coding, tagOf(plain), type, headers)
  if (isKnown) return { status: 304, headers: all }
  return answerOf(coding ? await compress(plain, { level: LEVEL_EACH }) : plain, all)
}

const answerOf = (
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): KeptAnswer => ({ status: 200, bytes, headers })

const tagOf = (plain: Buffer): string =>
  createHash('sha256').update(plain).digest('base64url').slice(0, TAG_LENGTH)

/**
 * Returns the headers of the answer, and whether the caller already has this text in this coding
 * (`If-None-Match`).
 */
const formFor = (
  header: Header,
  coding: Coding | undefined,
  tag: string,
  type: string,
  headers: Readonly<Record<string, string>>,
) => {
  const etag = coding ? `"${tag}-${coding}"` : `"${tag}"`
  const isKnown = isNamedBy(header('if-none-match') ?? '', etag)
  const vary = [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  const about = { 'Content-Type': type, ...(coding ? { 'Content-Encoding': coding } : {}) }
  const all = { ...headers, ETag: etag, Vary: vary, ...(isKnown ? {} : about) }
  return { isKnown, all }
}

/**
 * The coding that `Accept-Encoding` prefers, by name or by `*` (RFC 9110, section 12.5.3). If two
 * codings have equal weights, the first of them in `codings`. Undefined if the caller accepts none
 * of them.
 */
const codingFor = (header: Header, codings: readonly Coding[]): Coding | undefined => {
  const weights = new Map(
    (header('accept-encoding') ?? '').split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [coding.replace(/^x-gzip$/, 'gzip'), Number(weight ?? 1)]
    }),
  )
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0
  // A weight that is not a number (NaN) is not above zero, so it counts as a refusal.
  const taken = codings.filter((coding) => weightOf(coding) > 0)
  return taken.toSorted((one, other) => weightOf(other) - weightOf(one))[0]
}

/** Whether `If-None-Match` has this ETag, by weak comparison (RFC 9110, section 13.1.2). */
export const isNamedBy = (tags: string, etag: string): boolean =>
  tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
