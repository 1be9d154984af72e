import { ChainError } from '../errors.ts'
import { decodeHex, digitAt } from '../rpc/hex.ts'

/**
 * Writes RLP (Recursive Length Prefix, Yellow Paper, appendix B) backwards: the last item of a list
 * first. One pass is enough, because the length of a list is known before its header is written. A
 * mark is a position: the number of bytes written so far.
 */
export type RlpWriter = {
  mark(): number
  /** Discards everything written after the mark. */
  rewind(mark: number): void
  /** The bytes written since the mark, in reading order. Valid until the next write. */
  view(mark: number): Uint8Array
  /** Writes one raw byte: the type of a transaction or a receipt. */
  rawByte(byte: number): void
  /** Writes `0x` hex digits as a string item. `length` is the required number of bytes, if any. */
  hex(value: unknown, length?: number): void
  /** Writes a `0x` quantity of at most 256 bits as an integer item, without leading zeros. */
  quantity(value: unknown): void
  /** Writes bytes as a string item. */
  bytes(value: Uint8Array): void
  /** Turns everything written since the mark into one string item. */
  endString(mark: number): void
  /** Turns everything written since the mark into one list. */
  endList(mark: number): void
}

const INITIAL_BYTES = 64 * 1024
const EMPTY_STRING = 0x80
/** The length of `0x` and 64 digits. Some nodes pad signatures and nonces to this length. */
const MAX_QUANTITY_CHARS = 2 + 64

export const createRlpWriter = (): RlpWriter => {
  let buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  let start = INITIAL_BYTES

  const reserve = (bytes: number) => {
    if (bytes > start) {
      const written = buffer.length - start
      const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, written + bytes))
      buffer.copy(larger, larger.length - written, start)
      buffer = larger
      start = larger.length - written
    }
    start -= bytes
  }
  const put = (byte: number) => {
    reserve(1)
    buffer[start] = byte
  }
  const header = (length: number, short: number) => {
    if (length <= 55) {
      put(short + length)
      return
    }
    let lengthBytes = 0
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) {
      put(rest & 0xff)
      lengthBytes += 1
    }
    put(short + 55 + lengthBytes)
  }
  const endString = (mark: number) => {
    const length = buffer.length - start - mark
    if (length !== 1 || (buffer[start] ?? 0) >= EMPTY_STRING) header(length, EMPTY_STRING)
  }
  const mark = () => buffer.length - start

  return {
    mark,
    rewind: (to) => {
      start = buffer.length - to
    },
    view: (since) => buffer.subarray(start, buffer.length - since),
    rawByte: put,
    hex(value, length) {
      const text = hexText(value)
      const size = (text.length - 2) / 2
      if (!Number.isInteger(size) || (length !== undefined && size !== length)) throw notHex()
      const since = mark()
      reserve(size)
      if (!decodeHex(text, buffer, start, size)) throw notHex()
      endString(since)
    },
    quantity(value) {
      const text = hexText(value)
      if (text.length < 3 || text.length > MAX_QUANTITY_CHARS) throw notHex()
      const since = mark()
      let first = 2
      while (text.charCodeAt(first) === ZERO) first += 1
      for (let at = text.length - 1; at >= first; at -= 2) {
        const low = digitAt(text, at)
        const high = at > first ? digitAt(text, at - 1) : 0
        if ((low | high) < 0) throw notHex()
        put((high << 4) | low)
      }
      endString(since)
    },
    bytes(value) {
      const since = mark()
      reserve(value.length)
      buffer.set(value, start)
      endString(since)
    },
    endString,
    endList: (since) => header(buffer.length - start - since, 0xc0),
  }
}

const ZERO = '0'.charCodeAt(0)

const hexText = (value: unknown): string => {
  if (typeof value !== 'string' || !value.startsWith('0x')) throw notHex()
  return value
}

const notHex = () => new ChainError('bad_response', 'The node sent a value that is not hex data.')
