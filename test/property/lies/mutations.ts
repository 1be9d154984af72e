import { GONE, isObject, type Json, type JsonObject } from './places.ts'

/**
 * The families of lies. A lie of the family `same value` is another way to write the true value.
 */
export type Family =
  | 'non-ASCII'
  | 'padding'
  | 'long padding'
  | 'missing'
  | 'extra'
  | 'repeated'
  | 'wrong type'
  | 'other value'
  | 'other form'
  | 'same value'
  | 'answer to another question'
  | 'refusal'

export type Mutation = {
  family: Family
  kind: string
  of: (value: Json) => Json | typeof GONE
}

/** All changes of a value that give another JSON text. */
export const mutationsOf = (value: Json): Mutation[] => {
  const seen = new Set([JSON.stringify(value)])
  const leftOut: Mutation = { family: 'missing', kind: 'left out', of: () => GONE }
  const all = [
    leftOut,
    ...WRONG_TYPES.map((other) => to('wrong type', nameOf(other), other)),
    to('wrong type', 'in a list', [value]),
    ...(typeof value === 'string' ? ofText(value) : []),
    ...(typeof value === 'number' ? ofNumber(value) : []),
    ...(typeof value === 'boolean' ? [to('other value', 'the opposite', !value)] : []),
    ...(value === null ? [to('other value', 'one', '0x1'), to('other value', 'a word', WORD)] : []),
    ...(Array.isArray(value) ? ofList(value) : []),
    ...(isObject(value) ? ofObject(value) : []),
  ]
  return all.filter((mutation) => {
    const changed = mutation.of(value)
    if (changed === GONE) return true
    const text = JSON.stringify(changed)
    return !seen.has(text) && seen.add(text)
  })
}

const WORD = `0x${'ab'.repeat(32)}`
export const HUGE = `0x${'f'.repeat(100_000)}`
const WRONG_TYPES: readonly Json[] = [null, true, 0, 1.5, [], {}, '', '0x', 'zz', HUGE]

const to = (family: Family, kind: string, value: Json): Mutation => ({
  family,
  kind,
  of: () => value,
})

const nameOf = (value: Json): string => (value === HUGE ? 'a huge text' : JSON.stringify(value))

const ofNumber = (value: number): Mutation[] => [
  { family: 'other value', kind: 'the next', of: (number) => Number(number) + 1 },
  to('other value', 'negative', -1),
  to('other value', 'huge', 1e300),
  to('same value', 'as a text', `0x${value.toString(16)}`),
]

const ofText = (value: string): Mutation[] => {
  const prefix = value.startsWith('0x') ? '0x' : ''
  const digits = value.slice(prefix.length)
  const pad = (zeros: number) => prefix + '0'.repeat(Math.max(0, zeros)) + digits
  const other = (digit: string | undefined) => (digit === '1' ? '2' : '1')
  return [
    ...lookalikesOf(prefix, digits),
    ...[1, 2, 64 - digits.length].map((zeros) => padding('padding', zeros, pad(zeros))),
    ...[65 - digits.length, 66 - digits.length, 65, 10_000].map((zeros) =>
      padding('long padding', zeros, pad(zeros)),
    ),
    to('other form', 'zeros behind', `${value}00`),
    to('other form', 'a space behind', `${value} `),
    to('other value', 'in its last digit', value.slice(0, -1) + other(value.at(-1))),
    to('other value', 'in its first digit', prefix + other(digits[0]) + digits.slice(1)),
    to('other value', 'all zeros', prefix + '0'.repeat(digits.length)),
    to('other value', 'all set', prefix + 'f'.repeat(digits.length)),
    to('other form', 'zero', '0x0'),
    to('other form', 'a word', WORD),
    to('other form', 'shorter', value.slice(0, -2)),
    to('same value', 'in capitals', prefix + digits.toUpperCase()),
    to('wrong type', 'a number', Number(value) || 7),
  ]
}

const padding = (family: Family, zeros: number, value: string): Mutation =>
  to(value.length > 66 ? 'long padding' : family, `${Math.max(0, zeros)} zeros`, value)

/**
 * Characters whose low byte is the right digit. A decoder that ignores the high byte reads the true
 * value.
 */
const lookalikesOf = (prefix: string, digits: string): Mutation[] =>
  [0x0100, 0x4e00, 0xff00].flatMap((high) => {
    const like = (digit: string) => String.fromCharCode(high | digit.charCodeAt(0))
    const name = `+ 0x${high.toString(16)}`
    const [first = '0', last = '0'] = [digits[0], digits.at(-1)]
    return [
      to('non-ASCII', `last digit ${name}`, prefix + digits.slice(0, -1) + like(last)),
      to('non-ASCII', `first digit ${name}`, prefix + like(first) + digits.slice(1)),
      to('non-ASCII', `all digits ${name}`, prefix + Array.from(digits, like).join('')),
    ]
  })

const ofList = (list: readonly Json[]): Mutation[] => [
  to('repeated', 'the last one', [...list, list.at(-1) ?? null]),
  to('extra', 'null', [...list, null]),
  to('extra', 'an object in front', [{}, ...list]),
  to('other value', 'reversed', list.toReversed()),
  to('missing', 'the last one', list.slice(0, -1)),
]

/** Fields from answers of other nodes, types or chains. */
const EXTRA: Readonly<JsonObject> = {
  nothing: 'at all',
  toString: '0x1',
  error: 'execution reverted',
  l1Fee: '0x5',
  blobGasPrice: '0x5',
  mint: '0x5',
  isSystemTx: true,
  encoded: '0x7f00',
  sender: `0x${'12'.repeat(20)}`,
  yParity: '0x5',
  depositNonce: '0x5',
  depositReceiptVersion: '0x1',
  requestsHash: WORD,
  type: '0x5',
  calls: [],
}

const ofObject = (object: JsonObject): Mutation[] =>
  Object.entries(EXTRA)
    .filter(([name]) => !Object.hasOwn(object, name))
    .map(([name, value]) => ({
      family: 'extra',
      kind: name,
      of: (whole) => (isObject(whole) ? { ...whole, [name]: value } : whole),
    }))
