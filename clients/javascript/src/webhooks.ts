import { ConfigurationError, WebhookVerificationError } from './errors.ts'
import type { FundproofEvent } from './generated/types.ts'
import { objectOf } from './json.ts'
import { knowsOnly } from './known-names.ts'
import { badSecret, fromBase64, importKey, toBase64, type WebhookKey } from './webhook-keys.ts'

export { type WebhookReason, WebhookVerificationError } from './errors.ts'
export type * from './generated/types.ts'

/**
 * The headers of a request: a `Headers` object, the headers object of Node, or a map or list of
 * pairs.
 */
export type WebhookHeaders =
  | Headers
  | Iterable<readonly [string, string | readonly string[]]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /**
   * The most seconds between the signature and now, in both directions. The default is 300. With
   * null the time is not compared.
   */
  tolerance?: number | null | undefined
  /** The current time, for tests. */
  now?: Date | number | undefined
}

const TOLERANCE_S = 300
/**
 * At most this many signatures are checked, because each check takes time. The service sends one
 * signature for each key.
 */
const MAX_SIGNATURES = 16
const encoder = new TextEncoder()

/**
 * Checks that a request comes from Fundproof, and returns its event.
 *
 * @param rawBody the body as it arrived, text or bytes. A parsed body cannot be checked
 * @param secret the endpoint's `secret` (`whsec_…`) or `publicKey` (`whpk_…`), or several of them
 * @throws WebhookVerificationError with a `reason`; answer such a request with status 400
 * @throws ConfigurationError if `tolerance` is no time
 * @example const event = await verify(await request.text(), request.headers, secret)
 */
export const verify = async (
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<FundproofEvent> => {
  const limits = checkOptions(options)
  const body = bytesOf(rawBody)
  const keys = await Promise.all([secret].flat().map((one) => importKey(one)))
  if (keys.length === 0 || keys.some(({ verify: fits }) => !fits)) throw badSecret()
  const found = readHeaders(headers)
  checkTime(found.timestamp, limits)
  const content = signedContent(found.id, found.timestamp, body)
  for (const signature of found.signature.split(/,?\s+/, MAX_SIGNATURES)) {
    for (const key of keys) {
      if (await isSignedBy(key, signature, content)) {
        const event = objectOf(body)
        if (event) return event as FundproofEvent
        throw new WebhookVerificationError(
          'not_raw',
          'The signature fits, but this is no JSON object.',
        )
      }
    }
  }
  throw new WebhookVerificationError(
    'no_match',
    'No signature fits. Is it the secret of this endpoint, and the body as it arrived?',
  )
}

export type SignOptions = {
  /** The id of the event. Default: a new id. */
  id?: string | undefined
  /** The time of the signature. Default: now. */
  timestamp?: Date | undefined
}

/**
 * Signs a body as Fundproof does, for tests of your receiver. Returns the three headers.
 *
 * @param secret the endpoint's secret (`whsec_…`), or an Ed25519 private key (`whsk_…`)
 */
export const sign = async (
  rawBody: string | Uint8Array | ArrayBuffer,
  secret: string,
  { id = `test_${Date.now()}`, timestamp = new Date() }: SignOptions = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const key = await importKey(secret)
  if (!key.sign) {
    throw new WebhookVerificationError('bad_secret', 'A public key cannot sign: pass a secret.')
  }
  const seconds = String(Math.floor(timestamp.getTime() / 1_000))
  const signature = await key.sign(signedContent(id, seconds, bytesOf(rawBody)))
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `${key.version},${toBase64(signature)}`,
  }
}

/** The text `<id>.<time in seconds>.<body>`, which Standard Webhooks signs. */
const signedContent = (
  id: string,
  timestamp: string,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

const isSignedBy = async (
  { version, verify: fits }: WebhookKey,
  signature: string,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  if (!fits || !signature.startsWith(`${version},`)) return false
  const bytes = fromBase64(signature.slice(version.length + 1))
  return bytes !== null && (await fits(bytes, content))
}

const bytesOf = (rawBody: unknown): Uint8Array<ArrayBuffer> => {
  if (typeof rawBody === 'string') return encoder.encode(rawBody)
  if (rawBody instanceof Uint8Array || rawBody instanceof ArrayBuffer)
    return new Uint8Array(rawBody)
  throw new WebhookVerificationError(
    'not_raw',
    'Pass the raw body, before it is parsed: with Express use express.raw(), with fetch-style handlers await request.text().',
  )
}

type SignatureHeaders = { id: string; timestamp: string; signature: string }

const readHeaders = (headers: WebhookHeaders): SignatureHeaders => {
  const isIterable = Symbol.iterator in headers
  const pairs = [...(isIterable ? headers : Object.entries(headers))] as [string, unknown][]
  const find = (wanted: string): string => {
    const values = pairs.filter(([name]) => name.toLowerCase() === wanted)
    const text = values.flatMap(([, value]) => value).join(' ')
    if (text !== '') return text
    throw new WebhookVerificationError(
      'no_signature',
      `The header ${wanted} is missing: this request is not from Fundproof, or a proxy drops headers.`,
    )
  }
  return {
    id: find('webhook-id'),
    timestamp: find('webhook-timestamp'),
    signature: find('webhook-signature'),
  }
}

type Limits = { tolerance: number | null; nowMs: number }

/** Checks the options. Without this check, NaN would accept any time. */
const checkOptions = (options: VerifyOptions): Limits => {
  knowsOnly(options, ['tolerance', 'now'])
  const { tolerance = TOLERANCE_S, now = Date.now() } = options
  const nowMs = Number(now)
  if (
    (tolerance === null || (Number.isFinite(tolerance) && tolerance >= 0)) &&
    Number.isFinite(nowMs)
  )
    return { tolerance, nowMs }
  throw new ConfigurationError('tolerance must be seconds from 0, or null, and now must be a time.')
}

const checkTime = (timestamp: string, { tolerance, nowMs }: Limits): void => {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      'bad_timestamp',
      'The header webhook-timestamp is not a time in seconds.',
    )
  }
  if (tolerance === null) return
  const age = Math.floor(nowMs / 1_000) - Number(timestamp)
  if (age > tolerance) {
    throw new WebhookVerificationError(
      'too_old',
      `The signature is ${age} seconds old, and ${tolerance} are allowed. Is it a replay, or is your clock wrong?`,
    )
  }
  if (age < -tolerance) {
    throw new WebhookVerificationError(
      'too_new',
      `The signature is ${-age} seconds in the future, and ${tolerance} are allowed. Is your clock wrong?`,
    )
  }
}
