import { createHmac, hkdfSync } from 'node:crypto'

/** A hash that needs the deployment's SECRET, so that guesses cannot be tested without it. */
export type KeyedHash = (text: string) => string

/** HMAC-SHA256 in hex, under a key of its own for each purpose (HKDF-SHA256, RFC 5869). */
export const createKeyedHash = (secret: string, purpose: string): KeyedHash => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'fundproof', `keyed-hash/${purpose}`, 32))
  return (text) => createHmac('sha256', key).update(text, 'utf8').digest('hex')
}
