import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { StartError } from '../errors.ts'

type Cipher = { seal(plain: string): string; open(sealed: string): string }

/** Encrypts small secrets (webhook keys, signing keys, mail) before they are stored. */
export type SecretBox = Cipher & {
  /**
   * Returns the text encrypted with SECRET if SECRET_PREVIOUS has encrypted it, and undefined
   * otherwise.
   */
  renew(sealed: string): string | undefined
  /** From now on encrypts with the value of SECRET or SECRET_PREVIOUS that opens `sealed`. */
  follow(sealed: string): void
  /** The values of SECRET and SECRET_PREVIOUS, which may be equal. The first value encrypts now. */
  values(): [string, string]
}

const VERSION = 'v1'
const WRONG_SECRET =
  'Wrong setting: SECRET is not the SECRET of this database, so its keys cannot be opened. If SECRET was changed, SECRET_PREVIOUS must be its earlier value until `npm run admin -- rotate-secret` has ended.'

/** Creates a box that opens texts of both values. `open` throws StartError for any other text. */
export const createSecretBox = (secret: string, previous = secret): SecretBox => {
  const [fresh, old] = [createCipher(secret), createCipher(previous)]
  let current = fresh
  const isOld = (sealed: string) =>
    tryToOpen(fresh, sealed) === undefined && tryToOpen(old, sealed) !== undefined
  return {
    seal: (plain) => current.seal(plain),
    open(sealed) {
      const plain = tryToOpen(fresh, sealed) ?? tryToOpen(old, sealed)
      if (plain === undefined) throw new StartError(WRONG_SECRET)
      return plain
    },
    renew: (sealed) => (isOld(sealed) ? fresh.seal(old.open(sealed)) : undefined),
    follow(sealed) {
      current = isOld(sealed) ? old : fresh
    },
    values: () => (current === old ? [previous, secret] : [secret, previous]),
  }
}

/** Decrypts a text. Returns undefined if it was encrypted with another secret. */
export const tryToOpen = (secrets: Cipher, sealed: string): string | undefined => {
  try {
    return secrets.open(sealed)
  } catch {
    return undefined
  }
}

/**
 * Encrypts with AES-256-GCM and a key derived from `secret` (HKDF-SHA256, RFC 5869). A sealed text
 * is `v1.<nonce>.<ciphertext and tag>` in base64url.
 */
const createCipher = (secret: string): Cipher => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'fundproof', 'secret-box', 32))
  return {
    seal(plain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return [
        VERSION,
        nonce.toString('base64url'),
        Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url'),
      ].join('.')
    },
    open(sealed) {
      const [version, nonce = '', body = ''] = sealed.split('.')
      if (version !== VERSION) throw new Error('A sealed secret has an unknown version.')
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
      decipher.setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
