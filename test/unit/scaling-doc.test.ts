import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import * as schema from '../../src/db/schema/index.ts'
import { PRUNES } from '../../worker/jobs/upkeep.ts'

const TEXT = readFileSync(join(import.meta.dirname, '../../docs/scaling.md'), 'utf8')

/** Prunes that change rows and remove none. */
const CHANGES = ['retiredKeys', 'uselessDeliveries']

/** The names in each cell of the table with this heading, row by row. */
const cellsBelow = (heading: string): string[][][] => {
  const [, rows = ''] = TEXT.split(`\n| ${heading} |`)
  const [table = ''] = rows.split('\n\n')
  return table
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
    )
}

const removed = cellsBelow('Removed rows')
const stays = cellsBelow('Rows that stay')

describe('docs/scaling.md', () => {
  test('says of each table once whether its rows stay for ever or are removed', () => {
    const tables = Object.values(schema)
      .filter((one) => one instanceof PgTable)
      .map((table) => getTableConfig(table).name)
    const named = [...removed, ...stays].flatMap(([names = []]) => names)
    expect(named.toSorted()).toEqual(tables.toSorted())
  })

  test('names what removes rows as the worker names it, and leaves out none', () => {
    const named = removed.flatMap(([, prunes = []]) => prunes)
    const all = Object.keys(PRUNES).filter((name) => !CHANGES.includes(name))
    expect(named.toSorted()).toEqual(all.toSorted())
  })
})
