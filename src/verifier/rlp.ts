import { bytesOfInteger, concat, demand } from './bytes.ts'

/** A decoded item of RLP (Recursive Length Prefix): a string of bytes, or a list of items. */
export type Rlp = Uint8Array | readonly Rlp[]

/** The most levels of nested lists. No valid header, receipt, transaction or trie node has 16. */
const MAX_DEPTH = 16

/**
 * Decodes exactly one RLP item (Yellow Paper, appendix B).
 *
 * @throws Refusal if the item is incomplete or not canonical, or if other bytes follow the item
 */
export const decodeRlp = (bytes: Uint8Array): Rlp => {
  const { item, end } = readItem(bytes, 0, MAX_DEPTH)
  demand(end === bytes.length, 'An RLP item is followed by other bytes.')
  return item
}

/** Decodes an RLP list. Throws Refusal if the bytes are not exactly one list. */
export const decodeRlpList = (bytes: Uint8Array): readonly Rlp[] => asList(decodeRlp(bytes))

/** Throws Refusal unless the item is a list. */
export const asList = (item: Rlp | undefined): readonly Rlp[] => {
  demand(item !== undefined && !(item instanceof Uint8Array), 'An RLP list is missing.')
  return item
}

/** Throws Refusal unless the item is a string and, if `length` is given, has this many bytes. */
export const asBytes = (item: Rlp | undefined, length?: number): Uint8Array => {
  demand(item instanceof Uint8Array, 'An RLP string is missing.')
  demand(length === undefined || item.length === length, 'An RLP string has a wrong length.')
  return item
}

/** The canonical encoding of an item. */
export const encodeRlp = (item: Rlp): Uint8Array => {
  if (item instanceof Uint8Array) {
    return item.length === 1 && (item[0] ?? 0) < 0x80 ? item : withHeader(item, 0x80)
  }
  return withHeader(concat(item.map(encodeRlp)), 0xc0)
}

const withHeader = (content: Uint8Array, short: number): Uint8Array => {
  if (content.length <= 55) return concat([Uint8Array.of(short + content.length), content])
  const length = bytesOfInteger(content.length)
  return concat([Uint8Array.of(short + 55 + length.length), length, content])
}

type Read = { item: Rlp; end: number }

const readItem = (bytes: Uint8Array, at: number, depth: number): Read => {
  demand(depth > 0, 'RLP is nested too deeply.')
  const first = bytes[at]
  demand(first !== undefined, 'RLP ends too early.')
  if (first < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = first >= 0xc0
  const { start, end } = readHeader(bytes, at, isList ? first - 0xc0 : first - 0x80)
  if (isList) return { item: readItems(bytes, start, end, depth), end }
  const item = bytes.subarray(start, end)
  demand(item.length !== 1 || (item[0] ?? 0) >= 0x80, 'RLP is not in its shortest form.')
  return { item, end }
}

/** Finds the content of an item. `code` is the first byte minus 0x80 (string) or 0xc0 (list). */
const readHeader = (bytes: Uint8Array, at: number, code: number) => {
  let start = at + 1
  let length = code
  if (code > 55) {
    const lengthBytes = code - 55
    start += lengthBytes
    demand(start <= bytes.length, 'RLP ends too early.')
    demand(lengthBytes <= 4 && bytes[at + 1] !== 0, 'RLP is not in its shortest form.')
    length = 0
    for (let i = at + 1; i < start; i += 1) length = length * 256 + (bytes[i] ?? 0)
    demand(length > 55, 'RLP is not in its shortest form.')
  }
  demand(start + length <= bytes.length, 'RLP ends too early.')
  return { start, end: start + length }
}

const readItems = (bytes: Uint8Array, start: number, end: number, depth: number): Rlp[] => {
  const items: Rlp[] = []
  let at = start
  while (at < end) {
    const read = readItem(bytes, at, depth - 1)
    demand(read.end <= end, 'An RLP item is longer than its list.')
    items.push(read.item)
    at = read.end
  }
  return items
}
