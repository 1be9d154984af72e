import type { Difference } from '../../../shared/index.ts'
import { among } from '../../ranges/slice.ts'
import type { Check } from './check-parts.ts'

/** Reports campaigns with a wrong raised or refunded total, or a wrong number of donations. */
export const checkTotals: Check = async (sql, most) => {
  const totals = await sql<Difference[]>`
        select 'current_amount of campaign' as what,
           coalesce(total.campaign_id, ledger.campaign_id) as id,
           coalesce(total.raised, 0)::text as stored,
           coalesce(ledger.raised, 0)::text as recomputed
    from campaign_total total
    full join campaign_ledger_total ledger on ledger.campaign_id = total.campaign_id
    where coalesce(total.raised, 0) <> coalesce(ledger.raised, 0)
    limit ${most}`
  const counts = await sql<Difference[]>`
    with counted as (
      select campaign_id, count(*) as donations from donation
      where status in ('completed', 'partly_refunded', 'refunded')
      group by campaign_id
    )
    select 'number of donations of campaign' as what,
           coalesce(total.campaign_id, counted.campaign_id) as id,
           coalesce(total.donations, 0)::text as stored,
           coalesce(counted.donations, 0)::text as recomputed
    from campaign_total total
    full join counted on counted.campaign_id = total.campaign_id
    where coalesce(total.donations, 0) <> coalesce(counted.donations, 0)
    limit ${most}`
  const refunds = await sql<Difference[]>`
    with paid_back as (
      select campaign_id, sum(amount) as refunded from standing_entry
      where kind = 'refund' and donation_id is not null
      group by campaign_id
    )
    select 'refunds of campaign' as what, total.campaign_id as id,
           total.refunded::text as stored, coalesce(paid_back.refunded, 0)::text as recomputed
    from campaign_total total
    left join paid_back on paid_back.campaign_id = total.campaign_id
    where total.refunded <> coalesce(paid_back.refunded, 0)
    limit ${most}`
  return [...totals, ...counts, ...refunds]
}

/** Compares donations' credited amounts with the ledger. */
export const checkCredits: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select 'credit of donation' as what, donation.id,
           coalesce(donation.credited_amount, 0)::text as stored,
           credit.credited::text as recomputed
    from donation
    cross join lateral (
      select coalesce(sum(entry.amount), 0) as credited
      from standing_entry entry
      join ledger_account account on account.id = entry.credit_account
      where entry.donation_id = donation.id and entry.kind in ('donation', 'conversion')
        and account.kind = 'held'
    ) credit
    where coalesce(donation.credited_amount, 0) <> credit.credited
      ${among(sql, 'donation.id', slice, 'donations')}
    limit ${most}`

/** Compares milestones' released amounts with the ledger. */
export const checkReleases: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select 'release of milestone' as what, milestone.id, has.stored::text as stored,
           coalesce(released.amount, 0)::text as recomputed
    from milestone
    join campaign on campaign.id = milestone.campaign_id
    cross join lateral (
      select case when milestone.status = 'released' then milestone.amount else 0 end as stored) has
    left join lateral (
      select release.amount from (
        select * from standing_entry
        where milestone_id = milestone.id and escrow_event_id is null
        union all
        select entry.* from escrow_event event
        join standing_entry entry on entry.escrow_event_id = event.id and entry.kind <> 'reversal'
        where event.campaign_id = campaign.id and event.kind = 'MilestoneReleased'
          and entry.milestone_id = milestone.id
      ) release
      join ledger_account debit on debit.id = release.debit_account
      join ledger_account credit on credit.id = release.credit_account
      where release.kind = 'release' and release.asset_id = campaign.currency_id
        and (debit.kind, debit.campaign_id) = ('held', campaign.id)
        and (credit.kind, credit.campaign_id) = ('released', campaign.id)
    ) released on true
    where has.stored <> coalesce(released.amount, 0)
      ${among(sql, 'milestone.id', slice, 'milestones')}
    limit ${most}`
