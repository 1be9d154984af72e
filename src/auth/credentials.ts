import { createHash, randomBytes } from 'node:crypto'
import { createKeyedHash } from './keyed-hash.ts'
import { refusePassword } from './password-rules.ts'
import { createPasswords } from './passwords.ts'

/** What signing in needs of cryptography: made for the port `Credentials` of the user's verbs. */
export const createCredentials = (secret: string) => {
  const keyed = createKeyedHash(secret, 'email-code')
  const digits = createKeyedHash(secret, 'email-code-digits')
  return {
    passwords: createPasswords(),
    refusePassword,
    codeOf: (seed: string) =>
      (BigInt(`0x${digits(seed)}`) % 1_000_000n).toString().padStart(6, '0'),
    /** Keyed: six digits under a bare hash would be found in a second. */
    hashCode: (owner: string, code: string) => keyed(`${owner}:${code}`),
    newRefreshToken: () => randomBytes(32).toString('base64url'),
    /** Bare SHA-256 is enough for 256 random bits. */
    hashRefreshToken: (token: string) => createHash('sha256').update(token, 'utf8').digest('hex'),
  }
}
