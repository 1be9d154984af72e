import { expect, test } from 'vitest'
import { z } from 'zod'
import { moneyText } from '../../../src/domain/shared/index.ts'
import { parseBody, parseQuery } from '../../../src/edge/request/validate.ts'
import { DomainError } from '../../../src/kernel/errors.ts'
import { parseExactJson } from '../../../src/kernel/formats/json.ts'

const schema = z.object({
  amount: moneyText.optional(),
  donor: z.object({ walletAddress: z.string().optional() }).optional(),
  list: z.array(z.object({ name: z.string().optional() })).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
})
const parse = (text: string) => parseBody(schema, parseExactJson(text))

test('takes no number for an object, however many digits it has', () => {
  for (const number of ['1', '1e400', '1.0000000000000000001']) {
    for (const body of [`{"donor":${number}}`, `{"list":[{},${number}]}`, `{"free":${number}}`]) {
      expect(() => parse(body)).toThrow(/must be an object/)
    }
    expect(() => parse(number)).toThrow(/must be an object/)
  }
})

test('leaves exact numbers alone where numbers belong', () => {
  const text = '{"amount":1.0000000000000000001,"donor":{},"free":{"n":1e400}}'
  expect(parse(text)).toMatchObject({ amount: '1.0000000000000000001', donor: {} })
})

const refusalOf = (work: () => unknown): { code: string; error: string; paths: string[] } => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const paths = (error.details ?? []).map(({ path, message }) => `${path} ${message}`)
    return { code: error.code, error: error.message, paths }
  }
  throw new Error('It was taken.')
}

const strict = z.strictObject({
  ordered: z.boolean().optional(),
  target_amount: moneyText,
  milestones: z.array(z.strictObject({ title: z.string().optional() })).optional(),
})

test('refuses fields that it does not know, and names the nearest known ones', () => {
  const body = { orderd: true, targetAmount: '1', milestones: [{ titel: 'a' }], xyz: 1 }
  expect(refusalOf(() => parseBody(strict, body))).toEqual({
    code: 'unknown_parameter',
    error: 'milestones.0.titel is unknown: did you mean title?',
    paths: [
      'milestones.0.titel is unknown: did you mean title?',
      'orderd is unknown: did you mean ordered?',
      'targetAmount is unknown: did you mean target_amount?',
      'xyz is unknown',
      'target_amount is required',
    ],
  })
})

test('names twenty unknown fields at most, each by its beginning', () => {
  const body = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`${'x'.repeat(100)}${index}`, 1]),
  )
  const { paths } = refusalOf(() => parseBody(strict, body))
  expect(paths).toHaveLength(20)
  expect(paths[0]).toBe(`${'x'.repeat(64)} is unknown`)
})

test('takes a parameter of a query once, unless it is a list', () => {
  const query = z.strictObject({
    sort: z.string().optional(),
    status: z.array(z.enum(['draft', 'active', 'funded'])).optional(),
  })
  const refusal = (asked: Record<string, string[]>) =>
    refusalOf(() => parseQuery(query, asked)).error
  const two = { status: ['draft', 'active'] }
  expect(parseQuery(query, two)).toEqual(two)
  expect(refusal({ sort: ['a', 'b'] })).toBe('sort must be there once.')
  expect(refusal({ sorrt: ['a'] })).toBe('sorrt is unknown: did you mean sort?')
  expect(refusal({ status: ['draft', 'lost'] })).toBe('status.1 must be draft, active or funded.')
  expect(refusalOf(() => parseQuery(undefined, { a: ['1'] })).code).toBe('unknown_parameter')
})

test('says what is wrong in words of its own', () => {
  const schema = z.strictObject({
    text: z.string().min(2).max(3),
    name: z.string().min(1),
    whole: z.int().min(1).max(9),
    list: z.array(z.string()).max(1),
    id: z.uuid(),
    at: z.iso.datetime({ offset: true }),
    flag: z.boolean(),
    free: z.record(z.string(), z.string()),
  })
  const wrong = { text: 'a', name: '', whole: 1.5, list: ['a', 'b'], id: 'x', at: 'now', free: 1 }
  expect(refusalOf(() => parseBody(schema, wrong)).paths).toEqual([
    'text must have at least 2 characters',
    'name must not be empty',
    'whole must be a whole number',
    'list must have at most 1 item',
    'id must be a UUID',
    'at must be a time with a time zone, such as 2026-01-31T12:00:00Z',
    'flag is required',
    'free must be an object',
  ])
  const long = { ...wrong, text: 'abcd', whole: 10 }
  expect(refusalOf(() => parseBody(schema, long)).paths).toContain('whole must be at most 9')
  expect(refusalOf(() => parseBody(schema, [])).error).toBe('The body must be an object.')
})
