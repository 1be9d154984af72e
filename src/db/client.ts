import postgres from 'postgres'
import { appRoleOf } from './app-role.ts'
import { arrayTypes, safeInteger } from './array-types.ts'
import { type DatabasePlace, openDriver } from './connect.ts'
import { createPool, type Database } from './pool.ts'
import type { Connection } from './statement.ts'

export type { Database, Queryable, Transaction } from './pool.ts'
export type { Part } from './statement.ts'

/**
 * A database and, if `url` is a pooler that gives each transaction another session, also the
 * database itself.
 */
export type DatabaseAddress = DatabasePlace & { direct?: DatabasePlace | undefined }

type DatabaseOptions = DatabaseAddress & {
  max?: number
  /** The name in `pg_stat_activity`. */
  name?: string
  /** If false, connections work as the owner, for migrations and some checks. Default: true. */
  asAppRole?: boolean
  /** PostgreSQL ends a statement after this time. With 0, there is no limit. Default: 60 000. */
  statementTimeoutMs?: number
  /** A connection counts as dead if no answer comes within the statement timeout plus this time. */
  graceMs?: number
  /** The pool closes an unused connection after this time. 0 means never. Default: 10. */
  idleTimeoutS?: number
}

const INT8 = 20
const STATEMENT_TIMEOUT_MS = 60_000
const GRACE_MS = 10_000
/** A statement of the service waits at most this time for a lock, for example of a migration. */
const LOCK_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_S = 10

const optionsOf = new WeakMap<Database, DatabaseOptions>()

/**
 * Opens a pool. Unless `asAppRole` is false, connections use the role that may only add to the
 * ledger. Rows have `bigint` columns (block numbers, sequences) as safe numbers, `numeric` columns
 * (money) as text, `bytea` columns (hashes, addresses) as hex with 0x, and camelCase names.
 */
export const createDatabase = (options: DatabaseOptions): Database => {
  const { direct } = options
  // The owner's connections are few and need what a pooler refuses.
  if (direct && options.asAppRole === false) {
    return createDatabase({ ...options, ...direct, direct: undefined })
  }
  const settings = settingsOf(options)
  const database = createPool({
    open: (onClose) => open(options, direct ? {} : settings, onClose),
    // Behind a pooler, settings of a session would hold for the transactions of others.
    ...(direct && { inTransaction: setLocal(settings) }),
    max: options.max ?? 10,
    answerMs: answerMsOf(options),
    idleMs: (options.idleTimeoutS ?? IDLE_TIMEOUT_S) * 1_000 || Number.POSITIVE_INFINITY,
  })
  optionsOf.set(database, options)
  return database
}

/** Opens a connection outside the pool, for an advisory lock that ends with the connection. */
export const openConnection = (pool: Database): Database => {
  const options = optionsOf.get(pool) as DatabaseOptions
  const own = { ...options, ...options.direct, direct: undefined }
  return createDatabase({ ...own, max: 1, idleTimeoutS: 0 })
}

const answerMsOf = ({
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  graceMs = GRACE_MS,
}: DatabaseOptions) =>
  statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + graceMs

/** The settings of PostgreSQL with which the statements of a pool run. */
const settingsOf = (options: DatabaseOptions): Record<string, string | number> => ({
  ...(options.asAppRole === false
    ? {}
    : {
        role: appRoleOf(options.direct?.url ?? options.url),
        lock_timeout: LOCK_TIMEOUT_MS,
      }),
  statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: 60_000,
})

const setLocal = (settings: Record<string, string | number>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set local ${name} = '${String(value).replaceAll("'", "''")}'`)
    .join(';')

const open = (
  options: DatabaseOptions,
  settings: Record<string, string | number>,
  onclose: () => void,
): Connection =>
  openDriver(options, {
    max: 1,
    idle_timeout: 0,
    connect_timeout: 10,
    max_lifetime: null,
    onclose,
    onnotice: () => {},
    fetch_types: false,
    // A pooler need not know prepared statements.
    prepare: options.direct === undefined,
    transform: { column: { from: postgres.toCamel } },
    types: {
      ...arrayTypes(),
      bigint: {
        to: INT8,
        from: [INT8],
        serialize: (value: number) => value.toString(),
        parse: safeInteger,
      },
    },
    connection: { application_name: options.name ?? 'fundproof', ...settings },
  }) as Connection
