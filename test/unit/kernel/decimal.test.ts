import { expect, test } from 'vitest'
import { withoutExponent } from '../../../src/kernel/money/decimal.ts'

test.each([
  ['12.50', '12.50'],
  ['-3', '-3'],
  ['1e+21', '1000000000000000000000'],
  ['1.5E3', '1500'],
  ['1.2345e2', '123.45'],
  ['-1.5e-3', '-0.0015'],
  ['1e-7', '0.0000001'],
  ['0e5', '0'],
  ['12e-1', '1.2'],
])('%s is %s without an exponent', (source, plain) => {
  expect(withoutExponent(source)).toBe(plain)
})
