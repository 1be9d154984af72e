import { DomainError } from '../../kernel/errors.ts'

const MAX_LENGTH = 255

/**
 * Parses the header `Idempotency-Key`. The standard form is a text in quotes (`"8e03"`, RFC 9651).
 * A text without quotes is also accepted, because most clients send this form.
 *
 * @throws DomainError `idempotency_key_invalid` if the key is not 1 to 255 printable characters
 */
export const parseIdempotencyKey = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(header)?.[1]
  const key = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? header
  const isValid =
    /^[\x20-\x7e]+$/.test(key) &&
    key.length <= MAX_LENGTH &&
    (quoted !== undefined || !header.includes('"'))
  if (isValid) return key
  throw new DomainError(
    'idempotency_key_invalid',
    `An Idempotency-Key is 1 to ${MAX_LENGTH} printable ASCII characters, quoted or bare.`,
  )
}
