import postgres from 'postgres'
import { StartError } from '../kernel/errors.ts'
import { loginOf } from './connect.ts'

/** The service may only read and insert rows here. Triggers refuse changes by the owner too. */
export const APPEND_ONLY = [
  'ledger_account',
  'ledger_entry',
  'ledger_seal',
  'seal_key',
  'sealed_entry',
] as const

const SUFFIX = '_app'
/** A role's name has at most this number of bytes. PostgreSQL cuts longer names. */
const MAX_NAME = 63

/**
 * Returns the name of the service's role: the database owner's name and `_app`. A fixed name could
 * clash, because all databases of a cluster share the cluster's roles.
 */
export const appRoleOf = (databaseUrl: string): string =>
  `${loginOf(databaseUrl).user.slice(0, MAX_NAME - SUFFIX.length)}${SUFFIX}`

/**
 * Creates the role if it is missing, and lets the owner switch to it (SET ROLE).
 *
 * @throws StartError if the owner may not do this. The message has the SQL for a superuser.
 */
export const createAppRole = async (sql: postgres.Sql, role: string): Promise<void> => {
  if (await canWorkAs(sql, role)) return
  const owner = sql.options.user ?? ''
  // Ignores errors, because another migration in the cluster may run these statements as well.
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

/** Grants the role its rights. Each migration repeats this, because new tables lack the rights. */
export const grantToAppRole = async (sql: postgres.Sql, role: string): Promise<void> => {
  await sql.begin(async (sql) => {
    const app = sql(role)
    await sql`grant usage on schema public, drizzle to ${app}`
    await sql`grant select on drizzle.__drizzle_migrations to ${app}`
    await sql`grant select, insert, update, delete on all tables in schema public to ${app}`
    await sql`revoke update, delete, truncate on ${sql(APPEND_ONLY)} from ${app}`
    // The sequence keeps the id of the newest seal, so that a check notices a deleted newest seal.
    await sql`grant select, update on sequence ledger_seal_id_seq to ${app}`
  })
}
