import { ChainError } from '../errors.ts'

/** An item of Recursive Length Prefix (Ethereum Yellow Paper, appendix B): a string or a list. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Deeper than anything that a trie node or an account holds. */
const MAX_DEPTH = 16

/**
 * Reads exactly one item, which must fill all the bytes. Strings are views into them.
 *
 * @throws ChainError `bad_response` for anything that is not the one canonical encoding of an item
 */
export const readRlp = (bytes: Uint8Array): RlpItem => {
  const { item, end } = readItem(bytes, 0, bytes.length, 0)
  if (end !== bytes.length) throw malformed()
  return item
}

/** The item as a string. Throws ChainError `bad_response` for a list. */
export const rlpString = (item: RlpItem | undefined): Uint8Array => {
  if (!(item instanceof Uint8Array)) throw malformed()
  return item
}

/** A string of at most 32 bytes without leading zeros as the number that it is. */
export const rlpQuantity = (item: RlpItem | undefined): bigint => {
  const bytes = rlpString(item)
  if (bytes.length > 32 || bytes[0] === 0) throw malformed()
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

const readItem = (
  bytes: Uint8Array,
  at: number,
  limit: number,
  depth: number,
): { item: RlpItem; end: number } => {
  const prefix = bytes[at]
  if (prefix === undefined || at >= limit || depth > MAX_DEPTH) throw malformed()
  if (prefix < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = prefix >= 0xc0
  const { start, end } = contentOf(bytes, at, prefix - (isList ? 0xc0 : 0x80))
  if (end > limit) throw malformed()
  if (!isList) {
    // One small byte stands for itself.
    if (end - start === 1 && (bytes[start] ?? 0) < 0x80) throw malformed()
    return { item: bytes.subarray(start, end), end }
  }
  const items: RlpItem[] = []
  for (let next = start; next < end; ) {
    const read = readItem(bytes, next, end, depth + 1)
    items.push(read.item)
    next = read.end
  }
  return { item: items, end }
}

/** Where the content of an item lies: `code` is its prefix less that of its kind. */
const contentOf = (bytes: Uint8Array, at: number, code: number): { start: number; end: number } => {
  if (code <= 55) return { start: at + 1, end: at + 1 + code }
  const start = at + 1 + (code - 55)
  let length = 0
  for (let i = at + 1; i < start; i += 1) length = length * 256 + (bytes[i] ?? Number.NaN)
  if (!Number.isSafeInteger(length) || length <= 55 || bytes[at + 1] === 0) throw malformed()
  return { start, end: start + length }
}

const malformed = () => new ChainError('bad_response', 'The node sent bytes that are not RLP.')
