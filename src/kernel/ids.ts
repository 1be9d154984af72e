import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 10 * 1024
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES
let lastMs = 0
let counter = 0

/**
 * A UUIDv7 (RFC 9562, section 5.7): 48 bits of milliseconds, then a 12-bit counter that keeps ids
 * of one process in order within a millisecond (section 6.2, method 1), then 62 random bits.
 */
export const newId = (nowMs: number = Date.now()): string => {
  if (used + 10 > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + 10)
  used += 10
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = random.readUInt16BE(0) & 0x07ff
  } else if (++counter > 0x0fff) {
    lastMs += 1
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const variant = ((random[2] ?? 0) & 0x3f) | 0x80
  const tail = random.toString('hex', 3, 10)
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-` +
    `${variant.toString(16)}${tail.slice(0, 2)}-${tail.slice(2)}`
  )
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text has the form of a UUID, so that Postgres will accept it. */
export const isId = (text: string): boolean => UUID.test(text)

/** When an id of `newId` was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
