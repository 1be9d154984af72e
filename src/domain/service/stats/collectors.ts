import type { Database } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Collector, Sample } from '../../../kernel/ports/metrics.ts'
import { findLostHead, LOOK_BACK } from '../../books/index.ts'
import { ageSeconds, MAX_COUNTED } from './age.ts'
import { readChains, readDonations } from './chains.ts'
import { readDeliveries, readEndpoints, readEvents } from './webhooks.ts'

/**
 * Creates collectors that read metrics from the database. `ctx` needs its own connections, because
 * metrics must work while other statements wait. All processes must use the same database user,
 * because PostgreSQL hides the state of other users' connections.
 */
export const createCollectors = (ctx: Context): Collector[] =>
  Object.entries({
    donations: readDonations,
    chains: readChains,
    sealing: readSealing,
    events: readEvents,
    deliveries: readDeliveries,
    endpoints: readEndpoints,
    connections: readConnections,
  }).map(([name, read]) => ({ name, read: () => read(ctx) }))

/** Measures how long the database takes to answer through this process's pool. */
export const createDatabaseCollector = (pool: Database): Collector => ({
  name: 'database',
  async read() {
    const start = performance.now()
    await pool`select 1`
    return [['fundproof_database_answer_seconds', {}, (performance.now() - start) / 1_000]]
  },
})

type Row = { application: string; state: string; count: number }

/** Counts the service's database connections by process name and state, such as `active`. */
const readConnections = async ({ sql }: Context): Promise<Sample[]> => {
  const rows = await sql<Row[]>`
    select application_name as application, coalesce(state, 'unknown') as state,
           count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and application_name like 'fundproof%'
    group by 1, 2`
  return rows.map(
    ({ application, state, count }): Sample => [
      'fundproof_database_connections',
      { application, state },
      count,
    ],
  )
}

/** Reads the entries without a seal, the age of the oldest, and if a restore stops the signing. */
const readSealing = async ({ sql, clock }: Context): Promise<Sample[]> => {
  const [row] = await sql<{ count: number; oldest: Date | null }[]>`
    select count(*)::int as count, min(created_at) as oldest
    from (
      select entry.created_at from ledger_entry entry
      where entry.id > coalesce((select max(entry_id) from sealed_entry), 0) - ${LOOK_BACK}::bigint
        and not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)
      limit ${MAX_COUNTED}
    ) unsealed`
  return [
    ['fundproof_ledger_unsealed_entries', {}, row?.count ?? 0],
    ['fundproof_ledger_oldest_unsealed_seconds', {}, ageSeconds(clock.now(), row?.oldest ?? null)],
    ['fundproof_ledger_restored', {}, (await findLostHead({ sql })) ? 1 : 0],
  ]
}
