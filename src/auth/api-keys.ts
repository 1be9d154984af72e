import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { DomainError } from '../kernel/errors.ts'
import { createLru } from '../kernel/lru.ts'
import { type Clock, hasPassed } from '../kernel/ports/clock.ts'

type KeyEnvironment = 'sandbox' | 'production'

/** The owner and scopes of a key, as last read from the database. */
export type KeyHolder = {
  readonly keyId: string
  readonly userId: string
  readonly roles: readonly string[]
  readonly verified: boolean
  readonly scopes: readonly string[]
  readonly expiresAt: Date | null
}

export type ApiKeys = {
  /**
   * Returns the holder at once if the key was read in the last three seconds. Refuses malformed
   * keys and keys of another environment without a query. Throws DomainError `invalid_api_key` for
   * a refused, unknown, revoked or expired key.
   */
  verify(key: string): KeyHolder | Promise<KeyHolder>
  /** Reads all keys again. To be called when this process has ended or changed a key. */
  forget(): void
}

type ApiKeyOptions = {
  environment: KeyEnvironment
  clock: Clock
  /** Looks up a key by its hash and records its use. Returns null for an unknown or revoked key. */
  find: (keyHash: string) => Promise<KeyHolder | null>
}

const WORDS = { sandbox: 'sandbox', production: 'live' } as const
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARS = 30
const CHECKSUM_CHARS = 6
const FORM = /^(fundproof_(sandbox|live)_[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Cached keys are read again after this time, so that every process notices a revocation. */
const FRESH_FOR_MS = 3_000
const CACHED_KEYS = 10_000

/** Makes a key from 30 random characters and a checksum, by which scanners can find leaked keys. */
export const newApiKey = (environment: KeyEnvironment): string => {
  const random = Array.from({ length: RANDOM_CHARS }, () => ALPHABET[randomInt(62)]).join('')
  const body = `fundproof_${WORDS[environment]}_${random}`
  return body + checksumOf(body)
}

/** SHA-256 without a key or salt is enough, because an API key has 178 random bits. */
export const hashApiKey = (key: string): string =>
  createHash('sha256').update(key, 'latin1').digest('hex')

/** Throws DomainError `invalid_api_key` if a key has a wrong form, checksum or environment. */
export const checkApiKey = (key: string, environment: KeyEnvironment): void => {
  const [, body, word, checksum] = FORM.exec(key) ?? []
  if (body === undefined || checksumOf(body) !== checksum) throw invalid()
  if (word === WORDS[environment]) return
  const other = environment === 'production' ? 'sandbox' : 'production'
  throw new DomainError(
    'invalid_api_key',
    `This API key belongs to the ${other} environment; this is the ${environment} environment.`,
  )
}

export const createApiKeys = ({ environment, clock, find }: ApiKeyOptions): ApiKeys => {
  const emptyCache = () => createLru<{ holder: KeyHolder; readAtMs: number }>(CACHED_KEYS)
  let known = emptyCache()
  const asked = new Map<string, Promise<KeyHolder>>()

  const read = async (hash: string): Promise<KeyHolder> => {
    const readAtMs = clock.now().getTime()
    // After `forget`, the answer of an earlier query must not get into the new cache.
    const cache = known
    try {
      const holder = await find(hash)
      if (!holder) {
        cache.delete(hash)
        throw invalid()
      }
      cache.set(hash, { holder, readAtMs })
      return unexpired(holder, clock)
    } finally {
      asked.delete(hash)
    }
  }

  return {
    verify(key) {
      checkApiKey(key, environment)
      const hash = hashApiKey(key)
      const entry = known.get(hash)
      if (entry && !hasPassed(clock.now().getTime(), entry.readAtMs, FRESH_FOR_MS)) {
        return unexpired(entry.holder, clock)
      }
      // Requests with the same key at the same time share one query.
      const running = asked.get(hash)
      if (running) return running
      const reading = read(hash)
      asked.set(hash, reading)
      return reading
    },
    forget() {
      known = emptyCache()
      asked.clear()
    },
  }
}

const unexpired = (holder: KeyHolder, clock: Clock): KeyHolder => {
  if (holder.expiresAt === null || holder.expiresAt > clock.now()) return holder
  throw new DomainError('invalid_api_key', 'This API key has expired.')
}

/** The CRC-32 (as in zlib) of the part of a key before its checksum, in base62. */
const checksumOf = (body: string): string => {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    text = (ALPHABET[rest % 62] ?? '') + text
    rest = Math.floor(rest / 62)
  }
  return text
}

const invalid = () => new DomainError('invalid_api_key', 'The API key is not valid.')
