import type { Keccak } from './keccak.ts'
import type { RlpWriter } from './rlp-writer.ts'

/**
 * Computes the root of the Merkle Patricia trie (Yellow Paper, appendix D) of a block's
 * transactions or receipts. An item's key is rlp(index), and its value is its encoding. A finished
 * node becomes a hash, so memory holds only one path. 219 receipts take 3.5 to 4 ms (measured).
 *
 * @param count the number of items, at least 1
 * @param writeValue writes item `index` into the writer, without a string header
 * @param onNode gets each hashed node, the deepest first, and the indexes of the items below the
 *   node; the bytes are valid only during the call
 */
export const orderedTrieRoot = (
  count: number,
  writer: RlpWriter,
  keccak: Keccak,
  writeValue: (index: number) => void,
  onNode?: (node: Uint8Array, items: readonly number[]) => void,
): Uint8Array => {
  const entries = sortedEntries(count)
  const report = (node: Uint8Array, from: number, to: number): void => {
    const indexes = entries.slice(from, to).map((entry) => entry.index)
    onNode?.(node, indexes)
  }
  const nibble = (entry: number, depth: number): number => entries[entry]?.path[depth] ?? -1

  const writeChild = (from: number, to: number, depth: number) => {
    const mark = writer.mark()
    writeNode(from, to, depth)
    // A node of less than 32 bytes is written into its parent without hashing.
    if (writer.mark() - mark < 32) return
    const hash = keccak(writer.view(mark))
    if (onNode) report(writer.view(mark), from, to)
    writer.rewind(mark)
    writer.bytes(hash)
  }
  const writeNode = (from: number, to: number, depth: number): void => {
    const mark = writer.mark()
    const entry = entries[from]
    if (entry === undefined) throw new RangeError('A trie node needs an entry.')
    if (to - from === 1) {
      writeValue(entry.index)
      writer.endString(mark)
      writer.bytes(hexPrefix(entry.path.slice(depth), 'leaf'))
      writer.endList(mark)
      return
    }
    let shared = depth
    while (nibble(from, shared) === nibble(to - 1, shared)) shared += 1
    if (shared > depth) {
      writeChild(from, to, shared)
      writer.bytes(hexPrefix(entry.path.slice(depth, shared), 'extension'))
      writer.endList(mark)
      return
    }
    writer.rawByte(0x80) // no value, because no key is the beginning of another key
    let end = to
    for (let value = 15; value >= 0; value -= 1) {
      let begin = end
      while (begin > from && nibble(begin - 1, depth) === value) begin -= 1
      if (begin === end) writer.rawByte(0x80)
      else writeChild(begin, end, depth + 1)
      end = begin
    }
    writer.endList(mark)
  }

  const mark = writer.mark()
  writeNode(0, count, 0)
  const root = keccak(writer.view(mark))
  if (onNode) report(writer.view(mark), 0, count)
  writer.rewind(mark)
  return root
}

type Entry = { index: number; path: number[] }

/** All keys in the order of their bytes: 1 to 127, then 0 (rlp(0) is 0x80), then 128 and above. */
const sortedEntries = (count: number): Entry[] => {
  const entries: Entry[] = []
  for (let index = 1; index < Math.min(count, 128); index += 1) entries.push(entryOf(index))
  entries.push(entryOf(0))
  for (let index = 128; index < count; index += 1) entries.push(entryOf(index))
  return entries
}

const entryOf = (index: number): Entry => {
  if (index === 0) return { index, path: [8, 0] }
  const digits = index.toString(16)
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  const path = Array.from(even, (digit) => Number.parseInt(digit, 16))
  return { index, path: index < 128 ? path : [8, even.length / 2, ...path] }
}

/** Packs hex digits into bytes, after the flags "odd" and "leaf" (Yellow Paper, appendix C). */
const hexPrefix = (path: readonly number[], node: 'leaf' | 'extension'): Uint8Array => {
  const odd = path.length % 2
  const flags = (node === 'leaf' ? 2 : 0) + odd
  const nibbles = odd ? [flags, ...path] : [flags, 0, ...path]
  return Uint8Array.from({ length: nibbles.length / 2 }, (_, i) => {
    return ((nibbles[2 * i] ?? 0) << 4) | (nibbles[2 * i + 1] ?? 0)
  })
}
