import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type postgres from 'postgres'
import { messageOf, StartError } from '../kernel/errors.ts'
import { appRoleOf, createAppRole, grantToAppRole } from './app-role.ts'
import type { Queryable } from './client.ts'
import { openDriver } from './connect.ts'
import { isNotPermitted, isRefusedParameter, isRoleMissing } from './errors.ts'
import { withEveryTable } from './table-locks.ts'

export const MIGRATIONS = join(import.meta.dirname, 'migrations')
/** The id of an advisory lock (any constant), so that only one migration runs at a time. */
const MIGRATION_LOCK = 7_310_420_117

type Journal = { entries: { when: number; tag: string }[] }

type MigrateOptions = {
  /** The folder of the migrations. Default: the folder of this version. */
  folder?: string
  /** `migrate` tries at most this number of times to lock all tables. */
  maxTries?: number
}

const entriesOf = (folder: string): Journal['entries'] =>
  (JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal).entries

const newestIn = (folder: string) => entriesOf(folder).at(-1) ?? { when: 0, tag: 'none' }

/**
 * Migrates a database to this version's schema, and grants the service's role its rights. Other
 * migrations and running processes wait until the migration ends. Throws StartError on failure.
 */
export const migrate = async (databaseUrl: string, options: MigrateOptions = {}): Promise<void> => {
  const { folder = MIGRATIONS, maxTries } = options
  // If this process stops in a transaction, the server ends the transaction and frees its locks.
  const timeout = { idle_in_transaction_session_timeout: 60_000 }
  const connection = { application_name: 'fundproof migrate', ...timeout }
  const driver = { max: 1, onnotice: () => {}, connect_timeout: 10, connection }
  const sql = openDriver({ url: databaseUrl }, driver)
  try {
    const role = appRoleOf(databaseUrl)
    await assertEncoding(sql)
    const [set] = await sql`
      select current_setting('idle_in_transaction_session_timeout') = '1min' as timeout`
    if (!set?.timeout) throw new StartError(NO_DIRECT)
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`
    const applied = await newestApplied(sql)
    if (applied === 0) await assertEmpty(sql)
    if (applied > newestIn(folder).when) throw newerSchema()
    if (applied > 0 && applied < (entriesOf(folder)[0]?.when ?? 0)) throw new StartError(TOO_OLD)
    await createAppRole(sql, role)
    await applyPending(sql, folder, applied, maxTries)
    await mendRestoredFeed(sql, maxTries)
    await grantToAppRole(sql, role)
    await analyzeTables(sql)
  } catch (error) {
    if (error instanceof StartError) throw error
    if (isRefusedParameter(error)) throw new StartError(NO_DIRECT)
    const remedy = isNotPermitted(error) ? ' DATABASE_URL must name the owner of the database.' : ''
    throw new StartError(`The database could not be migrated: ${reasonOf(error)}.${remedy}`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Throws StartError unless the encoding of the database is UTF8. */
const assertEncoding = async (sql: postgres.Sql): Promise<void> => {
  const [row] = await sql`show server_encoding`
  if (row?.server_encoding === 'UTF8') return
  throw new StartError(
    `The database has the encoding ${row?.server_encoding}. ` +
      "Create it with `TEMPLATE template0 ENCODING 'UTF8'`.",
  )
}

/** Throws StartError if the database has tables. Tables of an extension do not count. */
const assertEmpty = async (sql: postgres.Sql): Promise<void> => {
  const [table] = await sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') limit 1`
  if (!table) return
  throw new StartError(
    `The database has the table ${table.name} of another program: DATABASE_URL must name a database of its own.`,
  )
}

/** Applies all pending migrations in one transaction, and records them in Drizzle's table. */
const applyPending = async (
  sql: postgres.Sql,
  folder: string,
  applied: number,
  maxTries?: number,
): Promise<void> => {
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  const pending = migrations.filter(({ folderMillis }) => folderMillis > applied)
  if (pending.length === 0) return
  await sql`create schema if not exists drizzle`
  await sql`
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`
  const apply = async (sql: postgres.TransactionSql): Promise<void> => {
    for (const { sql: statements, hash, folderMillis } of pending) {
      for (const statement of statements) await sql.unsafe(statement)
      await sql`
        insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
    }
  }
  await withEveryTable(sql, apply, maxTries)
}

/** Gathers statistics of tables that have rows and no statistics, for example after a restore. */
const analyzeTables = async (sql: postgres.Sql): Promise<void> => {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_stat_user_tables present
    where schemaname = 'public' and pg_relation_size(relid) > 0 and not exists (
      select from pg_stats where schemaname = 'public' and tablename = present.relname)`
  for (const { name } of tables) await sql`analyze ${sql(name)}`
}

/**
 * Throws StartError unless the connections of `sql` have the role of the service, and the database
 * has exactly the schema of this version.
 */
export const assertSchema = async (sql: Queryable): Promise<void> => {
  const applied = await newestApplied(sql).catch((error) => {
    if (isRefusedParameter(error)) throw new StartError(NO_DIRECT)
    throw isRoleMissing(error) ? new StartError(NO_ROLE) : error
  })
  // Some poolers ignore the role that a connection asks for.
  const [login] = await sql`select current_user::text = session_user::text as kept`
  if (login?.kept) throw new StartError(NO_DIRECT)
  const known = newestIn(MIGRATIONS)
  if (applied > known.when) throw newerSchema()
  if (applied < known.when) {
    throw new StartError(
      `The database's schema is older than ${known.tag}: run \`npm run migrate\`.`,
    )
  }
}

/** The number of the newest migration that this version of the service knows. */
export const newestKnown = (): number => newestIn(MIGRATIONS).when

/** The number of the newest migration in the database; 0 if there is none. */
export const newestApplied = async (sql: postgres.Sql | Queryable): Promise<number> => {
  const ask = sql as Queryable
  const [table] = await ask`select to_regclass('drizzle.__drizzle_migrations') as name`
  if (table?.name === null) return 0
  const [row] = await ask`select max(created_at)::text as newest from drizzle.__drizzle_migrations`
  return Number(row?.newest ?? 0)
}

const newerSchema = (): StartError =>
  new StartError(
    'The database has a newer schema than this version of Fundproof: start the newer version.',
  )

const TOO_OLD =
  'The database is from before the first release and cannot be migrated: create a new database.'

const NO_DIRECT =
  'Wrong setting: DATABASE_URL names a pooler, which needs DATABASE_DIRECT_URL: the address of PostgreSQL itself.'

const NO_ROLE = 'The role of the service is missing or lacks rights: run `npm run migrate`.'

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return messageOf(cause) || String((cause as { code?: string }).code)
}

/**
 * Repairs the event feed after a restore into another database cluster. The feed hides events whose
 * transaction ids this cluster has not reached yet. Moves these events to the beginning of the
 * feed, in their order.
 */
const mendRestoredFeed = async (sql: postgres.Sql, maxTries?: number): Promise<void> => {
  const [ahead] = await sql`
    select from event where tx >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`
  if (!ahead) return
  const mend = async (sql: postgres.TransactionSql): Promise<void> => {
    await sql`
      update event set tx = '1' where tx >= pg_snapshot_xmax(pg_current_snapshot())`
    await sql`
      update event_audience set tx = '1' where tx >= pg_snapshot_xmax(pg_current_snapshot())`
  }
  await withEveryTable(sql, mend, maxTries)
}
