import { createHmac, hkdfSync } from 'node:crypto'

/** Hashes a text with a key from SECRET. Without SECRET, an attacker cannot guess the text. */
export type KeyedHash = (text: string) => string

/** HMAC-SHA256 in hex. Each purpose has its own key, derived with HKDF-SHA256 (RFC 5869). */
export const createKeyedHash = (secret: string, purpose: string): KeyedHash => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'fundproof', `keyed-hash/${purpose}`, 32))
  return (text) => createHmac('sha256', key).update(text, 'utf8').digest('hex')
}
