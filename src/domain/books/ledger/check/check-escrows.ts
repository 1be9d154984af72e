import type { Queryable } from '../../../../db/client.ts'
import { NATIVE_ASSET } from '../../../../kernel/escrow-event.ts'
import type { Difference } from '../../../shared/index.ts'
import { among } from '../../ranges/slice.ts'
import { type Check, differenceOf, standingEntries } from './check-parts.ts'

/**
 * Reports each event of an escrow whose effects are wrong:
 * - its ledger entries do not have its amount, its block and its generation;
 * - a campaign has `paid` another amount than it has `released`, or ended against its events.
 */
export const checkEscrows: Check = async (sql, most) => [
  ...(await checkEvents(sql, most)),
  ...(await checkPaid(sql, most)),
  ...(await checkEnds(sql, most)),
]

/** An event in an unknown asset has no entries. An earlier entry shows that it was known. */
const checkEvents = (sql: Queryable, most: number) => sql<Difference[]>`
  with booked as (
    select standing.escrow_event_id,
           sum(standing.amount) filter (where standing.kind = 'release') as released,
           sum(standing.amount) filter (where standing.kind = 'payout') as paid,
           sum(standing.amount) filter (where standing.kind = 'refund') as refunded,
           min(standing.block_number) as first_number, max(standing.block_number) as last_number,
           min(hex_of(standing.block_hash)) as first_hash,
           max(hex_of(standing.block_hash)) as last_hash,
           min(standing.generation) as first_generation,
           max(standing.generation) as last_generation
    from (${standingEntries(sql)}) standing
    where standing.escrow_event_id is not null
    group by standing.escrow_event_id
  )
  select ${differenceOf(sql, 'escrow event', 'event')}
  from escrow_event event
  left join booked on booked.escrow_event_id = event.id
  left join chain_state state on state.chain_id = event.chain_id
  left join campaign on campaign.id = event.campaign_id
  left join campaign_escrow escrow on escrow.campaign_id = event.campaign_id
  cross join lateral (select
    case when event.settled_at is null then 0
         when event.kind in ('MilestoneReleased', 'SurplusReleased', 'Refunded', 'TransferReturned')
         then (event.fields ->> 'amount')::numeric else 0 end as amount,
    event.kind in ('MilestoneReleased', 'SurplusReleased') as is_payout,
    event.kind in ('Refunded', 'TransferReturned') and exists (
      select from asset
      where asset.chain_id = event.chain_id
        and coalesce(asset.address, ${NATIVE_ASSET}) = event.fields ->> 'asset'
        and (booked.refunded is not null or exists (
          select from ledger_entry entry
          where entry.campaign_id = event.campaign_id and entry.asset_id = asset.id
            and entry.created_at <= event.settled_at))) as is_refund) due
  cross join lateral (values
    ('account', hex_of(event.account), hex_of(campaign.account)),
    ('terms', escrow.campaign_id::text, event.campaign_id::text),
    ('released amount', coalesce(booked.released, 0)::text,
      (case when due.is_payout then due.amount else 0 end)::text),
    ('paid amount', coalesce(booked.paid, 0)::text,
      (case when due.is_payout then due.amount else 0 end)::text),
    ('refunded amount', coalesce(booked.refunded, 0)::text,
      (case when due.is_refund then due.amount else 0 end)::text),
    ('block number', event.block_number::text, coalesce(
      nullif(booked.first_number, event.block_number),
      nullif(booked.last_number, event.block_number),
      case when event.block_number > state.cursor_number then state.cursor_number
           else event.block_number end)::text),
    ('block hash', hex_of(event.block_hash), coalesce(
      nullif(booked.first_hash, hex_of(event.block_hash)),
      nullif(booked.last_hash, hex_of(event.block_hash)), hex_of(event.block_hash))),
    ('generation', event.generation::text, coalesce(
      nullif(booked.first_generation, event.generation),
      nullif(booked.last_generation, event.generation), event.generation)::text)
  ) differing (what, stored, recomputed)
  where differing.stored is distinct from differing.recomputed
  limit ${most}`

/** Reports donations whose refunded amount is not the sum of their refunds. */
export const checkRefundedAmounts: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select 'refunded amount of donation' as what, donation.id::text as id,
           coalesce(donation.refunded_amount, 0)::text as stored,
           refunded.amount::text as recomputed
    from donation
    cross join lateral (
      select coalesce(sum(entry.amount), 0) as amount from standing_entry entry
      where entry.donation_id = donation.id and entry.kind = 'refund'
    ) refunded
    where coalesce(donation.refunded_amount, 0) <> refunded.amount
      ${among(sql, 'donation.id', slice, 'donations')}
    limit ${most}`

/** Compares the sums of `paid` and `released`. A plain campaign pays nothing. */
const checkPaid = (sql: Queryable, most: number) => sql<Difference[]>`
  with moved as (
    select entry.campaign_id, entry.asset_id,
           sum(case when debit.kind = 'paid' then entry.amount
                    when credit.kind = 'paid' then -entry.amount else 0 end) as paid,
           sum(case when credit.kind = 'released' then entry.amount
                    when debit.kind = 'released' then -entry.amount else 0 end) as released
    from ledger_entry entry
    join ledger_account debit on debit.id = entry.debit_account
    join ledger_account credit on credit.id = entry.credit_account
    where debit.kind in ('paid', 'released') or credit.kind in ('paid', 'released')
    group by entry.campaign_id, entry.asset_id
  )
  select 'paid of campaign' as what, moved.campaign_id::text as id, moved.paid::text as stored,
         (case when escrow.campaign_id is null then 0 else moved.released end)::text as recomputed
  from moved left join campaign_escrow escrow on escrow.campaign_id = moved.campaign_id
  where moved.paid <> case when escrow.campaign_id is null then 0 else moved.released end
  limit ${most}`

const checkEnds = (sql: Queryable, most: number) => sql<Difference[]>`
  with failure as (
    select campaign_id, fields ->> 'reason' as reason from escrow_event
    where kind = 'Failed' and settled_at is not null
  )
  select 'status of campaign' as what, campaign.id::text as id, campaign.status as stored,
         ended.status as recomputed
  from campaign
  left join failure on failure.campaign_id = campaign.id
  cross join lateral (select case
    when failure.reason is null and campaign.status = 'failed' then 'active or funded'
    when failure.reason is null or campaign.status in ('completed', 'cancelled')
      then campaign.status
    else 'failed' end as status) ended
  where campaign.status <> ended.status
    and not (failure.reason = 'surplus' and campaign.status in ('active', 'funded'))
  limit ${most}`
