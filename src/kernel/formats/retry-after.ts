/**
 * Reads a `Retry-After` header: seconds, or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @returns milliseconds from `now`, never negative; null if the header is missing or cannot be read
 */
export const parseRetryAfter = (
  header: string | string[] | undefined,
  now: Date,
): number | null => {
  const text = (Array.isArray(header) ? header[0] : header)?.trim()
  if (text === undefined || text === '') return null
  if (/^\d{1,10}(\.\d{1,3})?$/.test(text)) return Math.round(Number(text) * 1_000)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
