import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newWebhookSecret, signatureHeaders, signV1 } from '../../../src/webhooks/sign.ts'

describe('webhook signatures', () => {
  it('gives the signature published with the specification', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
    }
    expect(signV1('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signed)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('is accepted by the independent library, with each of several secrets', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()]
    const body = JSON.stringify({ id: '1', event: 'donation.completed', name: 'Zoë ☂ 𝄞' })
    const headers = signatureHeaders(secrets, { id: 'evt-1', at: new Date(), body })
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    }
  })

  it.each([
    ['body', { body: '{"amount":"2"}' }],
    ['id', { id: 'evt-2' }],
    ['time', { at: new Date(Date.now() - 60_000) }],
  ])('is refused when the %s is another', (_name, change) => {
    const secret = newWebhookSecret()
    const signed = { id: 'evt-1', at: new Date(), body: '{"amount":"1"}' }
    const changed = { ...signed, ...change }
    const headers = {
      ...signatureHeaders([secret], changed),
      'webhook-signature': signV1(secret, signed),
    }
    expect(() => new Webhook(secret).verify(changed.body, headers)).toThrow()
  })

  it('makes secrets of 32 random bytes in the form that receivers expect', () => {
    const secret = newWebhookSecret()
    expect(secret).toMatch(/^whsec_/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect(newWebhookSecret()).not.toBe(secret)
  })
})
