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
