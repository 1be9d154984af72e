import { expect, test } from 'vitest'
import { MetricFields } from '../../../src/domain/impact/index.ts'
import { JsonNumber } from '../../../src/kernel/json.ts'

test.each([
  ['12.50', '12.50'],
  ['-3', '-3'],
  ['1e21', '1000000000000000000000'],
  ['1.5E3', '1500'],
  ['1.2345e2', '123.45'],
  ['-1.5e-3', '-0.0015'],
  ['0e5', '0'],
  ['12e-1', '1.2'],
])('a metric of %s is kept as %s, without an exponent', (source, kept) => {
  expect(MetricFields.number.parse(source)).toBe(kept)
  expect(MetricFields.number.parse(new JsonNumber(source))).toBe(kept)
})

test('writes a number of JavaScript without an exponent too', () => {
  expect(MetricFields.number.parse(1e21)).toBe('1000000000000000000000')
})
