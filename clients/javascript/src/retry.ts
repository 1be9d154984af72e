import { AbortError, ApiError, ConnectionError, type FundproofError } from './errors.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000

const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504]
/**
 * The conflicts that end by themselves. After another conflict, only a changed request can succeed.
 */
const RETRYABLE_CONFLICTS = ['idempotency_in_progress', 'proof_not_ready']

/** Whether the same request can succeed later. */
export const isRetryable = (error: FundproofError): boolean => {
  if (error instanceof AbortError) return false
  if (error instanceof ConnectionError) return true
  if (!(error instanceof ApiError)) return false
  return (
    RETRYABLE_STATUSES.includes(error.status) ||
    (error.status === 409 && RETRYABLE_CONFLICTS.includes(error.code ?? ''))
  )
}

/**
 * The pause before a retry in milliseconds: exactly the time in `Retry-After`, or else an
 * exponential backoff, which also replaces a time of 0. Null if the service asks for more than
 * `maxRetryAfter`.
 *
 * @param retries the number of earlier retries
 */
export const pauseBefore = (
  error: FundproofError,
  retries: number,
  { maxRetryAfter, random }: { maxRetryAfter: number; random: () => number },
): number | null => {
  const asked = error instanceof ApiError ? error.retryAfter : null
  if (asked) return asked <= maxRetryAfter ? asked : null
  return backoff(retries, random)
}

/** Doubles the pause with each retry, and takes 50 to 100 % of it at random. */
export const backoff = (retries: number, random: () => number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries) * (0.5 + random() / 2)

/**
 * The milliseconds of a header `Retry-After`, which is in seconds or a date (RFC 9110, section
 * 10.2.3). Null without a header and for another form.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | null => {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  if (!HTTP_DATE.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

/** `Date.parse` also reads texts that are no HTTP date, for example `-5`. */
const HTTP_DATE = /^\w{3,9},? .*\d{2}:\d{2}:\d{2}/
