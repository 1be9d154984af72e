import { randomFillSync } from 'node:crypto'

/** An id takes ten random bytes: two for the counter's first value, eight for the id's end. */
const RANDOM_BYTES = 10
const POOL_BYTES = 1_024 * RANDOM_BYTES
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES
let lastMs = 0
let counter = 0

/** The 12-bit counter has 4096 values. Further ids get the time of the next millisecond. */
const MAX_IDS_OF_MS = 0x1000

/**
 * Makes a UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds, then a 12-bit counter that keeps
 * ids of one process in order within a millisecond (section 6.2, method 1), then 62 random bits.
 */
export const newId = (nowMs: number = Date.now()): string => {
  const at = nextRandom()
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = pool.readUInt16BE(at) & 0x07ff
  } else if (++counter >= MAX_IDS_OF_MS) {
    lastMs += 1
    counter = 0
  }
  return format(timePart(lastMs), counter, at)
}

const nextRandom = (): number => {
  if (used + RANDOM_BYTES > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const at = used
  used += RANDOM_BYTES
  return at
}

const timePart = (ms: number): string => {
  const digits = ms.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const format = (time: string, place: number, at: number): string => {
  const variant = ((pool[at + 2] ?? 0) & 0x3f) | 0x80
  const tail = pool.toString('hex', at + 3, at + RANDOM_BYTES)
  return (
    `${time}-7${place.toString(16).padStart(3, '0')}-` +
    `${variant.toString(16)}${tail.slice(0, 2)}-${tail.slice(2)}`
  )
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of a UUID, so that Postgres will accept it. */
export const isId = (text: string): boolean => UUID.test(text)

const LATEST_MS = 2 ** 48 - 1

/** The smallest possible id for a time in milliseconds since 1970. */
export const firstIdOf = (ms: number): string =>
  `${timePart(Math.min(Math.max(ms, 0), LATEST_MS))}-7000-8000-000000000000`

/** The time at which `newId` made an id, in milliseconds since 1970. */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
