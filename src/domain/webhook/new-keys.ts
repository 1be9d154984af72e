import type { SecretBox } from '../../kernel/secrets.ts'
import { newWebhookKeyPair, newWebhookSecret, type Signing } from '../../webhooks/index.ts'

/** A new key of an endpoint: sealed for the database, and the part that its owner sees once. */
export type NewKey = {
  sealed: string
  /** `whpk_`; null for a shared secret. */
  publicKey: string | null
  /** `whsec_`; null for a key pair, whose private half never leaves this service. */
  secret: string | null
}

export const newKey = (secrets: SecretBox, signing: Signing): NewKey => {
  if (signing === 'hmac') {
    const secret = newWebhookSecret()
    return { sealed: secrets.seal(secret), publicKey: null, secret }
  }
  const { privateKey, publicKey } = newWebhookKeyPair()
  return { sealed: secrets.seal(privateKey), publicKey, secret: null }
}
