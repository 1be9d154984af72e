import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, hashCanonicalJson } from '../../../src/kernel/formats/canonical-json.ts'
import { JsonNumber, parseExactJson } from '../../../src/kernel/formats/json.ts'

/** The sample of RFC 8785, section 3.2.2. */
const SAMPLE = String.raw`{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`

/** The expected bytes of RFC 8785, section 3.2.4. */
const SAMPLE_BYTES = `
  7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e
  75 6d 62 65 72 73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30
  2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24
  5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d`

/** The unsorted sample of RFC 8785, section 3.2.3. */
const UNSORTED = String.raw`{
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
}`

/** RFC 8785, appendix B: the bits of a double, and its text. */
const NUMBERS: [bits: string, text: string][] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

const doubleOf = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE()

describe('RFC 8785', () => {
  test('writes the sample of section 3.2.2 as the bytes of section 3.2.4', () => {
    const expected = Buffer.from(SAMPLE_BYTES.replaceAll(/\s/g, ''), 'hex').toString('utf8')
    expect(canonicalJson(JSON.parse(SAMPLE))).toBe(expected)
    expect(canonicalJson(parseExactJson(SAMPLE))).toBe(expected)
  })

  test('sorts members as section 3.2.3 does', () => {
    expect(Object.values(JSON.parse(canonicalJson(JSON.parse(UNSORTED))))[0]).toBe('One')
    const order = [...canonicalJson(JSON.parse(UNSORTED)).matchAll(/:"([^"]+)"/g)]
    expect(order.map(([, text]) => text)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.each(NUMBERS)('writes the double %s as %s', (bits, text) => {
    expect(canonicalJson(doubleOf(bits))).toBe(text)
    expect(canonicalJson(new JsonNumber(text))).toBe(text)
  })

  test.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
    'refuses %s, which is no number of JSON',
    (bits) => {
      expect(() => canonicalJson(doubleOf(bits))).toThrow('not finite')
    },
  )
})

test('refuses what has no canonical form', () => {
  expect(() => canonicalJson(parseExactJson('1e400'))).toThrow('not finite')
  expect(() => canonicalJson('\ud83d')).toThrow('surrogate')
  expect(() => canonicalJson({ '\udc00': 1 })).toThrow('surrogate')
  expect(() => canonicalJson([undefined])).toThrow('not JSON')
  expect(() => canonicalJson(1n)).toThrow('not JSON')
  const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown
  expect(() => canonicalJson(deep)).toThrow('deeply')
})

test('is the same text for every order and spacing, and the same value when it is read again', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(canonicalJson(reversed(value))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const)
  return Object.fromEntries(members.reverse())
}

test('hashes the canonical text, members that are undefined left out', () => {
  // The expected hashes are ethers' keccak256(toUtf8Bytes('{}')) and keccak256(toUtf8Bytes('[]')).
  expect(hashCanonicalJson({ absent: undefined })).toBe(
    '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d',
  )
  expect(hashCanonicalJson([])).toBe(
    '0x518674ab2b227e5f11e9084f615d57663cde47bce1ba168b4c19c7ee22a73d70',
  )
})
