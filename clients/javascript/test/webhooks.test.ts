import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { sign, verify, WebhookVerificationError } from '../src/webhooks.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const BODY = JSON.stringify({ id: 'e1', event: 'donation.completed', data: { donationId: 'd1' } })

test('takes the headers of a Request, of Node and of a map', async () => {
  const headers = await sign(BODY, SECRET)
  for (const form of [headers, new Headers(headers), new Map(Object.entries(headers))]) {
    const event = await verify(BODY, form, SECRET)
    if (event.event !== 'donation.completed') throw new Error('another event')
    equal(event.data.donationId, 'd1')
  }
})

test('refuses a tolerance or a time that is no time, because it would let a replay pass', async () => {
  const headers = await sign(BODY, SECRET, { timestamp: new Date(0) })
  for (const options of [
    { tolerance: Number.NaN },
    { tolerance: Number.POSITIVE_INFINITY },
    { tolerance: -1 },
    { tolerance: '1e10' as never },
    { now: Number.NaN },
    { toleranz: 5 } as never,
  ]) {
    await rejects(verify(BODY, headers, SECRET, options), { name: 'ConfigurationError' })
  }
  equal((await verify(BODY, headers, SECRET, { tolerance: null })).id, 'e1')
})

test('looks at the first 16 signatures only, also if a proxy joins them', async () => {
  const headers = await sign(BODY, SECRET)
  const after = (wrong: number, joined: string) => {
    const others = Array.from({ length: wrong }, () => 'v1,AAAA')
    const signature = [...others, headers['webhook-signature'], 'v1,AAAA'].join(joined)
    return { ...headers, 'webhook-signature': signature }
  }
  for (const joined of [' ', ', ']) {
    equal((await verify(BODY, after(15, joined), SECRET)).id, 'e1')
    await rejects(verify(BODY, after(16, joined), SECRET), { reason: 'no_match' })
  }
  const pairs = Object.entries(headers)
  equal((await verify(BODY, [['Webhook-Signature', 'v1,AAAA'], ...pairs], SECRET)).id, 'e1')
})

test('refuses a signed body that is no JSON object', async () => {
  for (const body of ['', 'null', '[]', '<p>', '['.repeat(1e5), Uint8Array.of(34, 255, 34)]) {
    await rejects(verify(body, await sign(body, SECRET), SECRET), { reason: 'not_raw' })
  }
})

test('takes bytes and an ArrayBuffer, and says what to do with a parsed body', async () => {
  const headers = await sign(BODY, SECRET)
  const bytes = new TextEncoder().encode(BODY)
  equal((await verify(bytes, headers, SECRET)).id, 'e1')
  equal((await verify(bytes.buffer, headers, SECRET)).id, 'e1')
  await rejects(verify(JSON.parse(BODY), headers, SECRET), (error: Error) => {
    equal((error as WebhookVerificationError).reason, 'not_raw')
    equal(error instanceof WebhookVerificationError, true)
    return /raw body/.test(error.message)
  })
})
