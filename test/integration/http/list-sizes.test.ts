import { describe, expect, test } from 'vitest'
import { toJsonSchema } from '../../../src/api/openapi/json-schema.ts'
import type { Operation } from '../../../src/edge/operation.ts'
import { readInterface } from '../../support/interface.ts'
import { createTestApi } from './support/api.ts'
import { LARGEST_ITEMS } from './support/largest-items.ts'

const MOST_BYTES = 1_000_000

/** Whether the answer is a list, which a request can fill up to the length of a page. */
const isList = ({ operationId, answers }: Operation): boolean => {
  const schema = answers[200]?.schema
  if (!schema) return false
  const { properties = {} } = toJsonSchema(schema, 'output', {})
  return operationId.startsWith('list') || Object.hasOwn(properties as object, 'pagination')
}

test('every list has its largest answer measured here', () => {
  const lists = readInterface().operations.filter(isList)
  const measured = Object.keys(LARGEST_ITEMS)
  expect(
    lists.map(({ operationId }) => operationId).filter((id) => !measured.includes(id)),
  ).toEqual([])
})

describe('a hundred of the largest items take less than 1 MB in the answer of', () => {
  for (const [operationId, fill] of Object.entries(LARGEST_ITEMS)) {
    test(operationId, async () => {
      const api = await createTestApi()
      const { path, token, items } = await fill(api, await api.signIn())
      const { status, text, body } = await api.ask('GET', path, { token })
      expect(status, text.slice(0, 500)).toBe(200)
      expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES)
      expect((Object.values(body).find(Array.isArray) ?? []).length).toBeGreaterThanOrEqual(items)
    })
  }
})
