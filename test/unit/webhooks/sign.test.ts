import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  newWebhookKeyPair,
  newWebhookSecret,
  type Signer,
  signerOf,
} from '../../../src/webhooks/keys.ts'
import { createWebhookSigner, type Signed, UnsignedError } from '../../../src/webhooks/sign.ts'

const signatureHeaders = createWebhookSigner()
const headersOf = (keys: readonly string[], signed: Signed) =>
  signatureHeaders(keys.map(signerOf), signed)
const signatureOf = (key: string, signed: Signed) => headersOf([key], signed)['webhook-signature']

/** The published test vectors: of the Standard Webhooks specification for v1, of Svix for v1a. */
const PUBLISHED = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
}
const PRIVATE_KEY =
  'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
const PUBLIC_KEY = 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4='
const PUBLISHED_V1A =
  'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=='

/**
 * Verifies a signature as a receiver does: makes the key from its 32 bytes, and the signed text
 * from id, time and body.
 */
const acceptsV1a = (publicKey: string, header: string, { id, at, body }: Signed): boolean => {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const content = Buffer.from(`${id}.${Math.floor(at.getTime() / 1_000)}.${body}`)
  return header
    .split(' ')
    .filter((each) => each.startsWith('v1a,'))
    .some((each) => verify(null, content, key, Buffer.from(each.slice(4), 'base64')))
}

const CHANGES: [string, Partial<Signed>][] = [
  ['body', { body: '{"amount":"2"}' }],
  ['id', { id: 'evt-2' }],
  ['time', { at: new Date(Date.now() - 60_000) }],
]
const message = (): Signed => ({ id: 'evt-1', at: new Date(), body: '{"amount":"1"}' })

describe('webhook signatures', () => {
  test('gives the signature published with the specification', () => {
    expect(signatureOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', PUBLISHED)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test('gives the published signature of an Ed25519 key, in the first use and the next', () => {
    expect(signatureOf(PRIVATE_KEY, PUBLISHED)).toBe(PUBLISHED_V1A)
    expect(signatureOf(PRIVATE_KEY, PUBLISHED)).toBe(PUBLISHED_V1A)
    expect(acceptsV1a(PUBLIC_KEY, PUBLISHED_V1A, PUBLISHED)).toBe(true)
  })

  test('is accepted by the independent library, with each of several secrets', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()]
    const body = JSON.stringify({ id: '1', event: 'donation.completed', name: 'Zoë ☂ 𝄞' })
    const headers = headersOf(secrets, { id: 'evt-1', at: new Date(), body })
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    }
  })

  test('is accepted with each of several key pairs, and beside a secret by the library', () => {
    const pairs = [newWebhookKeyPair(), newWebhookKeyPair()]
    const secret = newWebhookSecret()
    const signed = { ...message(), body: '{"name":"Zoë ☂ 𝄞"}' }
    const headers = headersOf([...pairs.map(({ privateKey }) => privateKey), secret], signed)
    expect(headers['webhook-signature']).toMatch(/^v1a,\S{88} v1a,\S{88} v1,\S{44}$/)
    for (const { publicKey } of pairs) {
      expect(acceptsV1a(publicKey, headers['webhook-signature'], signed)).toBe(true)
    }
    expect(new Webhook(secret).verify(signed.body, headers)).toEqual(JSON.parse(signed.body))
    const stranger = newWebhookKeyPair().publicKey
    expect(acceptsV1a(stranger, headers['webhook-signature'], signed)).toBe(false)
  })

  test('are never left out: without a key nothing is made', () => {
    expect(() => signatureHeaders([], message())).toThrow(UnsignedError)
  })

  test.each(CHANGES)('is refused when the %s is another', (_name, change) => {
    const secret = newWebhookSecret()
    const changed = { ...message(), ...change }
    const headers = {
      ...headersOf([secret], changed),
      'webhook-signature': signatureOf(secret, message()),
    }
    expect(() => new Webhook(secret).verify(String(changed.body), headers)).toThrow()
  })

  test('of bytes are the signatures of their text', () => {
    const text = { ...message(), body: '{"name":"Zoë €"}' }
    const bytes = { ...text, body: Buffer.from(text.body) }
    for (const secret of [newWebhookSecret(), newWebhookKeyPair().privateKey]) {
      expect(signatureOf(secret, bytes)).toBe(signatureOf(secret, text))
    }
  })

  test.each(CHANGES)('of a key pair is refused when the %s is another', (_name, change) => {
    const { privateKey, publicKey } = newWebhookKeyPair()
    const signed = message()
    const signature = signatureOf(privateKey, signed)
    expect(acceptsV1a(publicKey, signature, signed)).toBe(true)
    expect(acceptsV1a(publicKey, signature, { ...signed, ...change })).toBe(false)
  })
})

describe('webhook keys', () => {
  test('are secrets of 32 random bytes in the form that receivers expect', () => {
    const secret = newWebhookSecret()
    expect(secret).toMatch(/^whsec_/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect(newWebhookSecret()).not.toBe(secret)
  })

  test('are pairs whose private half ends with the public one', () => {
    const { privateKey, publicKey } = newWebhookKeyPair()
    expect([privateKey, publicKey].map((key) => key.slice(0, 5))).toEqual(['whsk_', 'whpk_'])
    const [whole, half] = [privateKey, publicKey].map((key) => Buffer.from(key.slice(5), 'base64'))
    expect(whole).toHaveLength(64)
    expect(whole?.subarray(32)).toEqual(half)
    expect(newWebhookKeyPair().publicKey).not.toBe(publicKey)
  })

  test('tell by their prefix how they sign; a public key or anything else signs nothing', () => {
    expect(signerOf('whsec_AAAA').kind).toBe('hmac')
    expect(signerOf(PRIVATE_KEY).kind).toBe('ed25519')
    for (const key of [PUBLIC_KEY, 'secret', '']) expect(() => signerOf(key)).toThrow()
    const cut: Signer = { kind: 'ed25519', privateKey: PRIVATE_KEY.slice(0, 40) }
    expect(() => signatureHeaders([cut], PUBLISHED)).toThrow('64 bytes')
  })
})
