import type { PageRequest } from '../http/page-route.ts'
import { MAX_ANONYMOUS_BODY_BYTES, readUpload } from '../http/request/body.ts'
import { DomainError } from '../kernel/errors.ts'

const FORM = { types: ['application/x-www-form-urlencoded'], maxBytes: MAX_ANONYMOUS_BODY_BYTES }

/**
 * Reads the fields of a posted form (URL Standard, section 5).
 *
 * @throws DomainError `unsupported_media_type` or `payload_too_large`; `invalid_input` if a field
 *   has NUL characters, which Postgres cannot store
 */
export const readForm = async (req: PageRequest): Promise<URLSearchParams> => {
  const bytes = await readUpload(req, FORM)
  const form = new URLSearchParams(new TextDecoder().decode(bytes))
  for (const [name, value] of form) {
    if (!value.includes('\0')) continue
    throw new DomainError('invalid_input', 'A field has characters that cannot be stored.', [
      { path: name, message: 'has characters that cannot be stored' },
    ])
  }
  return form
}
