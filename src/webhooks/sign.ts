import { createHmac, type KeyObject, sign } from 'node:crypto'
import { createKeyImport, type Signer } from './keys.ts'

/**
 * The data to sign (Standard Webhooks 1.0.0). The text `<id>.<time in seconds>.<body>` is signed.
 * The header `webhook-signature` contains all signatures, separated by spaces. Each has the prefix
 * `v1,` (HMAC-SHA256) or `v1a,` (Ed25519).
 */
export type Signed = {
  /** The event's id. All attempts have the same id, so that a receiver can drop duplicates. */
  id: string
  /** The time of the attempt, not of the event. */
  at: Date
  /** The body to send, as text or UTF-8 bytes. */
  body: string | Uint8Array
}

type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

/** Thrown if no key of the endpoint can be read. Then the event is not signed and not sent. */
export class UnsignedError extends Error {
  override readonly name = 'UnsignedError'
}

/**
 * Creates a function that makes the signature headers of an attempt. During a key rotation, the old
 * and the new key sign, and a receiver needs only one valid signature.
 *
 * @throws UnsignedError if the created function gets no `signers`
 */
export const createWebhookSigner = (): ((
  signers: readonly Signer[],
  signed: Signed,
) => SignatureHeaders) => {
  const keyOf = createKeyImport()
  return (signers, { id, at, body }) => {
    if (signers.length === 0) throw new UnsignedError('No key of the endpoint can be read.')
    const timestamp = String(Math.floor(at.getTime() / 1_000))
    const head = `${id}.${timestamp}.`
    const signatures = signers.map((signer) =>
      signer.kind === 'hmac'
        ? signV1(keyOf(signer), head, body)
        : signV1a(keyOf(signer), head, body),
    )
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    }
  }
}

type Body = Signed['body']

const signV1 = (key: KeyObject, head: string, body: Body): string =>
  `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`

/** Passes null as the hash function, because Ed25519 itself hashes the content (RFC 8032). */
const signV1a = (key: KeyObject, head: string, body: Body): string => {
  const content = Buffer.concat([Buffer.from(head), Buffer.from(body)])
  return `v1a,${sign(null, content, key).toString('base64')}`
}
