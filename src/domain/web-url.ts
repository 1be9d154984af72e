import { z } from 'zod'

/** The limit in bytes, because a URL with non-ASCII characters has more bytes than characters. */
const MAX_BYTES = 2_000
/** Allows no white space, control characters or backslashes, on which URL parsers disagree. */
const PLAIN_WEB_URL = /^https?:\/\/[^\s\p{Cc}\\"<>^`{|}]+$/iu

/**
 * A web address for people: http or https, without credentials, stored unchanged. The service
 * never opens it.
 */
export const WebUrl = z
  .string()
  .max(MAX_BYTES)
  .refine(isWebUrl, { error: 'must be an http or https address without credentials' })
  .refine((text) => Buffer.byteLength(text) <= MAX_BYTES, {
    error: `must have at most ${MAX_BYTES} bytes`,
  })
  .meta({ format: 'uri', examples: ['https://example.org/report.pdf'] })

function isWebUrl(text: string): boolean {
  const url = PLAIN_WEB_URL.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}
