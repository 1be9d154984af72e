import type { Queryable } from '../../../../db/client.ts'
import type { Difference } from '../../../shared/index.ts'
import { eventsOf, idIn, keptSince } from './event-facts.ts'

/** SQL for the amount of this name in an event's body. */
const valueIn = (sql: Queryable, name: string) =>
  sql`split_part(split_part(body, ${`"${name}":{"value":"`}, 2), '"', 1)`

/** SQL for base units as the decimal text of `formatUnits`. */
const unitsText = (sql: Queryable, amount: string, decimals: string) =>
  sql`trim_scale(${sql(amount)} * ('1e-' || ${sql(decimals)})::numeric)::text`

/**
 * Compares events with the ledger entries that they report: credits, refunds, releases and
 * surpluses. Each event needs its entry. Each unreversed entry needs its event while events are
 * kept. Compared are the campaign, the amount, the credited amount, the status, and the
 * transaction.
 */
export const checkMoneyEvents = (sql: Queryable, most: number, now: Date) => sql<Difference[]>`
  with due as (
    select case when entry.kind = 'donation' then 'donation.completed'
                when entry.kind = 'refund' then 'donation.refunded'
                when entry.milestone_id is null then 'campaign.surplus.released'
                else 'milestone.released' end as type,
           coalesce(entry.donation_id, entry.milestone_id, entry.campaign_id)::text as id,
           concat_ws(' ', entry.campaign_id, ${unitsText(sql, 'entry.amount', 'asset.decimals')},
             case when entry.kind = 'donation' then
               case when account.kind <> 'exchange'
                    then ${unitsText(sql, 'entry.amount', 'asset.decimals')}
                    else coalesce(${unitsText(sql, 'conversion.amount', 'currency.decimals')}, '0')
               end || ' completed' end,
             hex_of(coalesce(event.tx_hash, transfer.tx_hash))) as fact,
           reversal.id is null and entry.created_at > ${keptSince(now)} as is_required,
           entry.id as place
    from ledger_entry entry
    join ledger_account account on account.id = entry.credit_account
    join asset on asset.id = entry.asset_id
    left join ledger_entry reversal on reversal.reverses = entry.id
    left join ledger_entry conversion on conversion.kind = 'conversion'
      and conversion.transfer_id = entry.transfer_id and conversion.donation_id = entry.donation_id
      and conversion.generation = entry.generation
    left join asset currency on currency.id = conversion.asset_id
    left join chain_transfer transfer on transfer.id = entry.transfer_id
    left join escrow_event event on event.id = entry.escrow_event_id
    where entry.kind in ('donation', 'release')
      or (entry.kind = 'refund' and entry.donation_id is not null)
  ), sent as (
    select type,
           case type when 'milestone.released' then ${idIn(sql, 'milestoneId')}
                     when 'campaign.surplus.released' then ${idIn(sql, 'campaignId')}
                     else ${idIn(sql, 'donationId')} end as id,
           concat_ws(' ', ${idIn(sql, 'campaignId')}, ${valueIn(sql, 'amount')},
             case type when 'donation.completed'
               then ${valueIn(sql, 'creditedAmount')} || ' ' || ${idIn(sql, 'status')} end,
             case when type = 'donation.refunded' and ${idIn(sql, 'status')} <> case
               when ${valueIn(sql, 'refundedAmount')} = ${valueIn(sql, 'creditedAmount')}
               then 'refunded' else 'partly_refunded' end then ${idIn(sql, 'status')} end,
             nullif(${idIn(sql, 'ledgerTxId')}, '')) as fact,
           seq as place
    from ${eventsOf(sql, [
      'donation.completed',
      'donation.refunded',
      'milestone.released',
      'campaign.surplus.released',
    ])}
  ), paired as (
    select type, id, sent.fact as stored, due.fact as recomputed, is_required
    from (select *, row_number() over same as nth from sent
          window same as (partition by type, id, fact order by place desc)) sent
    full join (select *, row_number() over same as nth from due
               window same as (partition by type, id, fact order by place desc)) due
      using (type, id, fact, nth)
  )
  select 'event of ' || split_part(type, '.', 1) as what, id,
         coalesce(min(stored), 'none') as stored, coalesce(min(recomputed), 'none') as recomputed
  from paired
  where recomputed is null or (stored is null and is_required)
  group by type, id limit ${most}`
