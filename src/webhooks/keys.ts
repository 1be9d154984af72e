import {
  createPrivateKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { createLru } from '../kernel/lru.ts'

/**
 * A key is base64 text after a prefix, by Standard Webhooks 1.0.0 ("Signature scheme"):
 * - `whsec_`: a shared secret
 * - `whsk_`: an Ed25519 private key in libsodium's form (a 32-byte seed, then the public key)
 * - `whpk_`: an Ed25519 public key of 32 bytes
 */
const SECRET_PREFIX = 'whsec_'
const PRIVATE_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'

/** The length of a secret. Standard Webhooks requires 24 to 64 random bytes. */
const SECRET_BYTES = 32
const KEY_BYTES = 32
/**
 * The highest number of cached keys. With a cached key, a signature takes about a third of the time
 * (Ed25519) or a quarter of the time (HMAC).
 */
const MAX_PREPARED = 1_000

/** The key that signs an endpoint's events: a shared secret, or the private key of a pair. */
export type Signer =
  | { readonly kind: 'hmac'; readonly secret: string }
  | { readonly kind: 'ed25519'; readonly privateKey: string }
export type Signing = Signer['kind']

/** Creates a random secret in the form that libraries for Standard Webhooks accept. */
export const newWebhookSecret = (): string =>
  SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** Creates a key pair. The service signs with the private key; receivers use the public key. */
export const newWebhookKeyPair = (): { privateKey: string; publicKey: string } => {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const seed = Buffer.from(d, 'base64url')
  const point = Buffer.from(x, 'base64url')
  return {
    privateKey: PRIVATE_PREFIX + Buffer.concat([seed, point]).toString('base64'),
    publicKey: PUBLIC_PREFIX + point.toString('base64'),
  }
}

/** Makes the signer for a stored key (`whsec_` or `whsk_`). Throws Error for other prefixes. */
export const signerOf = (key: string): Signer => {
  if (key.startsWith(SECRET_PREFIX)) return { kind: 'hmac', secret: key }
  if (key.startsWith(PRIVATE_PREFIX)) return { kind: 'ed25519', privateKey: key }
  throw new Error('A webhook key has an unknown prefix.')
}

/** Creates a function that turns keys into Node.js key objects and caches these objects. */
export const createKeyImport = (): ((signer: Signer) => KeyObject) => {
  const prepared = createLru<KeyObject>(MAX_PREPARED)
  return (signer) => {
    const text = signer.kind === 'hmac' ? signer.secret : signer.privateKey
    const known = prepared.get(text)
    if (known) return known
    const key = signer.kind === 'hmac' ? importSecret(text) : importPrivateKey(text)
    prepared.set(text, key)
    return key
  }
}

const importSecret = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))

/** Imports a private key in the form JWK (RFC 8037), whose fields are the seed and public key. */
const importPrivateKey = (privateKey: string): KeyObject => {
  const bytes = Buffer.from(privateKey.slice(PRIVATE_PREFIX.length), 'base64')
  if (bytes.length !== 2 * KEY_BYTES) throw new Error('A webhook private key is not 64 bytes.')
  const d = bytes.subarray(0, KEY_BYTES).toString('base64url')
  const x = bytes.subarray(KEY_BYTES).toString('base64url')
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
}
