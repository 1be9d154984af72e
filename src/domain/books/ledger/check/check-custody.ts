import type { Queryable } from '../../../../db/client.ts'
import type { Difference } from '../../../shared/index.ts'
import { among } from '../../ranges/slice.ts'
import { isOfCampaign } from '../campaign-of-transfer.ts'
import type { Check } from './check-parts.ts'

/**
 * Reports transfers whose entries in the custody accounts have a wrong sum. The sum must be the
 * transfer's amount, or 0 if no block has the transfer. A sum of 0 is also right if the transfer's
 * block is not posted to the ledger yet, or if the transfer is not to a campaign. The payments of
 * escrows are left out, see `checkEscrows`.
 */
export const checkCustody: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select 'custody of transfer' as what, transfer.id::text as id, arrived.amount::text as stored,
           custody.amount::text as recomputed
    from chain_transfer transfer
    left join chain_state state on state.chain_id = transfer.chain_id
    cross join lateral (
      select moved.asset_id, sum(moved.amount) as amount
      from (
        select transfer.asset_id, 0 as amount
        union all
        select entry.asset_id,
               case when debit.kind = 'custody' then entry.amount else -entry.amount end
        from (
          ${bookingsOf(sql)}
          union all
          select reversal.* from (${bookingsOf(sql)}) booked
          join ledger_entry reversal on reversal.reverses = booked.id
        ) entry
        join ledger_account debit on debit.id = entry.debit_account
        join ledger_account credit on credit.id = entry.credit_account
        where 'custody' in (debit.kind, credit.kind) and entry.escrow_event_id is null
      ) moved group by moved.asset_id
    ) custody
    cross join lateral (select
      case when custody.asset_id = transfer.asset_id and state.chain_id is not null
             and transfer.block_number is not null
           then transfer.amount else 0 end as amount) arrived
    where custody.amount <> arrived.amount ${among(sql, 'transfer.id', slice, 'transfers')}
      and (custody.amount <> 0
        or (transfer.block_number <= state.booked_number and ${isOfCampaign(sql)}))
    limit ${most}`

/** SQL for a table named `transfer`: its entries, without reversals. */
const bookingsOf = (sql: Queryable) => sql`
  select * from ledger_entry
  where transfer_id = transfer.id and kind in ('deposit', 'donation', 'conversion')`

/** Reports entries in a custody account whose transfer does not exist. */
export const checkUnarrived: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select 'custody of transfer' as what, coalesce(entry.transfer_id::text, 'none') as id,
           '0' as stored,
           sum(case when debit.kind = 'custody' then entry.amount else -entry.amount end)::text
             as recomputed
    from ledger_entry entry
    join ledger_account debit on debit.id = entry.debit_account
    join ledger_account credit on credit.id = entry.credit_account
    where 'custody' in (debit.kind, credit.kind) and entry.escrow_event_id is null
      and not exists (select from chain_transfer transfer where transfer.id = entry.transfer_id)
      ${among(sql, 'entry.id', slice, 'entries')}
    group by entry.transfer_id limit ${most}`

/**
 * Reports campaigns whose unclaimed balance of an asset differs from the sum of their deposits. A
 * deposit counts if it is neither reversed nor credited to a donation. Refunds of escrows are left
 * out, see `checkEscrows`.
 */
export const checkUnclaimed: Check = (sql, most) =>
  sql<Difference[]>`
    with balance as (
      select entry.campaign_id, entry.asset_id,
             sum(case when credit.kind = 'unclaimed' then entry.amount else -entry.amount end)
               as amount
      from ledger_entry entry
      join ledger_account debit on debit.id = entry.debit_account
      join ledger_account credit on credit.id = entry.credit_account
      where 'unclaimed' in (debit.kind, credit.kind) and entry.escrow_event_id is null
      group by entry.campaign_id, entry.asset_id
    ), deposit as (
      select entry.campaign_id, transfer.asset_id, sum(transfer.amount) as amount
      from standing_entry entry
      join chain_transfer transfer on transfer.id = entry.transfer_id
      where entry.kind = 'deposit' and not exists (
        select from standing_entry claimed
        where claimed.kind = 'donation' and claimed.transfer_id = entry.transfer_id)
      group by entry.campaign_id, transfer.asset_id
    )
    select 'unclaimed of campaign' as what,
           coalesce(balance.campaign_id, deposit.campaign_id)::text as id,
           coalesce(balance.amount, 0)::text as stored,
           coalesce(deposit.amount, 0)::text as recomputed
    from balance
    full join deposit
      on deposit.campaign_id = balance.campaign_id and deposit.asset_id = balance.asset_id
    where coalesce(balance.amount, 0) <> coalesce(deposit.amount, 0)
    limit ${most}`
