import type { HonoRequest } from 'hono'
import { DomainError } from '../kernel/errors.ts'
import type { Settings } from '../kernel/settings.ts'

type LegalSettings = Pick<Settings, 'blockedCountries' | 'countryHeader' | 'publicUrl'>

/**
 * Refuses callers from a blocked country. The header is one that the proxy in front sets, whatever
 * a caller sent by that name; where it is missing, nothing is known and nobody is refused.
 *
 * @throws DomainError `blocked_for_legal_reasons`
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

/** RFC 7725, section 4: who blocks. */
export const blockedByLink = ({ publicUrl }: LegalSettings): string =>
  `<${new URL('/', publicUrl).href}>; rel="blocked-by"`
