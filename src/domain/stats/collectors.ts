import type { Database } from '../../db/client.ts'
import type { Collector } from '../../kernel/ports/metrics.ts'
import type { Context } from '../context.ts'
import { readChains } from './chains.ts'
import { readConnections } from './connections.ts'
import { readDonations } from './donations.ts'
import { readSealing } from './sealing.ts'
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
