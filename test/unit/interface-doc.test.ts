import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STATUS_OF } from '../../src/edge/errors.ts'
import { EVENT_TYPES } from '../../src/outbox/events.ts'
import type { OpenApiDocument } from '../support/document.ts'
import { readInterface } from '../support/interface.ts'

/**
 * `docs/interface.md` names a test for each line of the interface. This file checks that these
 * tests exist.
 */
const DOCS = join(import.meta.dirname, '../../docs')
const page = readFileSync(join(DOCS, 'interface.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes(']('))
const document = JSON.parse(readInterface().text) as OpenApiDocument
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    operation,
    name: `${method.toUpperCase()} ${path}`,
  })),
)

test('has a row for every operation, and for none that does not exist', () => {
  const documented = rows.flatMap((row) => /^\| `([A-Z]+ \/[^`]*)` \|/.exec(row)?.[1] ?? [])
  expect(documented.toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
})

test('has a row for every event and every status', () => {
  for (const type of EVENT_TYPES) expect(page).toContain(`| \`${type}\` |`)
  for (const status of new Set(Object.values(STATUS_OF))) {
    expect(page).toContain(`| \`${status}\` |`)
  }
})

test('names only fields that the operation has', () => {
  const named = rows.flatMap((row) => {
    const [, fields = '', way, operationId] =
      /^\| ((?:`\w+`(?:, )?)+) \| (in|out) `(\w+)` \|/.exec(row) ?? []
    return [...fields.matchAll(/\w+/g)].map(([field]) => ({ field, way, operationId }))
  })
  expect(named.length).toBeGreaterThan(100)
  for (const { field, way, operationId } of named) {
    const operation = operations.find((one) => one.operation.operationId === operationId)?.operation
    const part = way === 'in' ? operation?.requestBody : operation?.responses
    expect(withParts(part), `${operationId}: ${field}`).toContain(`"${field}":{`)
  }
})

test('leads with every row to a test that is there', () => {
  for (const row of rows) {
    const [, name = '', path = ''] = /\[([^\]]+)\]\(([^)]+)\) \|$/.exec(row) ?? []
    const file = join(DOCS, path)
    expect(existsSync(file), `${path} is not there: ${row}`).toBe(true)
    expect(readFileSync(file, 'utf8'), `${path} has no such test: ${name}`).toContain(name)
  }
  expect(rows.length).toBeGreaterThan(200)
})

/**
 * Writes a part of the document as text, with all parts that it refers to directly or indirectly.
 */
const withParts = (part: unknown): string => {
  const seen = new Set<string>()
  let text = JSON.stringify(part ?? {})
  const refer = (to: string) => {
    for (const [, path = ''] of to.matchAll(/#\/components\/((?:schemas|responses)\/\w+)/g))
      seen.add(path)
  }
  refer(text)
  for (const path of seen) {
    const [kind = '', name = ''] = path.split('/')
    const referred = JSON.stringify(document.components[kind as 'schemas' | 'responses'][name])
    refer(referred)
    text += referred
  }
  return text
}
