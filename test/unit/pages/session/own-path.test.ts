import { expect, test } from 'vitest'
import { ownPath } from '../../../../src/pages/session/own-path.ts'

test.each([
  '/',
  '/c/wells-for-kitui/donate?amount=25&asset=USDC',
  '/d/0190a1b2?lang=de#proof',
  '/account#wallets',
])('keeps the own path %s', (path) => {
  expect(ownPath(path)).toBe(path)
})

test.each([
  null,
  undefined,
  '',
  'account',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  '/\n/evil.example/',
  '/.//evil.example/',
  '/..//evil.example/',
  '/a/../..//evil.example/',
  'javascript:alert(1)',
  ' /account',
])('does not follow %j', (text) => {
  expect(ownPath(text)).toBe('/account')
})

test('writes a path so that a header can hold it', () => {
  expect(ownPath('/c/wells\r\nSet-Cookie: a=b')).toBe('/c/wellsSet-Cookie:%20a=b')
  expect(ownPath('/c/größe')).toBe('/c/gr%C3%B6%C3%9Fe')
})
