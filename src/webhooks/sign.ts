import { createHmac, type KeyObject, sign } from 'node:crypto'
import { createKeyImport, type Signer } from './keys.ts'

/**
 * Signatures by Standard Webhooks 1.0.0 over `<webhook-id>.<webhook-timestamp>.<body>`: HMAC-SHA256
 * as `v1,<base64>`, Ed25519 as `v1a,<base64>`. The header is a list of them, separated by spaces.
 */
export type Signed = {
  /** The event's id, the same on every attempt, so that a receiver can drop duplicates. */
  id: string
  /** The time of the attempt, not of the event. */
  at: Date
  /** The text that is sent, or its bytes in UTF-8. */
  body: string | Uint8Array
}

type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

/** No key can sign, and no event is sent unsigned. */
export class UnsignedError extends Error {
  override readonly name = 'UnsignedError'
}

/**
 * Creates the three headers of an attempt. During a rotation several signers sign: a receiver
 * accepts the message if any signature is valid.
 *
 * @throws UnsignedError without a signer
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

/** Ed25519 has no digest parameter, because it hashes by itself (RFC 8032). */
const signV1a = (key: KeyObject, head: string, body: Body): string => {
  const content = Buffer.concat([Buffer.from(head), Buffer.from(body)])
  return `v1a,${sign(null, content, key).toString('base64')}`
}
