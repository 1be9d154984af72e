import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts small secrets (webhook keys, signing keys, mail) before they are stored. */
export type SecretBox = { seal(plain: string): string; open(sealed: string): string }

const VERSION = 'v1'

/**
 * Encrypts with AES-256-GCM and a key derived from `secret` (HKDF-SHA256, RFC 5869). A sealed text
 * is `v1.<nonce>.<ciphertext and tag>` in base64url.
 */
export const createSecretBox = (secret: string): SecretBox => {
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
