import { createHash, randomBytes } from 'node:crypto'
import type { SecretBox } from '../kernel/ports/secrets.ts'
import { createKeyedHash } from './keyed-hash.ts'
import { refusePassword } from './password-rules.ts'
import { createPasswords } from './passwords.ts'

/** Implements the port `Credentials` of the domain: the cryptography that a sign-in needs. */
export const createCredentials = (secrets: SecretBox, passwords = createPasswords()) => {
  const keyed = createKeyedHash(secrets, 'email-code')
  const digits = createKeyedHash(secrets, 'email-code-digits')
  return {
    passwords,
    refusePassword,
    codeOf: (seed: string) =>
      (BigInt(`0x${digits(seed)[0]}`) % 1_000_000n).toString().padStart(6, '0'),
    /** Needs a key from SECRET, because a plain hash of six digits can be reversed in a second. */
    hashCode: (owner: string, code: string) => keyed(`${owner}:${code}`),
    newSessionToken: () => randomBytes(32).toString('base64url'),
    /** SHA-256 without a key or salt is enough, because a token has 256 random bits. */
    hashSessionToken: (token: string) => createHash('sha256').update(token, 'utf8').digest('hex'),
  }
}
