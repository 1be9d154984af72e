import type { Context } from '../../../db/context.ts'
import type { ChainState } from '../../../db/schema/chains.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import type { Sample } from '../../../kernel/ports/metrics.ts'
import { isUnexplained } from '../../shared/index.ts'
import { ageSeconds, MAX_COUNTED } from './age.ts'

type Row = Pick<ChainState, 'chainId' | 'cursorNumber' | 'finalizedNumber'> & {
  minedAt: Date | null
  idleS: number
  halted: boolean
  stalled: boolean
  differences: number
}

/** Reads the metrics of each chain from the database, so that all workers report equal values. */
export const readChains = async ({ sql, clock, settings }: Context): Promise<Sample[]> => {
  const rows = await sql<Row[]>`
    select state.chain_id, state.cursor_number, state.finalized_number, block.mined_at,
           abs(extract(epoch from clock_timestamp() - state.updated_at))::float8 as idle_s,
           state.halted_at is not null as halted,
           coalesce(state.problem ~ '^finality_(stalled|unproven)', false) as stalled,
           (select count(*)::int from ledger_difference difference
            where difference.chain_id = state.chain_id and ${isUnexplained(sql)}
           ) as differences
    from chain_state state
    left join chain_block block
      on block.chain_id = state.chain_id and block.number = state.cursor_number
    where state.chain_id = any(${settings.assets.chainIds}::bigint[])`
  const now = clock.now()
  return rows.flatMap(({ chainId: chain, ...row }): Sample[] => [
    ['fundproof_chain_cursor', { chain }, row.cursorNumber],
    ['fundproof_chain_finalized', { chain }, row.finalizedNumber],
    ['fundproof_chain_cursor_age_seconds', { chain }, ageSeconds(now, row.minedAt)],
    ['fundproof_chain_progress_age_seconds', { chain }, row.idleS],
    ['fundproof_chain_halted', { chain }, row.halted ? 1 : 0],
    ['fundproof_finality_stalled', { chain }, row.stalled ? 1 : 0],
    ['fundproof_ledger_differences_open', { chain }, row.differences],
  ])
}

type OpenRow = Pick<Donation, 'chainId' | 'status' | 'reason'> & { count: number; oldest: Date }

/**
 * Counts donations that wait for a check or for finality, by chain, status and reason. Both queries
 * use a partial index.
 */
export const readDonations = async ({ sql, clock, settings }: Context): Promise<Sample[]> => {
  const rows = await sql<OpenRow[]>`
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
