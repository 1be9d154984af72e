import type { HonoRequest } from 'hono'

const MAX_AGE_S = 600

/** Headers that a page of another origin may read. */
const EXPOSED = [
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
].join(', ')
const ALLOWED =
  'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, traceparent, X-API-Key, X-Request-Id'

/**
 * Allows cross-origin requests from `origins`: `*` allows every origin, and an empty list allows no
 * origin. The service uses no cookies, so a page of another origin cannot act for a user.
 */
export const createCors = (origins: readonly string[]) => {
  const allowed = new Set(origins)
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (allowed.has('*') || allowed.has(origin))
  return {
    /** Adds the CORS headers of every answer to `headers`. */
    apply(req: HonoRequest, headers: Record<string, string>): void {
      if (allowed.size === 0) return
      headers.Vary = `Origin, ${headers.Vary}`
      const origin = req.header('origin')
      if (!isAllowed(origin)) return
      headers['Access-Control-Allow-Origin'] = origin
      headers['Access-Control-Expose-Headers'] = EXPOSED
      headers['Cross-Origin-Resource-Policy'] = 'cross-origin'
    },
    /** The headers that answer a preflight. Undefined for other requests and refused origins. */
    preflight(req: HonoRequest, methods: readonly string[]) {
      if (!isAllowed(req.header('origin'))) return undefined
      if (req.header('access-control-request-method') === undefined) return undefined
      return {
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': ALLOWED,
        'Access-Control-Max-Age': String(MAX_AGE_S),
      }
    },
  }
}
