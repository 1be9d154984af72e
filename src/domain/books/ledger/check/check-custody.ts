import type { Queryable } from '../../../../db/client.ts'
import type { Difference } from '../../../shared/index.ts'
import { isOfCampaign } from '../campaign-of-transfer.ts'
import { among, type Check, type Slice } from './check-parts.ts'

/**
 * Reports transfers whose entries in the custody accounts have a wrong sum. The sum must be the
 * transfer's amount, or 0 if no block has the transfer. A sum of 0 is also right if the transfer's
 * block is not posted to the ledger yet, or if the transfer is not to a campaign. The payments of
 * escrows are left out, see `checkEscrows`.
 */
export const checkCustody: Check = (sql, most, slice) =>
  sql<Difference[]>`
    with custody as (
      select entry.transfer_id, entry.asset_id,
             sum(case when debit.kind = 'custody' then entry.amount else -entry.amount end) as amount
      from ledger_entry entry
      join ledger_account debit on debit.id = entry.debit_account
      join ledger_account credit on credit.id = entry.credit_account
      where 'custody' in (debit.kind, credit.kind) and entry.escrow_event_id is null
        ${slice ? sql`and entry.id in (${bookingsOf(sql, slice)})` : sql``}
      group by entry.transfer_id, entry.asset_id
    ), arrived as (
      select transfer.id, transfer.asset_id,
             case when transfer.block_number is null then 0 else transfer.amount end as amount,
             transfer.block_number <= chain_state.booked_number and ${isOfCampaign(sql)} as due
      from chain_transfer transfer
      join chain_state on chain_state.chain_id = transfer.chain_id
      where true ${among(sql, 'transfer.id', slice, 'transfers')}
    )
    select 'custody of transfer' as what,
           coalesce(coalesce(arrived.id, custody.transfer_id)::text, 'none') as id,
           coalesce(arrived.amount, 0)::text as stored, coalesce(custody.amount, 0)::text as recomputed
    from arrived
    full join custody
      on custody.transfer_id = arrived.id and custody.asset_id = arrived.asset_id
    where coalesce(custody.amount, 0) <> coalesce(arrived.amount, 0)
      and (coalesce(arrived.due, false) or coalesce(custody.amount, 0) <> 0)
    limit ${most}`

/** SQL for the ids of the entries of a slice's transfers, and of the reversals of these entries. */
const bookingsOf = (sql: Queryable, slice: Slice) => sql`
  with booked as (
    select id from ledger_entry
    where kind in ('deposit', 'donation', 'conversion')
      ${among(sql, 'transfer_id', slice, 'transfers')}
  )
  select id from booked
  union all
  select reversal.id from booked join ledger_entry reversal on reversal.reverses = booked.id`

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
    ), standing as (
      select * from standing_entry where kind in ('deposit', 'donation')
    ), deposit as (
      select standing.campaign_id, transfer.asset_id, sum(transfer.amount) as amount
      from standing
      join chain_transfer transfer on transfer.id = standing.transfer_id
      where standing.kind = 'deposit' and not exists (
        select from standing claimed
        where claimed.kind = 'donation' and claimed.transfer_id = standing.transfer_id)
      group by standing.campaign_id, transfer.asset_id
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
