export const MAX_HEADERS = 10
const MAX_NAME_LENGTH = 64
const MAX_VALUE_LENGTH = 1_000

/** A valid header name: a token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
/** A valid header value is printable ASCII, is not empty, and has no spaces at its ends. */
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Headers that an endpoint cannot add, because this service, HTTP or a proxy sets them. */
const RESERVED = new Set([
  'accept-encoding',
  'baggage',
  'connection',
  'cookie',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-real-ip',
  'x-request-id',
])
const RESERVED_PREFIXES = ['content-', 'webhook-', 'proxy-', 'sec-', 'x-forwarded-']

/** The reason why an endpoint cannot add a header. Undefined if the header is allowed. */
export const headerProblem = (name: string, value: string): string | undefined => {
  const lower = name.toLowerCase()
  if (!TOKEN.test(name)) return 'is not the name of a header'
  if (name.length > MAX_NAME_LENGTH) return `has a name of over ${MAX_NAME_LENGTH} characters`
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return 'is reserved'
  }
  if (value.length > MAX_VALUE_LENGTH) return `is longer than ${MAX_VALUE_LENGTH} characters`
  if (!PRINTABLE.test(value)) return 'is empty, or holds more than printable ASCII'
  return undefined
}
