import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { messageOf, StartError } from '../kernel/errors.ts'
import { appRoleOf, createAppRole, grantToAppRole } from './app-role.ts'
import type { Queryable } from './client.ts'
import { isRoleMissing } from './errors.ts'
import { mendRestoredFeed } from './restored-feed.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
/** Any constant: it only keeps two migrations of one database apart. */
const MIGRATION_LOCK = 7_310_420_117

type Journal = { entries: { when: number; tag: string }[] }

const newestKnown = (): { when: number; tag: string } => {
  const journal = JSON.parse(readFileSync(join(FOLDER, 'meta/_journal.json'), 'utf8')) as Journal
  return journal.entries.at(-1) ?? { when: 0, tag: 'none' }
}

/** Brings a database to this version's schema. Safe to run from several processes at once. */
export const migrate = async (databaseUrl: string): Promise<void> => {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 10 })
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`
    await refuseNewer(sql)
    const role = appRoleOf(databaseUrl)
    await createAppRole(sql, role)
    await runMigrations(drizzle(sql), { migrationsFolder: FOLDER })
    await grantToAppRole(sql, role)
    await mendRestoredFeed(sql)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`The database could not be migrated: ${reasonOf(error)}.`)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Throws StartError unless the schema is exactly this version's. */
export const assertSchema = async (sql: Queryable): Promise<void> => {
  const applied = await newestApplied(sql).catch((error) => {
    throw isRoleMissing(error) ? new StartError(NO_ROLE) : error
  })
  const known = newestKnown()
  if (applied > known.when) throw newerSchema()
  if (applied < known.when) {
    throw new StartError(
      `The database's schema is older than ${known.tag}: run \`npm run migrate\`.`,
    )
  }
}

const refuseNewer = async (sql: postgres.Sql): Promise<void> => {
  if ((await newestApplied(sql)) > newestKnown().when) throw newerSchema()
}

/** Of whoever asks: the driver itself, while it migrates, or a pool. */
const newestApplied = async (sql: postgres.Sql | Queryable): Promise<number> => {
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

const NO_ROLE = 'The role of the service is missing or lacks rights: run `npm run migrate`.'

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return messageOf(cause) || String((cause as { code?: string }).code)
}
