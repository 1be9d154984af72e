import type { PageRequest } from '../edge/page-route.ts'
import { isStorableText, MAX_ANONYMOUS_BODY_BYTES, readUpload } from '../edge/request/body.ts'
import { DomainError } from '../kernel/errors.ts'

const FORM = { types: ['application/x-www-form-urlencoded'], maxBytes: MAX_ANONYMOUS_BODY_BYTES }

/**
 * Reads the fields of a posted form (URL Standard, section 5).
 *
 * @throws DomainError `unsupported_media_type` or `payload_too_large`; `invalid_input` as
 *   `refuseUnstorable` does
 */
export const readForm = async (req: PageRequest): Promise<URLSearchParams> => {
  const bytes = await readUpload(req, FORM)
  const form = new URLSearchParams(new TextDecoder().decode(bytes))
  refuseUnstorable([...form])
  return form
}

/** @throws DomainError `invalid_input` if a value has characters that Postgres cannot store */
export const refuseUnstorable = (values: readonly (readonly [string, string])[]): void => {
  for (const [name, value] of values) {
    if (isStorableText(value)) continue
    throw new DomainError('invalid_input', 'A field has characters that cannot be stored.', [
      { path: name, message: 'has characters that cannot be stored' },
    ])
  }
}
