import type { Collector } from '../../kernel/metrics.ts'
import type { Context } from '../context.ts'
import { readChains } from './chains.ts'
import { readConnections } from './connections.ts'
import { readDonations } from './donations.ts'
import { readSealing } from './sealing.ts'
import { readDeliveries, readEndpoints, readEvents } from './webhooks.ts'

/**
 * Metrics read from the rows, each in one statement over an index. `ctx` needs its own connections,
 * because the metrics must work while all other statements wait. Its database user must be the one
 * of all processes, to see the state of their connections.
 */
export const createCollectors = (ctx: Context): Collector[] => [
  {
    name: 'donations',
    gauges: ['fundproof_donations_open', 'fundproof_donations_oldest_open_seconds'],
    read: () => readDonations(ctx),
  },
  {
    name: 'chains',
    gauges: [
      'fundproof_chain_cursor',
      'fundproof_chain_finalized',
      'fundproof_chain_cursor_age_seconds',
      'fundproof_chain_progress_age_seconds',
      'fundproof_chain_halted',
      'fundproof_finality_stalled',
      'fundproof_ledger_differences_open',
    ],
    read: () => readChains(ctx),
  },
  {
    name: 'sealing',
    gauges: ['fundproof_ledger_unsealed_entries', 'fundproof_ledger_oldest_unsealed_seconds'],
    read: () => readSealing(ctx),
  },
  {
    name: 'events',
    gauges: [
      'fundproof_events_unrelayed',
      'fundproof_events_oldest_unrelayed_seconds',
      'fundproof_feed_wait_seconds',
    ],
    read: () => readEvents(ctx),
  },
  {
    name: 'deliveries',
    gauges: [
      'fundproof_webhook_deliveries_pending',
      'fundproof_webhook_oldest_pending_seconds',
      'fundproof_webhook_overdue_seconds',
    ],
    read: () => readDeliveries(ctx),
  },
  {
    name: 'endpoints',
    gauges: ['fundproof_webhook_endpoints', 'fundproof_webhook_endpoints_failing'],
    read: () => readEndpoints(ctx),
  },
  {
    name: 'connections',
    gauges: ['fundproof_database_connections'],
    read: () => readConnections(ctx),
  },
]
