import type { Donation } from '../../db/schema/donations.ts'
import type { Sample } from '../../kernel/ports/metrics.ts'
import type { Context } from '../context.ts'
import { ageSeconds, MAX_COUNTED } from './age.ts'

type Row = Pick<Donation, 'chainId' | 'status' | 'reason'> & { count: number; oldest: Date }

/**
 * Counts donations that wait for a check or for finality, by chain, status and reason. Both queries
 * use a partial index.
 */
export const readDonations = async ({ sql, clock, settings }: Context): Promise<Sample[]> => {
  const rows = await sql<Row[]>`
    select chain.id as chain_id, open.status, open.reason,
           count(*)::int as count, min(open.created_at) as oldest
    from unnest(${settings.assets.chainIds}::bigint[]) as chain (id)
    cross join lateral (
      (select status, reason, created_at from donation
       where chain_id = chain.id and status = 'pending' and next_check_at is not null
       limit ${MAX_COUNTED})
      union all
      (select status, reason, created_at from donation
       where chain_id = chain.id and status = 'confirming'
       limit ${MAX_COUNTED})
    ) open
    group by chain.id, open.status, open.reason`
  const now = clock.now()
  return rows.flatMap(({ chainId: chain, status, reason, count, oldest }): Sample[] => [
    ['fundproof_donations_open', { chain, status, reason }, count],
    ['fundproof_donations_oldest_open_seconds', { chain, status, reason }, ageSeconds(now, oldest)],
  ])
}
