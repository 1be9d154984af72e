import { z } from 'zod'

/** In bytes: lists that show addresses stay small beyond ASCII too. */
const MAX_BYTES = 2_000
/** No white space, controls or backslashes: URL parsers disagree on what they mean. */
const PLAIN_WEB_URL = /^https?:\/\/[^\s\p{Cc}\\"<>^`{|}]+$/iu

/**
 * An address that people may follow: http or https, without credentials, kept as it was given.
 * Nothing of the service opens it.
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
