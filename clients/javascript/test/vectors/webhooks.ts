import { WebhookVerificationError } from '../../src/errors.ts'
import { sign, verify } from '../../src/webhooks.ts'
import { equal, knowsOnly, outcomeOf } from './expect.ts'

type Case = {
  headers: Record<string, string | string[]>
  body: string
  secrets: string[]
  tolerance?: number | null
  now: number
  expect: { event?: string | null; error?: string }
}

/** The signing key of each secret and public key. */
type Shared = { signers: Record<string, string> }

export const runWebhook = async (one: Case, { signers }: Shared): Promise<void> => {
  const { headers, body, secrets, tolerance, now, expect } = one
  knowsOnly(expect, ['event', 'error'])
  const options = { tolerance, now: now * 1_000 }
  for (const raw of [body, new TextEncoder().encode(body)]) {
    const found = await outcomeOf(() => verify(raw, headers, secrets, options))
    if (expect.error !== undefined) {
      equal(found instanceof WebhookVerificationError && found.reason, expect.error)
    } else equal((found as { event?: string }).event ?? null, expect.event)
  }
  const signer = signers[secrets[0] ?? '']
  if (expect.error !== undefined || signer === undefined || secrets.length > 1) return
  const signed = await sign(body, signer, { timestamp: new Date(now * 1_000) })
  const event = await verify(body, new Headers(signed), secrets, options)
  equal(event.event ?? null, expect.event)
}
