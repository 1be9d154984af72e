import type { Difference } from '../../../shared/index.ts'
import { among, type Check, standingEntries } from './check-parts.ts'

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

/** Compares donations' credited amounts and milestones' released amounts with the ledger. */
export const checkCredits: Check = async (sql, most, slice) => {
  const credits = await sql<Difference[]>`
    with standing as (${standingEntries(sql, slice, 'donations')}), credit as (
      select standing.donation_id, sum(standing.amount) as credited
      from standing
      join ledger_account account on account.id = standing.credit_account
      where standing.kind in ('donation', 'conversion') and account.kind = 'held'
      group by standing.donation_id
    )
    select 'credit of donation' as what, donation.id,
           coalesce(donation.credited_amount, 0)::text as stored,
           coalesce(credit.credited, 0)::text as recomputed
    from donation left join credit on credit.donation_id = donation.id
    where coalesce(donation.credited_amount, 0) <> coalesce(credit.credited, 0)
      ${among(sql, 'donation.id', slice, 'donations')}
    limit ${most}`
  const releases = await sql<Difference[]>`
    with standing as (${standingEntries(sql, slice, 'milestones')}), released as (
      select standing.milestone_id, standing.amount
      from standing
      join milestone on milestone.id = standing.milestone_id
      join campaign on campaign.id = milestone.campaign_id
      join ledger_account debit on debit.id = standing.debit_account
      join ledger_account credit on credit.id = standing.credit_account
      where standing.kind = 'release' and standing.asset_id = campaign.currency_id
        and (debit.kind, debit.campaign_id) = ('held', campaign.id)
        and (credit.kind, credit.campaign_id) = ('released', campaign.id)
    )
    select 'release of milestone' as what, milestone.id, milestone.stored::text as stored,
           coalesce(released.amount, 0)::text as recomputed
    from (
      select id, case when status = 'released' then amount else 0 end as stored from milestone
    ) milestone
    left join released on released.milestone_id = milestone.id
    where milestone.stored <> coalesce(released.amount, 0)
      ${among(sql, 'milestone.id', slice, 'milestones')}
    limit ${most}`
  return [...credits, ...releases]
}
