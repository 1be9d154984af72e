import { errors } from 'undici'
import { RefusedAddressError } from './guard.ts'
import { UnsignedError } from './sign.ts'

/**
 * The reason of a failed attempt, for the endpoint's owner:
 * - `timeout`: the response was not complete in time
 * - `dns`: the name has no address
 * - `connection`: the connection failed before a response, for example because it was refused
 * - `tls`: the certificate is wrong, or the TLS handshake failed
 * - `refused_address`: webhooks must not call the URL or its address
 * - `http`: the response has a status other than 2xx
 * - `protocol`: the response is not valid HTTP
 * - `body`: the response is incomplete
 * - `unsigned`: no key of the endpoint can be read, so its owner must rotate the key
 */
export const DELIVERY_ERROR_KINDS = [
  'timeout',
  'dns',
  'connection',
  'tls',
  'refused_address',
  'http',
  'protocol',
  'body',
  'unsigned',
] as const
export type DeliveryErrorKind = (typeof DELIVERY_ERROR_KINDS)[number]

const KINDS: readonly [pattern: RegExp, kind: DeliveryErrorKind][] = [
  [/^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [/^(ENOTFOUND|ENODATA|EAI_.*|ESERVFAIL|EREFUSED)$/, 'dns'],
  [/^(EPROTO|ERR_TLS_.*|ERR_SSL_.*|ERR_OSSL_.*|CERT_.*|UNABLE_TO_.*|.*SELF_SIGNED.*)$/, 'tls'],
  [/^(HOSTNAME_MISMATCH|CRL_.*|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/, 'tls'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'protocol'],
]

/** The kind of an error that ended an attempt. Looks at the error and at its causes. */
export const deliveryErrorKind = (error: unknown): DeliveryErrorKind => {
  // Looks at five nested causes at most, because causes may form a cycle.
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof RefusedAddressError) return 'refused_address'
    if (at instanceof UnsignedError) return 'unsigned'
    if (at instanceof errors.HTTPParserError) return 'protocol'
    // The `syscall` of a DNS error begins with `query`, also if no name server answered.
    if ('syscall' in at && String(at.syscall).startsWith('query')) return 'dns'
    const code = 'code' in at && typeof at.code === 'string' ? at.code : ''
    const found = KINDS.find(([pattern]) => pattern.test(code))
    if (found) return found[1]
  }
  return 'connection'
}

/** Whether the connection broke before a response. If so, a resend may succeed. */
export const hasBroken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(error.code)
