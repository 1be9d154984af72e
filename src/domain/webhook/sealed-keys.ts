import type { WebhookEndpoint } from '../../db/schema/events.ts'
import type { SecretBox } from '../../kernel/ports/secrets.ts'
import { newWebhookKeyPair, newWebhookSecret, type Signer, signerOf } from '../../webhooks/index.ts'

/** Columns of an endpoint: its sealed keys and headers. */
export type SealedKeys = Pick<
  WebhookEndpoint,
  'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil' | 'headersSealed'
>

/**
 * A new key of an endpoint: sealed for the database, and what its owner gets: `publicKey` (`whpk_`)
 * of a key pair, whose private half never leaves this service, or a shared `secret` (`whsec_`).
 */
export const newKey = (secrets: SecretBox, signing: WebhookEndpoint['signing']) => {
  if (signing === 'hmac') {
    const secret = newWebhookSecret()
    return { sealed: secrets.seal(secret), publicKey: null, secret }
  }
  const { privateKey, publicKey } = newWebhookKeyPair()
  return { sealed: secrets.seal(privateKey), publicKey, secret: null }
}

/**
 * The current signers of an endpoint: its key and, for a day, the previous one. Leaves out keys
 * sealed under another SECRET, so that only deliveries of their endpoints fail.
 */
export const openSigners = (secrets: SecretBox, row: SealedKeys, now: Date): Signer[] => {
  const { previousSecretSealed: previous, previousSecretUntil: until } = row
  const sealed = [row.secretSealed]
  if (previous !== null && until !== null && until > now) sealed.push(previous)
  return sealed.flatMap((sealedKey) => {
    const key = tryToOpen(secrets, sealedKey)
    return key === undefined ? [] : [signerOf(key)]
  })
}

/** Encrypts header names and values unchanged. */
export const sealHeaders = (
  secrets: SecretBox,
  headers: Readonly<Record<string, string>>,
): string | null =>
  Object.keys(headers).length === 0 ? null : secrets.seal(JSON.stringify(headers))

/** Empty if they were sealed under another SECRET. */
export const openHeaders = (secrets: SecretBox, sealed: string | null): Record<string, string> => {
  const opened = sealed === null ? undefined : tryToOpen(secrets, sealed)
  return opened === undefined ? {} : JSON.parse(opened)
}

const tryToOpen = (secrets: SecretBox, sealed: string): string | undefined => {
  try {
    return secrets.open(sealed)
  } catch {
    return undefined
  }
}
