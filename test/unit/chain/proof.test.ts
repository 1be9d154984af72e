import { encodeRlp, keccak256 } from 'ethers'
import { describe, expect, test } from 'vitest'
import { loadKeccak, toHex } from '../../../src/chain/encoding/keccak.ts'
import { orderedTrieRoot } from '../../../src/chain/encoding/ordered-trie.ts'
import { createRlpWriter, type RlpWriter } from '../../../src/chain/encoding/rlp-writer.ts'
import { codeOf } from './support.ts'

type Item = string | Item[]

const write = (writer: RlpWriter, item: Item): void => {
  if (typeof item === 'string') {
    writer.hex(item)
    return
  }
  const mark = writer.mark()
  for (const part of item.toReversed()) write(writer, part)
  writer.endList(mark)
}
const encode = (item: Item): string => {
  const writer = createRlpWriter()
  write(writer, item)
  return toHex(writer.view(0))
}
const bytes = (length: number, byte = 'a5') => `0x${byte.repeat(length)}`

describe('RLP', () => {
  const items: [string, Item][] = [
    ['an empty string', '0x'],
    ['a byte that is its own encoding', '0x7f'],
    ['a byte that is not', '0x80'],
    ['zero', '0x00'],
    ['55 bytes', bytes(55)],
    ['56 bytes', bytes(56)],
    ['255 and 256 bytes', [bytes(255), bytes(256)]],
    ['more than the first buffer', bytes(200_000)],
    ['an empty list', []],
    ['lists in lists', [[], [[]], [[], [[]]], '0x01', [bytes(60)]]],
    ['a list of 55 bytes', [bytes(54)]],
    ['a list of 56 bytes', [bytes(55)]],
  ]
  test.each(items)('writes %s as ethers does', (_, item) => {
    expect(encode(item)).toBe(encodeRlp(item))
  })

  test.each([
    ['0x0', '0x80'],
    ['0x00', '0x80'],
    ['0x7f', '0x7f'],
    ['0x080', '0x8180'],
    ['0x400', '0x820400'],
    ['0xFFFFF', '0x830fffff'],
  ])('writes the quantity %s as %s', (quantity, encoded) => {
    const writer = createRlpWriter()
    writer.quantity(quantity)
    expect(toHex(writer.view(0))).toBe(encoded)
  })

  test.each([
    '',
    '0',
    '0x1',
    '0xzz',
    `0x${'z'.repeat(80)}`,
    `${bytes(40)}zz`,
    null,
    5,
    {},
    undefined,
  ])('refuses %j for bytes', async (value) => {
    expect(await codeOf(() => createRlpWriter().hex(value))).toBe('bad_response')
  })

  test('writes a quantity that is padded to 256 bits, as some nodes send them', () => {
    const writer = createRlpWriter()
    writer.quantity(`0x${'7f'.padStart(64, '0')}`)
    expect(toHex(writer.view(0))).toBe('0x7f')
  })

  test.each([
    ...['', '0x', '12', '0xg', '0x-1', null, 5],
    `0x${'0'.repeat(65)}`,
    `0x${'7f'.padStart(65, '0')}`,
    `0x1${'0'.repeat(64)}`,
  ])('refuses %j for a quantity', async (value) => {
    expect(await codeOf(() => createRlpWriter().quantity(value))).toBe('bad_response')
  })

  test('takes no other character for a digit, not even one with the low byte of a digit', async () => {
    for (const length of [1, 8, 32, 33, 256, 1_000]) {
      const text = bytes(length, '0c')
      for (const at of [2, 3, text.length - 1]) {
        for (const shift of [0x80, 0x100, 0x200, 0xff00]) {
          const other = String.fromCharCode(text.charCodeAt(at) + shift)
          const altered = text.slice(0, at) + other + text.slice(at + 1)
          const code = await codeOf(() => createRlpWriter().hex(altered))
          expect([length, at, shift, code]).toEqual([length, at, shift, 'bad_response'])
        }
      }
    }
  })

  test('refuses bytes of another length than the format has', async () => {
    expect(await codeOf(() => createRlpWriter().hex(bytes(19), 20))).toBe('bad_response')
  })
})

describe('the trie of an ordered list', () => {
  /**
   * Computes the root from the definition of the trie, on nested arrays. Slow, but easy to verify.
   */
  const plainRoot = (values: string[]): string => {
    const entries = values.map((value, index): [string, string] => {
      const key = encodeRlp(
        index === 0 ? '0x' : `0x${index.toString(16).padStart(index > 255 ? 4 : 2, '0')}`,
      )
      return [key.slice(2), value]
    })
    return keccak256(encodeRlp(plainNode(entries)))
  }
  const plainNode = (entries: [string, string][]): Item => {
    const [first] = entries
    if (!first) return '0x'
    if (entries.length === 1) return [prefix(first[0], true), first[1]]
    let shared = 0
    while (entries.every(([key]) => key[shared] === first[0][shared])) shared += 1
    if (shared > 0) {
      const rest = entries.map(([key, value]): [string, string] => [key.slice(shared), value])
      return [prefix(first[0].slice(0, shared), false), plainRef(rest)]
    }
    const children = Array.from('0123456789abcdef', (digit) =>
      plainRef(
        entries
          .filter(([key]) => key.startsWith(digit))
          .map(([key, value]): [string, string] => [key.slice(1), value]),
      ),
    )
    return [...children, '0x']
  }
  const plainRef = (entries: [string, string][]): Item => {
    if (entries.length === 0) return '0x'
    const node = plainNode(entries)
    const encoded = encodeRlp(node)
    return encoded.length < 66 ? node : keccak256(encoded)
  }
  const prefix = (path: string, leaf: boolean) =>
    path.length % 2 === 1 ? `0x${leaf ? 3 : 1}${path}` : `0x${leaf ? 2 : 0}0${path}`

  test.each([1, 2, 3, 16, 17, 127, 128, 129, 130, 255, 256, 257, 300])(
    'has the root that its definition gives, with %i short and long values',
    async (count) => {
      const keccak = await loadKeccak()
      const writer = createRlpWriter()
      // Values of one and two bytes make nodes so short that the parent embeds them without a hash.
      const values = Array.from({ length: count }, (_, i) => bytes(1 + ((i * i * 7) % 90), '9c'))
      const root = orderedTrieRoot(count, writer, keccak, (index) => {
        for (let left = (values[index]?.length ?? 2) / 2 - 1; left > 0; left -= 1)
          writer.rawByte(0x9c)
      })
      expect(toHex(root)).toBe(plainRoot(values))
      expect(writer.mark()).toBe(0)
    },
  )
})
