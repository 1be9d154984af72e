import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyRing, type SigningKey } from '../../../src/auth/signing-keys.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const newKey = (kid: string): SigningKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    kid,
    publicJwk: publicKey.export({ format: 'jwk' }) as SigningKey['publicJwk'],
    privateJwk: privateKey.export({ format: 'jwk' }) as SigningKey['privateJwk'],
    active: true,
  }
}

test.each([
  ['five minutes later', 5 * 60_000],
  ['after a clock that was 80 hours ahead was set back', -80 * 3_600_000],
])('a rotation of the signing keys is noticed %s', async (_when, ms) => {
  const clock = createFakeClock()
  let stored = newKey('old')
  const ring = createKeyRing(
    async () => [stored],
    () => clock.now().getTime(),
  )
  expect((await ring.signer()).kid).toBe('old')
  stored = newKey('new')
  expect((await ring.signer()).kid).toBe('old')
  clock.advance(ms)
  expect((await ring.signer()).kid).toBe('new')
})

test('a token of a key that another process has just made is known', async () => {
  const stored = [newKey('old')]
  let reads = 0
  const load = async () => {
    reads += 1
    return [...stored]
  }
  const ring = createKeyRing(load, () => performance.now())
  await ring.signer()
  stored.push({ ...newKey('new'), active: false })
  const known = () => ring.resolve({ alg: 'EdDSA', kid: 'new' })
  await Promise.all([known(), known(), known()])
  expect(reads).toBe(2)
})
