import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { getTableColumns, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { toCamel } from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Queryable } from '../../../src/db/client.ts'
import * as schema from '../../../src/db/schema/index.ts'
import { createTestDatabase } from '../../support/database.ts'

const tables = Object.values(schema).filter((value) => is(value, PgTable))

/** Opens a migrated database as its owner. */
const openOwned = async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const owner = createDatabase({ url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  return owner
}

/** Lists every column, index and constraint of the tables, as PostgreSQL describes them. */
const describe = async (sql: Queryable): Promise<Record<string, string[]>> => {
  const rows = await sql<{ name: string; parts: string[] }[]>`
    with part as (
      select attrelid as oid,
             concat_ws(' ', attname, format_type(atttypid, atttypmod),
               case when attnotnull then 'not null' end,
               nullif(attidentity::text, ''), nullif(attgenerated::text, ''),
               pg_get_expr(adbin, adrelid)) as text
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
      union all
      select indrelid, pg_get_indexdef(indexrelid) from pg_index
      union all
      select conrelid, conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    )
    select relname as name, array_agg(part.text order by part.text) as parts
    from pg_class join part using (oid)
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    group by relname`
  return Object.fromEntries(rows.map(({ name, parts }) => [name, parts]))
}

test('the schema that row types come from is the schema of a migrated database', async () => {
  const migrated = await openOwned()
  const drawn = await openOwned()
  await drawn`drop schema public cascade`
  await drawn`create schema public`
  // The functions of indexes are written by hand in the migrations.
  const functions = await migrated<{ text: string }[]>`
    select pg_get_functiondef(oid) as text from pg_proc
    where proname in ('claim_key', 'transfer_key')`
  for (const { text } of functions) await drawn.unsafe(text)
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema))
  for (const statement of statements) await drawn.unsafe(statement)
  const found = await describe(migrated)
  expect(Object.keys(found)).toHaveLength(tables.length)
  expect(found).toEqual(await describe(drawn))
})

test('each column of a row type has the name under which the driver reads it', () => {
  const columns = tables.flatMap((table) => Object.entries(getTableColumns(table)))
  expect(columns.map(([key]) => key)).toEqual(columns.map(([, { name }]) => toCamel(name)))
})
