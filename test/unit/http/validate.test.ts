import { expect, test } from 'vitest'
import { z } from 'zod'
import { moneyText } from '../../../src/domain/money-input.ts'
import { parseBody } from '../../../src/http/validate.ts'
import { parseExactJson } from '../../../src/kernel/json.ts'

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
      expect(() => parse(body)).toThrow(/not valid/)
    }
    expect(() => parse(number)).toThrow(/not valid/)
  }
})

test('leaves exact numbers alone where numbers belong', () => {
  const text = '{"amount":1.0000000000000000001,"donor":{},"free":{"n":1e400}}'
  expect(parse(text)).toMatchObject({ amount: '1.0000000000000000001', donor: {} })
})
