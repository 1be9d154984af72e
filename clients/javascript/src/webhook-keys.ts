import { WebhookVerificationError } from './errors.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Version = 'v1' | 'v1a'

/** A secret or key of an endpoint. Only secrets and private keys can sign. */
export type WebhookKey = {
  version: Version
  /** Whether a signature is valid. The check of every wrong signature takes the same time. */
  verify?: (signature: Bytes, content: Bytes) => Promise<boolean>
  sign?: (content: Bytes) => Promise<Bytes>
}

const SECRET = 'whsec_'
const PUBLIC_KEY = 'whpk_'
const PRIVATE_KEY = 'whsk_'
const ED25519_BYTES = 32

/** The bytes before the seed of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const PKCS8_HEAD = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]

/**
 * Reads a secret (`whsec_…`), a public key (`whpk_…`) or a private key (`whsk_…`), as Standard
 * Webhooks writes them.
 *
 * @throws WebhookVerificationError with the reason `bad_secret`
 */
export const importKey = async (secret: unknown): Promise<WebhookKey> => {
  if (typeof secret !== 'string') throw badSecret()
  if (secret.startsWith(SECRET)) return hmacKey(bytesAfter(SECRET, secret))
  if (secret.startsWith(PUBLIC_KEY)) return publicKey(bytesAfter(PUBLIC_KEY, secret))
  if (secret.startsWith(PRIVATE_KEY)) return privateKey(bytesAfter(PRIVATE_KEY, secret))
  throw badSecret()
}

const hmacKey = async (bytes: Bytes): Promise<WebhookKey> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
  return {
    version: 'v1',
    verify: (signature, content) => crypto.subtle.verify('HMAC', key, signature, content),
    sign: async (content) => new Uint8Array(await crypto.subtle.sign('HMAC', key, content)),
  }
}

const publicKey = async (bytes: Bytes): Promise<WebhookKey> => {
  if (bytes.length !== ED25519_BYTES) throw badSecret()
  const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
  return {
    version: 'v1a',
    verify: (signature, content) => crypto.subtle.verify('Ed25519', key, signature, content),
  }
}

/** Some programs append the public key to the seed. */
const privateKey = async (bytes: Bytes): Promise<WebhookKey> => {
  if (bytes.length < ED25519_BYTES) throw badSecret()
  const pkcs8 = new Uint8Array([...PKCS8_HEAD, ...bytes.slice(0, ED25519_BYTES)])
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  return {
    version: 'v1a',
    sign: async (content) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, content)),
  }
}

const bytesAfter = (prefix: string, secret: string): Bytes => {
  const bytes = fromBase64(secret.slice(prefix.length))
  if (!bytes || bytes.length === 0) throw badSecret()
  return bytes
}

/** The error for a secret or key that cannot be used. */
export const badSecret = (): WebhookVerificationError =>
  new WebhookVerificationError(
    'bad_secret',
    `Pass the endpoint's secret (${SECRET}…) or publicKey (${PUBLIC_KEY}…), whole and unchanged.`,
  )

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/

/** Decodes base64 (RFC 4648, section 4). Returns null for another text. */
export const fromBase64 = (text: string): Bytes | null =>
  BASE64.test(text) ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) : null

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
