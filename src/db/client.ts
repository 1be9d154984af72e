import postgres from 'postgres'

/** A pool of connections, or one transaction: both run the same tagged templates. */
export type Database = postgres.Sql<{ bigint: number }>
export type Transaction = postgres.TransactionSql<{ bigint: number }>
export type Queryable = Database | Transaction

export const APP_ROLE = 'fundproof_app'

export type DatabaseOptions = {
  url: string
  max?: number
  /** The name in `pg_stat_activity`. */
  name?: string
  /** False only for migrations and checks that must work as the owner. */
  asAppRole?: boolean
  statementTimeoutMs?: number
}

const INT8 = 20
const LONGEST_RECONNECT_S = 1

/**
 * Opens a pool. Every connection works as the role that may only add to the ledger.
 * `bigint` columns (block numbers, sequences) come as numbers, checked to be safe; `numeric`
 * (money) stays text.
 */
export const createDatabase = (options: DatabaseOptions): Database =>
  postgres(options.url, {
    max: options.max ?? 10,
    idle_timeout: 60,
    connect_timeout: 10,
    max_lifetime: null,
    backoff: reconnectS,
    onnotice: () => {},
    types: {
      bigint: {
        to: INT8,
        from: [INT8],
        serialize: (value: number) => value.toString(),
        parse: safeInteger,
      },
    },
    connection: {
      application_name: options.name ?? 'fundproof',
      ...(options.asAppRole === false ? {} : { role: APP_ROLE }),
      statement_timeout: options.statementTimeoutMs ?? 60_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  })

/**
 * Seconds until a lost connection is tried again, jittered. Unlike the driver's own up to 20 s, after
 * which a request that waited for it would long have been given up.
 */
const reconnectS = (retries: number): number =>
  (0.5 + Math.random() / 2) * Math.min(LONGEST_RECONNECT_S, 3 ** retries / 100)

/**
 * One more connection beside a pool's, for what lasts as long as its connection does: an advisory
 * lock. Not one of the pool's own: postgres.js 3.4.9 never answers on a reserved one that broke.
 */
export const openConnection = (pool: Database): Database =>
  // Options that were parsed before are taken as they are, though their type does not say so.
  postgres({ ...pool.options, max: 1, idle_timeout: 0 } as unknown as postgres.Options<{
    bigint: postgres.PostgresType<number>
  }>)

const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
