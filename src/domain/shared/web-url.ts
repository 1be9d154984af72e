import { z } from 'zod'

/** This limit applies to characters and to bytes. A non-ASCII character has several bytes. */
const MAX_BYTES = 2_000
/** Refuses white space, control characters and backslashes, which URL parsers read differently. */
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
