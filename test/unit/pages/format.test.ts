import { expect, test } from 'vitest'
import {
  add,
  explorerLink,
  formatAmount,
  formatMoment,
  formatRelative,
  plural,
  shareOf,
  shorten,
  subtract,
} from '../../../src/pages/shared/format.ts'

test('writes amounts with all their digits, in the way of each language', () => {
  expect(formatAmount('en', '12345678901234567890.123456789012345678')).toBe(
    '12,345,678,901,234,567,890.123456789012345678',
  )
  expect(formatAmount('de', '1234.5')).toBe('1.234,50')
  expect(formatAmount('en', '1000')).toBe('1,000')
  expect(formatAmount('en', '1000', 2)).toBe('1,000.00')
})

test('calculates with decimal texts exactly', () => {
  expect(add('0.1', '0.2')).toBe('0.3')
  expect(add('12345678901234567890', '0.000000000000000001')).toBe(
    '12345678901234567890.000000000000000001',
  )
  expect(subtract('1000', '745.5')).toBe('254.5')
  expect(subtract('1', '2')).toBe('0')
  expect(subtract('5', '5')).toBe('0')
  expect(shareOf('1', '3')).toBe(333)
  expect(shareOf('5', '0')).toBe(0)
  expect(shareOf('0.00000001', '1000')).toBe(0)
})

test('writes times relative to now until they are long ago', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  const ago = (ms: number) => formatRelative('en', new Date(now.getTime() - ms), now)
  expect(ago(20_000)).toBe('now')
  expect(ago(4 * 60_000)).toBe('4 minutes ago')
  expect(ago(3 * 3_600_000)).toBe('3 hours ago')
  expect(ago(26 * 3_600_000)).toBe('yesterday')
  expect(ago(60 * 86_400_000)).toBe('Sep 24, 2026')
  expect(formatRelative('en', new Date(now.getTime() + 120_000), now)).toBe('in 2 minutes')
})

test('writes moments with the name of their time zone', () => {
  const at = new Date('2026-11-23T22:17:00Z')
  expect(formatMoment('en', at)).toMatch(/^Nov 23, 2026, 10:17\sPM UTC$/)
  expect(formatMoment('de', at, 'Europe/Berlin')).toBe('23. Nov. 2026, 23:17 MEZ')
  expect(formatMoment('fr', at, 'Asia/Tokyo')).toBe('24 nov. 2026, 07:17 UTC+9')
})

test('chooses the form of a word, and shortens hashes in the middle', () => {
  const forms = { one: 'don', other: 'dons' }
  expect([0, 1, 2].map((count) => plural('fr', count, forms))).toEqual(['don', 'don', 'dons'])
  expect(shorten('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720')).toBe('0xa0Ee…9720')
  expect(shorten('0xa0Ee')).toBe('0xa0Ee')
})

test('links to an explorer, with or without a slash at the end of its address', () => {
  for (const explorer of ['https://scan.example', 'https://scan.example/']) {
    expect(explorerLink({ explorer }, 'block', 7)).toBe('https://scan.example/block/7')
  }
  expect(explorerLink({ explorer: null }, 'tx', '0x12')).toBeUndefined()
  expect(explorerLink(undefined, 'tx', '0x12')).toBeUndefined()
})
