import { describe, expect, test } from 'vitest'
import {
  checkApiKey,
  createApiKeys,
  type KeyHolder,
  newApiKey,
} from '../../../src/auth/api-keys.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const holder: KeyHolder = {
  keyId: 'k',
  userId: 'u',
  roles: [],
  verified: true,
  scopes: ['read'],
  expiresAt: null,
}

/** Makes API keys over a store that counts its reads. */
const createKeys = (answer: () => Promise<KeyHolder | null> = async () => holder) => {
  const clock = createFakeClock()
  const seen = { reads: 0 }
  const keys = createApiKeys({
    environment: 'sandbox',
    clock,
    find: () => {
      seen.reads += 1
      return answer()
    },
  })
  return { clock, seen, forget: keys.forget, verify: async (key: string) => keys.verify(key) }
}

const refused = { code: 'invalid_api_key' }

describe('an API key', () => {
  test('names the service and its environment, and ends with a checksum', () => {
    expect(newApiKey('sandbox')).toMatch(/^fundproof_sandbox_[0-9A-Za-z]{36}$/)
    expect(newApiKey('production')).toMatch(/^fundproof_live_[0-9A-Za-z]{36}$/)
    const many = Array.from({ length: 500 }, () => newApiKey('sandbox'))
    expect(new Set(many).size).toBe(500)
    for (const key of many) expect(() => checkApiKey(key, 'sandbox')).not.toThrow()
  })

  test('is refused without a query when it is garbage or mistyped', async () => {
    const { seen, verify } = createKeys()
    const key = newApiKey('sandbox')
    const middle = key[25] === 'a' ? 'b' : 'a'
    const garbage = [
      '',
      'x',
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      `${key.slice(0, 25)}${middle}${key.slice(26)}`,
      key.replace('sandbox', 'live'),
      key.replace('sandbox', 'production'),
      key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase(),
      `fundproof_sandbox_${'0'.repeat(36)}`,
      `fundproof_sandbox_${'é'.repeat(36)}`,
      'a'.repeat(100_000),
    ]
    for (const one of garbage) await expect(verify(one)).rejects.toMatchObject(refused)
    expect(seen.reads).toBe(0)
  })

  test('of the other environment is refused without a query, and the refusal says so', async () => {
    const { seen, verify } = createKeys()
    await expect(verify(newApiKey('production'))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('production environment'),
    })
    expect(seen.reads).toBe(0)
  })

  test('is looked up once for many requests, and again after three seconds', async () => {
    const { clock, seen, verify } = createKeys()
    const key = newApiKey('sandbox')
    await Promise.all(Array.from({ length: 50 }, () => verify(key)))
    await verify(key)
    expect(seen.reads).toBe(1)
    clock.advance(3_000)
    await verify(key)
    expect(seen.reads).toBe(2)
  })

  test('is refused within three seconds of its revocation, and an unknown one at once', async () => {
    let revoked = false
    const { clock, verify } = createKeys(async () => (revoked ? null : holder))
    const key = newApiKey('sandbox')
    await verify(key)
    revoked = true
    clock.advance(3_000)
    await expect(verify(key)).rejects.toMatchObject(refused)
    await expect(verify(newApiKey('sandbox'))).rejects.toMatchObject(refused)
  })

  test('is refused at once where it was ended, also by an answer that was on its way', async () => {
    const first = Promise.withResolvers<KeyHolder | null>()
    const answers = [first.promise, Promise.resolve(null), Promise.resolve(null)]
    const { forget, verify } = createKeys(async () => (await answers.shift()) ?? null)
    const key = newApiKey('sandbox')
    const early = verify(key)
    forget()
    await expect(verify(key)).rejects.toMatchObject(refused)
    first.resolve(holder)
    expect(await early).toEqual(holder)
    await expect(verify(key)).rejects.toMatchObject(refused)
  })

  test('is looked up again after a clock that was 80 hours ahead was set back', async () => {
    const { clock, seen, verify } = createKeys()
    const key = newApiKey('sandbox')
    clock.advance(80 * 3_600_000)
    await verify(key)
    clock.advance(-80 * 3_600_000)
    await verify(key)
    expect(seen.reads).toBe(2)
  })

  test('ends at its expiry, from the cache too', async () => {
    const expiresAt = new Date(createFakeClock().now().getTime() + 1_000)
    const { clock, verify } = createKeys(async () => ({ ...holder, expiresAt }))
    const key = newApiKey('sandbox')
    await verify(key)
    clock.advance(1_000)
    await expect(verify(key)).rejects.toMatchObject(refused)
  })

  test('is asked for again after the store has failed', async () => {
    let broken = true
    const { verify } = createKeys(async () => {
      if (broken) throw new Error('away')
      return holder
    })
    const key = newApiKey('sandbox')
    await expect(verify(key)).rejects.toThrow('away')
    broken = false
    expect(await verify(key)).toEqual(holder)
  })
})
