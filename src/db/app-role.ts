import postgres from 'postgres'
import { StartError } from '../kernel/errors.ts'

/** The service may only read these tables and insert. Their triggers bind the owner too. */
export const APPEND_ONLY = [
  'ledger_account',
  'ledger_entry',
  'ledger_seal',
  'seal_key',
  'sealed_entry',
] as const

const SUFFIX = '_app'
/** In bytes; PostgreSQL cuts off longer names. */
const MAX_NAME = 63

/**
 * The role of the service. Roles belong to the whole cluster, so each owner has its own, and
 * databases of several owners can share a cluster.
 */
export const appRoleOf = (databaseUrl: string): string =>
  `${ownerOf(databaseUrl).slice(0, MAX_NAME - SUFFIX.length)}${SUFFIX}`

/** The user of the URL, or else of the environment, by the driver's rules. Opens no connection. */
const ownerOf = (databaseUrl: string): string => postgres(databaseUrl).options.user ?? ''

/**
 * Lets the owner work as the role, and creates the role if it is missing.
 *
 * @throws StartError with the SQL for a superuser
 */
export const createAppRole = async (sql: postgres.Sql, role: string): Promise<void> => {
  if (await canWorkAs(sql, role)) return
  const owner = sql.options.user ?? ''
  // Both fail if another migration of the cluster does the same at once.
  await sql`create role ${sql(role)} nologin`.catch(() => {})
  await sql`grant ${sql(role)} to ${sql(owner)}`.catch(() => {})
  if (await canWorkAs(sql, role)) return
  throw new StartError(
    `The role "${owner}" may not create the role "${role}". As a superuser run ` +
      `\`CREATE ROLE "${role}" NOLOGIN\` unless it exists, and \`GRANT "${role}" TO "${owner}"\`.`,
  )
}

const canWorkAs = async (sql: postgres.Sql, role: string): Promise<boolean> => {
  try {
    await sql`set role ${sql(role)}`
    await sql`reset role`
    return true
  } catch (error) {
    if (error instanceof postgres.PostgresError) return false
    throw error
  }
}

/** Grants all rights again on each `npm run migrate`: new tables and restored dumps lack them. */
export const grantToAppRole = async (sql: postgres.Sql, role: string): Promise<void> => {
  await sql.begin(async (sql) => {
    const app = sql(role)
    await sql`grant usage on schema public, drizzle to ${app}`
    await sql`grant select on drizzle.__drizzle_migrations to ${app}`
    await sql`grant select, insert, update, delete on all tables in schema public to ${app}`
    await sql`revoke update, delete, truncate on ${sql(APPEND_ONLY)} from ${app}`
    // The number of seals, stored outside the table of seals.
    await sql`grant select, update on sequence ledger_seal_id_seq to ${app}`
  })
}
