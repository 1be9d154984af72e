import { errors } from 'undici'
import { RefusedAddressError } from './guard.ts'
import { UnsignedError } from './sign.ts'

/**
 * Why an attempt failed, as its owner reads it.
 * `timeout` no complete answer in time; `dns` the name has no address; `connection` refused or cut
 * before an answer; `tls` certificate or handshake; `refused_address` not on the public internet;
 * `http` an answer other than 2xx; `protocol` an answer that is not HTTP; `body` an answer cut off;
 * `unsigned` the endpoint's key could not be read, so nothing was sent: rotate it.
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

/** Names what undici, the socket or the guard threw before an answer came. */
export const deliveryErrorKind = (error: unknown): DeliveryErrorKind => {
  // Errors wrap each other a few levels deep at most; the bound is against a cycle.
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof RefusedAddressError) return 'refused_address'
    if (at instanceof UnsignedError) return 'unsigned'
    if (at instanceof errors.HTTPParserError) return 'protocol'
    // Whatever a name server did: it may have refused a connection too.
    if ('syscall' in at && String(at.syscall).startsWith('query')) return 'dns'
    const code = 'code' in at && typeof at.code === 'string' ? at.code : ''
    const found = KINDS.find(([pattern]) => pattern.test(code))
    if (found) return found[1]
  }
  return 'connection'
}

/** Whether an open connection ended before an answer, which says nothing of the receiver. */
export const hasBroken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(error.code)
