import { describe, expect, test } from 'vitest'
import { STATUS_OF } from '../../../src/edge/errors.ts'
import { EVENT_TYPES } from '../../../src/outbox/events.ts'
import { readInterface } from '../../support/interface.ts'
import { javascriptTables, phpTables, pythonTables } from './support/tables.ts'

const { text, operations } = readInterface()
const { schemas } = JSON.parse(text).components as {
  schemas: Record<string, { enum?: string[] }>
}
/**
 * Another test checks the error codes. The clients have `reconciliation.csv` instead of a choice of
 * formats.
 */
const NO_ENUM = ['ErrorCode', 'GetReconciliationFormat']
const values = Object.entries(schemas).flatMap(([name, { enum: known }]) =>
  known && !NO_ENUM.includes(name) ? [known] : [],
)

const javascript = javascriptTables()
const clients = [
  ['JavaScript', javascript],
  ['Python', pythonTables(false)],
  ['Python (async)', pythonTables(true)],
  ['PHP', phpTables()],
] as const

describe.each(clients)('%s', (_, tables) => {
  test('has every operation, and no other', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect([...new Set(Object.values(tables.operations))].sort()).toEqual(ids.sort())
  })

  test('has every event', () => {
    expect(tables.events.toSorted()).toEqual(EVENT_TYPES.toSorted())
  })

  test('has every error code', () => {
    expect(tables.codes.toSorted()).toEqual(Object.keys(STATUS_OF).sort())
  })

  test('has every value of every enum', () => {
    expect(values.length).toBeGreaterThan(40)
    const known = Object.values(tables.enums).map((one) => [...one])
    for (const one of values) expect(known).toContainEqual(one)
  })

  test('has the same tree of names as JavaScript', () => {
    expect(tables.operations).toEqual(javascript.operations)
    expect([...tables.methods].sort()).toEqual(javascript.methods.toSorted())
    expect(tables.enums).toEqual(javascript.enums)
  })

  test('has a method for each entry of its table, and one by hand', () => {
    const others = tables.methods.filter((method) => !(method in tables.operations))
    expect(others).toEqual(['donations.waitFor'])
    for (const method of Object.keys(tables.operations)) expect(tables.methods).toContain(method)
  })

  test('checks and makes webhooks without a client', () => {
    expect(tables.webhooks).toEqual(expect.arrayContaining(['sign', 'verify']))
  })
})
