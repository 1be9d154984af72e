import { createHmac, hkdfSync } from 'node:crypto'
import type { SecretBox } from '../kernel/ports/secrets.ts'

/**
 * Hashes a text with keys from SECRET and SECRET_PREVIOUS, without which an attacker cannot guess
 * the text. Only the first hash is stored. Searches compare both.
 */
export type KeyedHash = (text: string) => [string, string]

/** HMAC-SHA256 in hex. Each purpose has its own key, derived with HKDF-SHA256 (RFC 5869). */
export const createKeyedHash = ({ values }: SecretBox, purpose: string): KeyedHash => {
  const derive = (secret: string) =>
    Buffer.from(hkdfSync('sha256', secret, 'fundproof', `keyed-hash/${purpose}`, 32))
  const keys = new Map(values().map((secret) => [secret, derive(secret)]))
  const hash = (secret: string, text: string) =>
    createHmac('sha256', keys.get(secret) ?? '')
      .update(text, 'utf8')
      .digest('hex')
  return (text) => {
    const [first, second] = values()
    return [hash(first, text), hash(second, text)]
  }
}
