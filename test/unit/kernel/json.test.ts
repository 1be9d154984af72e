import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber, parseExactJson, scanJson } from '../../../src/kernel/formats/json.ts'

const digits = (min: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},40}$`))
const whole = digits(1).map((text) => text.replace(/^0+(?=\d)/, ''))
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(digits(1), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.integer({ min: 0, max: 400 }))),
  )
  .map(([sign, before, after, power]) =>
    [sign, before, after === undefined ? '' : `.${after}`, ...(power ?? [])].join(''),
  )

/** Writes a decimal literal as an integer times a power of ten. */
const exact = (text: string): { units: bigint; power: number } => {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [before = '', after = ''] = mantissa.split('.')
  return { units: BigInt(before + after), power: Number(exponent) - after.length }
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [exact(one), exact(other)]
  const least = Math.min(a.power, b.power)
  return a.units * 10n ** BigInt(a.power - least) === b.units * 10n ** BigInt(b.power - least)
}

test('a number is parsed to a double where that is the same number, else its text is kept', () => {
  fc.assert(
    fc.property(literal, (source) => {
      const [parsed] = parseExactJson(`[${source}]`) as [unknown]
      if (parsed instanceof JsonNumber) {
        expect(parsed.source).toBe(source)
        const value = Number(source)
        expect(Number.isFinite(value) && isSame(String(value), source)).toBe(false)
      } else expect(isSame(String(parsed), source)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('everything else is parsed as JSON.parse does, and what it refuses is refused', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (text, at, put) => {
      const broken = text.slice(0, at % text.length) + put + text.slice(at % text.length)
      for (const source of [text, broken]) {
        let expected: unknown
        try {
          expected = JSON.parse(source)
        } catch {
          expect(() => parseExactJson(source)).toThrow(SyntaxError)
          continue
        }
        expect(JSON.parse(JSON.stringify(parseExactJson(source)))).toEqual(expected)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('digits and brackets within texts are neither numbers nor levels', () => {
  const text = '{"a":"[[[ 12345678901234567890 \\" [[ 1.10000000000000000001","b":[-1.5e3]}'
  expect(scanJson(text)).toEqual({ depth: 2, longestNumber: 6, hasInexact: false })
})
