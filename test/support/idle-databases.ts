import postgres from 'postgres'
import { createDatabase, type Database } from '../../src/db/client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/**
 * A database with open connections. It is used again, because new connections cost about 150 ms of
 * processor time: each is a process with empty caches.
 */
export type TestPool = { database: TestDatabase; pool: Database; owner: postgres.Sql }

/**
 * The state of a new database: its catalogs, its tables with rows, and the content of these tables.
 */
type Template = { catalogs: string; filled: string[]; content: string }

/** The emptied databases of finished tests in this file. */
const idle: TestPool[] = []
let template: Promise<Template> | undefined

/** A database with more rows than this is dropped, because that is faster than deleting them. */
const MOST_ROWS = 1_000

export const takeDatabase = async (): Promise<TestPool> => {
  const left = idle.pop()
  if (left) return left
  const database = await createTestDatabase()
  const owner = postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {} })
  template ??= readTemplate(owner)
  await template
  return { database, owner, pool: createDatabase({ url: database.url, max: 4, name: 'test' }) }
}

/** Empties a database for the next test. Drops the database if it then differs from a new one. */
export const leaveDatabase = async (used: TestPool): Promise<void> => {
  const isNew = await empty(used).catch(() => false)
  if (isNew) idle.push(used)
  else await end(used)
}

export const endIdleDatabases = async (): Promise<void> => {
  await Promise.all(idle.splice(0).map(end))
}

const end = async ({ pool, owner, database }: TestPool): Promise<void> => {
  await Promise.all([pool.end({ timeout: 1 }), owner.end({ timeout: 1 })])
  await database.drop()
}

const empty = async ({ pool, owner }: TestPool): Promise<boolean> => {
  // Throws if the test has closed the pool.
  await pool`select 1`
  const [inUse] = await owner`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (application_name <> 'test' or state <> 'idle')
    union all
    select from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where locktype = 'advisory' and datname = current_database()`
  const before = await template
  if (inUse || !before || (await readCatalogs(owner)) !== before.catalogs) return false
  const used = (await tablesOf(owner)).filter((name) => !before.filled.includes(name))
  // Turns off the triggers that refuse to delete from the ledger.
  const deleted = await owner.unsafe(
    ['set session_replication_role = replica', ...used.map((name) => `delete from ${name}`)].join(
      ';',
    ),
  )
  const rows = [deleted].flat().reduce((sum, { count }) => sum + (count ?? 0), 0)
  await owner`
    select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    from pg_sequences where last_value is not null and schemaname <> 'drizzle'`
  return rows <= MOST_ROWS && (await readContent(owner, before.filled)) === before.content
}

const readTemplate = async (owner: postgres.Sql): Promise<Template> => {
  const filled = await tablesOf(owner)
  const content = await readContent(owner, filled)
  return { catalogs: await readCatalogs(owner), filled, content }
}

/** The tables that have rows, or have had rows. */
const tablesOf = async (owner: postgres.Sql): Promise<string[]> => {
  const rows = await owner<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname !~ '^(pg_|information_schema)'
      and pg_relation_size(pg_class.oid) > 0`
  return rows.map(({ name }) => name)
}

const readContent = async (owner: postgres.Sql, tables: readonly string[]): Promise<string> => {
  const parts = tables.map(
    (name) => `(select md5(string_agg(t::text, ' ' order by t::text)) from ${name} t)`,
  )
  const [row] = await owner.unsafe<{ content: string }[]>(
    `select concat_ws(' ', ${parts.join()}) as content`,
  )
  return row?.content ?? ''
}

const CATALOGS =
  'statistic class attribute trigger constraint index proc namespace policy rewrite type'

/** A text that changes with each change of the schema, even a reverted one, and with ANALYZE. */
const readCatalogs = async (owner: postgres.Sql): Promise<string> => {
  const parts = CATALOGS.split(' ').map(
    (name) => `(select concat(count(*), ' ', max(xmin::text::bigint)) from pg_${name})`,
  )
  const [row] = await owner.unsafe<{ catalogs: string }[]>(
    `select concat_ws(' ', ${parts.join()}) as catalogs`,
  )
  return row?.catalogs ?? ''
}
