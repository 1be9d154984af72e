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
