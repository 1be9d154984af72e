import type { Difference } from '../../../shared/index.ts'
import { among } from '../../ranges/slice.ts'
import { type Check, differenceOf, standingEntries } from './check-parts.ts'

/** Reports transfers whose block or generation (number of reversals) differs from their entries. */
export const checkBookedTransfers: Check = (sql, most, slice) =>
  sql<Difference[]>`
    with standing as (${standingEntries(sql, slice)})
    select distinct ${differenceOf(sql, 'transfer')}
    from standing
    join chain_transfer transfer
      on transfer.id = standing.transfer_id and standing.escrow_event_id is null
    cross join lateral (
      select 'block number', transfer.block_number::text, standing.block_number::text
      union all select 'block hash', hex_of(transfer.block_hash), hex_of(standing.block_hash)
      union all select 'generation', transfer.generation::text, standing.generation::text
    ) differing (what, stored, recomputed)
    where differing.stored is distinct from differing.recomputed
    limit ${most}`

/**
 * Reports transfers that contradict the stored blocks or their own other columns. Only `npm run
 * reconcile` compares transfers with the chain.
 */
export const checkTransfers: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select ${differenceOf(sql, 'transfer')}
    from chain_transfer transfer
    left join chain_state state on state.chain_id = transfer.chain_id
    left join chain_block block
      on block.chain_id = transfer.chain_id and block.number = transfer.block_number
    left join asset on asset.id = transfer.asset_id
    cross join lateral (
      select 'block number', transfer.block_number::text,
        case when transfer.block_number > state.cursor_number then state.cursor_number
             else transfer.block_number end::text
      union all select 'block hash', hex_of(transfer.block_hash),
        hex_of(coalesce(block.hash, transfer.block_hash))
      union all select 'time',
        transfer.mined_at::text, coalesce(block.mined_at, transfer.mined_at)::text
      union all select 'source', transfer.source, case
        when transfer.position >= 0 then 'log'
        when transfer.position = -1 then 'value'
        when transfer.source = 'value' then 'log, trace or balance'
        else transfer.source end
      union all select 'kind of asset',
        asset.kind, case when transfer.position >= 0 then 'erc20' else 'native' end
    ) differing (what, stored, recomputed)
    where differing.stored is distinct from differing.recomputed
      ${among(sql, 'transfer.id', slice, 'transfers')}
    limit ${most}`
