import type { Database } from '../../db/client.ts'
import { checkCustody, checkUnclaimed } from './check-deposits.ts'
import type { Difference } from './difference.ts'

export type LedgerCheck = { campaigns: number; entries: number; differences: Difference[] }

const MOST_DIFFERENCES = 1_000

/**
 * Recomputes every total from the ledger, every credit from its donation, every release from its
 * milestone and what custody holds from the transfers, in one snapshot, and names whatever differs.
 * An empty list is the proof that `current_amount` is the ledger's sum, and custody what the chain
 * paid in.
 */
export const checkLedger = async (pool: Database): Promise<LedgerCheck> =>
  (await pool.begin('isolation level repeatable read read only', async (sql) => {
    const [counted] = await sql<{ campaigns: number; entries: number }[]>`
      select (select count(*) from campaign) as campaigns,
             (select count(*) from ledger_entry) as entries`
    const totals = await sql<Difference[]>`
      select 'current_amount of campaign' as what, campaign.id,
             coalesce(total.raised, 0)::text as stored, coalesce(ledger.raised, 0)::text as recomputed
      from campaign
      left join campaign_total total on total.campaign_id = campaign.id
      left join campaign_ledger_total ledger on ledger.campaign_id = campaign.id
      where coalesce(total.raised, 0) <> coalesce(ledger.raised, 0)
      limit ${MOST_DIFFERENCES}`
    const counts = await sql<Difference[]>`
      select 'number of donations of campaign' as what, total.campaign_id as id,
             total.donations::text as stored, count(donation.id)::text as recomputed
      from campaign_total total
      left join donation
        on donation.campaign_id = total.campaign_id and donation.status = 'completed'
      group by total.campaign_id, total.donations
      having total.donations <> count(donation.id)
      limit ${MOST_DIFFERENCES}`
    const credits = await sql<Difference[]>`
      with standing as (
        select entry.donation_id, sum(entry.amount) as credited
        from ledger_entry entry
        join ledger_account account on account.id = entry.credit_account and account.kind = 'held'
        where entry.kind in ('donation', 'conversion')
          and not exists (select from ledger_entry taken where taken.reverses = entry.id)
        group by entry.donation_id
      )
      select 'credit of donation' as what, donation.id,
             coalesce(donation.credited_amount, 0)::text as stored,
             coalesce(standing.credited, 0)::text as recomputed
      from donation left join standing on standing.donation_id = donation.id
      where coalesce(donation.credited_amount, 0) <> coalesce(standing.credited, 0)
      limit ${MOST_DIFFERENCES}`
    const releases = await sql<Difference[]>`
      with released as (
        select entry.milestone_id, entry.amount
        from ledger_entry entry
        join milestone on milestone.id = entry.milestone_id
        join campaign on campaign.id = milestone.campaign_id
        join ledger_account debit on debit.id = entry.debit_account
        join ledger_account credit on credit.id = entry.credit_account
        where entry.kind = 'release' and entry.asset_id = campaign.currency_id
          and (debit.kind, debit.campaign_id) = ('held', campaign.id)
          and (credit.kind, credit.campaign_id) = ('released', campaign.id)
          and not exists (select from ledger_entry taken where taken.reverses = entry.id)
      )
      select 'release of milestone' as what, milestone.id, milestone.stored::text as stored,
             coalesce(released.amount, 0)::text as recomputed
      from (
        select id, case when status = 'released' then amount else 0 end as stored from milestone
      ) milestone
      left join released on released.milestone_id = milestone.id
      where milestone.stored <> coalesce(released.amount, 0)
      limit ${MOST_DIFFERENCES}`
    return {
      campaigns: counted?.campaigns ?? 0,
      entries: counted?.entries ?? 0,
      differences: [
        ...totals,
        ...counts,
        ...credits,
        ...releases,
        ...(await checkCustody(sql, MOST_DIFFERENCES)),
        ...(await checkUnclaimed(sql, MOST_DIFFERENCES)),
      ],
    }
  })) as LedgerCheck
