import type { HonoRequest } from 'hono'
import { DomainError } from '../../kernel/errors.ts'
import type { Settings } from '../../kernel/settings.ts'

type LegalSettings = Pick<Settings, 'blockedCountries' | 'countryHeader' | 'publicUrl'>

/**
 * Refuses callers from a blocked country. The proxy in front of this service must always overwrite
 * `countryHeader`, so that a caller cannot choose its value. Requests without this header may pass.
 *
 * @throws DomainError `blocked_for_legal_reasons` if the header names a blocked country
 */
export const refuseCountry = (
  { blockedCountries, countryHeader }: LegalSettings,
  req: HonoRequest,
): void => {
  if (blockedCountries.size === 0 || countryHeader === undefined) return
  const country = req.header(countryHeader)
  if (country === undefined || !blockedCountries.has(country.trim().toUpperCase())) return
  throw new DomainError(
    'blocked_for_legal_reasons',
    'The law forbids us to serve callers from this country.',
  )
}

/** The `Link` header that names this service as the blocking party (RFC 7725, section 4). */
export const blockedByLink = ({ publicUrl }: LegalSettings): string =>
  `<${new URL('/', publicUrl).href}>; rel="blocked-by"`
