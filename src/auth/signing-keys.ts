import { setTimeout as delay } from 'node:timers/promises'
import { importJWK, type JWK, type JWTVerifyGetKey } from 'jose'
import { DomainError } from '../kernel/errors.ts'
import { hasPassed } from '../kernel/ports/clock.ts'

/** A stored Ed25519 key as JWK (RFC 8037). The active key signs; other keys only verify. */
export type SigningKey = {
  kid: string
  publicJwk: { kty: string; crv: string; x: string }
  privateJwk: { kty: string; crv: string; x: string; d: string }
  active: boolean
}

/** A JWK Set (RFC 7517, section 5). */
export type JwkSet = { keys: JWK[] }

type Imported = Awaited<ReturnType<typeof importJWK>>
type Ring = {
  signWith: { kid: string; key: Imported }
  verifyWith: Map<string, Imported>
  jwks: JwkSet
}

/** Cached keys are read again after this time, so that every process notices new keys. */
const FRESH_FOR_MS = 5 * 60_000
/** A token with an unknown `kid` waits until the cached keys have this age, and then for a read. */
const UNKNOWN_KID_WAIT_MS = 1_000

/** Reads the signing keys of this deployment with `load` and caches the keys. */
export const createKeyRing = (load: () => Promise<readonly SigningKey[]>, now: () => number) => {
  let ring: Promise<Ring> | undefined
  let loadedAtMs = 0

  const read = (maxAgeMs: number): Promise<Ring> => {
    if (ring && !hasPassed(now(), loadedAtMs, maxAgeMs)) return ring
    const before = ring
    loadedAtMs = now()
    // If the database is unavailable, the cached keys stay in use.
    ring = load()
      .then(toRing)
      .catch((error: unknown) => {
        ring = before
        if (before) return before
        throw error
      })
    return ring
  }

  return {
    signer: async () => (await read(FRESH_FOR_MS)).signWith,
    jwks: async () => (await read(FRESH_FOR_MS)).jwks,
    /** Finds the key that a token names in `kid`, for `jwtVerify`. */
    resolve: async ({ kid }: Parameters<JWTVerifyGetKey>[0]) => {
      if (typeof kid !== 'string') throw unknownKey()
      const known = (await read(FRESH_FOR_MS)).verifyWith.get(kid)
      if (known) return known
      await delay(Math.min(UNKNOWN_KID_WAIT_MS, loadedAtMs + UNKNOWN_KID_WAIT_MS - now()))
      // All tokens that have waited share a read.
      const key = (await read(UNKNOWN_KID_WAIT_MS / 2)).verifyWith.get(kid)
      if (!key) throw unknownKey()
      return key
    },
  }
}

const unknownKey = () => new DomainError('invalid_token', 'The access token has an unknown key.')

const toRing = async (keys: readonly SigningKey[]): Promise<Ring> => {
  const active = keys.find((key) => key.active)
  if (!active) throw new Error('There is no active signing key.')
  const imported = await Promise.all(
    keys.map(async (key) => [key.kid, await importJWK(key.publicJwk, 'EdDSA')] as const),
  )
  return {
    signWith: { kid: active.kid, key: await importJWK(active.privateJwk, 'EdDSA') },
    verifyWith: new Map(imported),
    jwks: {
      keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: 'EdDSA' })),
    },
  }
}
