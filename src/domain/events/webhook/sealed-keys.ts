import type { WebhookEndpoint } from '../../../db/schema/events.ts'
import { type SecretBox, tryToOpen } from '../../../kernel/ports/secrets.ts'
import {
  newWebhookKeyPair,
  newWebhookSecret,
  type Signer,
  signerOf,
} from '../../../webhooks/index.ts'

/** The columns of an endpoint with encrypted keys and headers. */
export type SealedKeys = Pick<
  WebhookEndpoint,
  'secretSealed' | 'previousSecretSealed' | 'previousSecretUntil' | 'headersSealed'
>

/**
 * Makes a key for an endpoint. `sealed` is the encrypted key for the database. `hmac` has a shared
 * `secret` (`whsec_`). Other endpoints have a key pair with a `publicKey` (`whpk_`).
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
 * The signers of an endpoint: its key and, for a day after a rotation, the previous key. Leaves out
 * keys that were encrypted with another value of the setting SECRET.
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

/** Encrypts the headers of an endpoint. Null if there are no headers. */
export const sealHeaders = (
  secrets: SecretBox,
  headers: Readonly<Record<string, string>>,
): string | null =>
  Object.keys(headers).length === 0 ? null : secrets.seal(JSON.stringify(headers))

/** Decrypts headers. Returns {} if the setting SECRET has changed since they were encrypted. */
export const openHeaders = (secrets: SecretBox, sealed: string | null): Record<string, string> => {
  const opened = sealed === null ? undefined : tryToOpen(secrets, sealed)
  return opened === undefined ? {} : JSON.parse(opened)
}
