import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWebhookKeyPair, signerOf } from '../../src/webhooks/keys.ts'
import { createWebhookSigner } from '../../src/webhooks/sign.ts'

type VerifyEvent = (
  publicKey: string,
  rawBody: string,
  headers: Readonly<Record<string, string>>,
) => unknown

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const [, LINES = ''] = /```js\n(import \{ createPublicKey.*?)```/s.exec(PAGE) ?? []

const { verifyEvent } = (await import(
  /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(LINES)}`
)) as { verifyEvent: VerifyEvent }

const [old, current, other] = [newWebhookKeyPair(), newWebhookKeyPair(), newWebhookKeyPair()]
const body = JSON.stringify({ event: 'donation.completed', name: 'Zoë ☂ 𝄞' })
const headersAt = (at: Date) =>
  createWebhookSigner()(
    [current, old].map(({ privateKey }) => signerOf(privateKey)),
    { id: 'evt-1', at, body },
  )

test('docs/webhooks.md has lines that take what an Ed25519 endpoint is sent', () => {
  const headers = headersAt(new Date())
  for (const { publicKey } of [current, old]) {
    expect(verifyEvent(publicKey, body, headers)).toEqual(JSON.parse(body))
  }
})

test('docs/webhooks.md has lines that refuse what is changed, old, or signed by another', () => {
  const headers = headersAt(new Date())
  const refused: [string, string, Readonly<Record<string, string>>][] = [
    [other.publicKey, body, headers],
    [current.publicKey, body.replace('Zoë', 'Zoe'), headers],
    [current.publicKey, body, { ...headers, 'webhook-id': 'evt-2' }],
    [current.publicKey, body, { ...headers, 'webhook-signature': 'v1,AAAA v1a,AAAA' }],
    [current.publicKey, body, headersAt(new Date(Date.now() - 301_000))],
    [current.publicKey, body, { ...headers, 'webhook-timestamp': 'now' }],
  ]
  for (const [publicKey, rawBody, sent] of refused) {
    expect(() => verifyEvent(publicKey, rawBody, sent)).toThrow('not signed')
  }
})
