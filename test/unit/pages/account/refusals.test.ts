import { describe, expect, test } from 'vitest'
import { DomainError } from '../../../../src/kernel/errors.ts'
import { refusalsOf, statusOf } from '../../../../src/pages/account/refusals.ts'
import { LANGUAGES } from '../../../../src/pages/shared/languages.ts'
import {
  type AccountTexts,
  accountTexts,
  type FieldName,
} from '../../../../src/pages/texts/account/index.ts'

const REFUSALS = Object.keys(accountTexts.en.refused) as (keyof AccountTexts['refused'])[]
const FIELDS = Object.keys(accountTexts.en.rules) as FieldName[]

describe.each(LANGUAGES)('in %s', (lang) => {
  const t = accountTexts[lang]

  test.each(REFUSALS)('explains %s', (code) => {
    const [error] = refusalsOf(new DomainError(code, 'In English.'), t)
    expect(error?.text).toBe(t.refused[code])
    expect(error?.text).not.toContain('In English.')
  })

  test.each(FIELDS)('explains the rule of %s once', (path) => {
    const detail = { path, message: 'in English' }
    const error = new DomainError('invalid_input', 'In English.', [detail, detail])
    expect(refusalsOf(error, t)).toEqual([{ field: path, text: t.rules[path] }])
  })
})

test('leaves errors that no form explains to the page of errors', () => {
  for (const error of [
    new Error('broken'),
    new DomainError('internal', 'Broken.'),
    new DomainError('invalid_input', 'Without a field.'),
    new DomainError('invalid_input', 'Foreign.', [{ path: 'other', message: 'is foreign' }]),
  ]) {
    expect(() => refusalsOf(error, accountTexts.en)).toThrow(error)
  }
})

test('answers a wrong password with 400, and other refusals with their status', () => {
  expect(statusOf(new DomainError('invalid_credentials', ''))).toBe(400)
  expect(statusOf(new DomainError('email_taken', ''))).toBe(409)
  expect(statusOf(new DomainError('rate_limited', ''))).toBe(429)
})
