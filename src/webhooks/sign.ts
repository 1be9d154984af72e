import { createHmac, randomBytes } from 'node:crypto'

/**
 * Signatures by the Standard Webhooks specification 1.0.0: HMAC-SHA256 over
 * `<webhook-id>.<webhook-timestamp>.<body>`, where the key is what follows `whsec_`, decoded from
 * base64, and the header is a space-separated list of `v1,<base64>`.
 */
const SECRET_PREFIX = 'whsec_'
/** The specification asks for 24 to 64 random bytes. */
const SECRET_BYTES = 32

/** A new secret, as a receiver's library takes it. */
export const newWebhookSecret = (): string =>
  SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export type Signed = {
  /** The event's id: the same on every attempt, so that a receiver can drop doubles. */
  id: string
  /** When the attempt is made, not when the event happened. */
  at: Date
  /** The very text that is sent. */
  body: string
}

/** The `v1` signature of one attempt with one secret. */
export const signV1 = (secret: string, { id, at, body }: Signed): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${unixSeconds(at)}.${body}`)
  return `v1,${mac.digest('base64')}`
}

/** The three headers of an attempt. Several secrets sign while one is being replaced. */
export const signatureHeaders = (
  secrets: readonly string[],
  signed: Signed,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> => ({
  'webhook-id': signed.id,
  'webhook-timestamp': String(unixSeconds(signed.at)),
  'webhook-signature': secrets.map((secret) => signV1(secret, signed)).join(' '),
})

const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1_000)
