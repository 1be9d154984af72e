import type { Queryable } from '../../../../db/client.ts'
import type { Difference } from '../../../shared/index.ts'
import { hasOpened, isAfterOpening, openingTime } from '../opening.ts'
import { type Check, differenceOf, standingEntries } from './check-parts.ts'

/**
 * Reports each campaign that contradicts the ledger:
 * - its currency, its account or the time of its opening does not fit its entries;
 * - its status does not fit the raised amount.
 */
export const checkCampaigns: Check = async (sql, most) => [
  ...(await checkTerms(sql, most)),
  ...(await checkStatuses(sql, most)),
]

/** Compares campaigns' currency, account and time of opening with their entries and transfers. */
const checkTerms = (sql: Queryable, most: number) => sql<Difference[]>`
  with standing as (${standingEntries(sql)}), counted as (
    select distinct standing.campaign_id, standing.asset_id
    from standing
    join ledger_account debit on debit.id = standing.debit_account
    join ledger_account credit on credit.id = standing.credit_account
    where debit.kind in ('held', 'released') or credit.kind in ('held', 'released')
  ), paid as (
    select standing.campaign_id,
           'eip155:' || transfer.chain_id || ':' || hex_of(transfer.recipient) as account,
           min(transfer.mined_at) filter (
             where standing.kind = 'donation' and not ${isAfterOpening(sql)}) as too_early
    from standing
    join chain_transfer transfer on transfer.id = standing.transfer_id
    join campaign on campaign.id = standing.campaign_id
    group by standing.campaign_id, transfer.chain_id, transfer.recipient
  )
  select 'currency of campaign' as what, campaign.id, campaign.currency_id as stored,
         counted.asset_id as recomputed
  from campaign join counted on counted.campaign_id = campaign.id
  where campaign.currency_id <> counted.asset_id
  union all
  select 'account of campaign', campaign.id,
         'eip155:' || campaign.chain_id || ':' || hex_of(campaign.account), paid.account
  from campaign join paid on paid.campaign_id = campaign.id
  where 'eip155:' || campaign.chain_id || ':' || hex_of(campaign.account) <> paid.account
  union all
  select 'opening of campaign', campaign.id, (${openingTime(sql)})::text, 'by ' || paid.too_early
  from campaign join paid on paid.campaign_id = campaign.id
  where paid.too_early is not null
  union all
  select 'opening of campaign', campaign.id, (${openingTime(sql)})::text,
         'a minute before ' || coalesce(campaign.opened_at, campaign.created_at) || ' or later'
  from campaign
  where ${hasOpened(sql)}
    and campaign.counts_after < date_trunc('second',
      coalesce(campaign.opened_at, campaign.created_at) - interval '1 minute')
  limit ${most}`

/** The raised amount decides between `active` and `funded`. The creator sets the later statuses. */
const checkStatuses = (sql: Queryable, most: number) => sql<Difference[]>`
    select ${differenceOf(sql, 'campaign')}
  from campaign
  left join campaign_ledger_total ledger on ledger.campaign_id = campaign.id
  cross join lateral (select
    coalesce(ledger.raised, 0) >= campaign.target_amount as is_reached,
    exists (select from ledger_entry entry where entry.campaign_id = campaign.id) as is_booked,
    exists (select from campaign_escrow escrow where escrow.campaign_id = campaign.id) as is_held) has
  cross join lateral (values
    ('status', campaign.status, case
      when campaign.status in ('active', 'funded') or (campaign.status = 'draft' and has.is_booked)
      then case when has.is_reached then 'funded' else 'active' end
      else campaign.status end),
    ('never_opened', campaign.never_opened::text,
      (campaign.never_opened and campaign.status = 'cancelled' and not has.is_booked)::text),
    ('funded_at', case when campaign.funded_at is null then 'none' else 'set' end, case
      when campaign.status = 'funded' then 'set'
      when campaign.funded_at is not null and (campaign.status in ('completed', 'failed')
        or (campaign.status = 'cancelled' and has.is_held)) then 'set'
      else 'none' end)
  ) differing (what, stored, recomputed)
  where differing.stored is distinct from differing.recomputed
  limit ${most}`
