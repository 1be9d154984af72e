import type { Difference } from '../../../shared/index.ts'
import { hasOpened, isAfterOpening, openingTime } from '../opening.ts'
import { type Check, differenceOf, standingEntries } from './check-parts.ts'

/** Reports campaigns whose currency, account or time of opening does not fit an entry. */
export const checkTerms: Check = (sql, most, slice) =>
  sql<Difference[]>`
    with standing as (${standingEntries(sql, slice)})
    select differing.what || ' of campaign' as what, campaign.id::text as id,
           min(differing.stored) as stored, min(differing.recomputed) as recomputed
    from standing
    join campaign on campaign.id = standing.campaign_id
    join ledger_account debit on debit.id = standing.debit_account
    join ledger_account credit on credit.id = standing.credit_account
    left join chain_transfer transfer on transfer.id = standing.transfer_id
    cross join lateral (
      select 'currency', campaign.currency_id, case
        when debit.kind in ('held', 'released') or credit.kind in ('held', 'released')
        then standing.asset_id else campaign.currency_id end
      union all select 'account', 'eip155:' || campaign.chain_id || ':' || hex_of(campaign.account),
        'eip155:' || coalesce(transfer.chain_id, campaign.chain_id) || ':' ||
          hex_of(coalesce(transfer.recipient, campaign.account))
      union all select 'opening', (${openingTime(sql)})::text, case
        when standing.kind = 'donation' and not ${isAfterOpening(sql)}
        then 'by ' || transfer.mined_at else (${openingTime(sql)})::text end
    ) differing (what, stored, recomputed)
    where differing.stored <> differing.recomputed
    group by 1, 2 limit ${most}`

/** Reports campaigns that count transfers from before their opening. */
export const checkOpenings: Check = (sql, most) =>
  sql<Difference[]>`
    select 'opening of campaign' as what, campaign.id::text as id,
           (${openingTime(sql)})::text as stored,
           'a minute before ' || coalesce(campaign.opened_at, campaign.created_at) || ' or later'
             as recomputed
    from campaign
    where ${hasOpened(sql)}
      and campaign.counts_after < date_trunc('second',
        coalesce(campaign.opened_at, campaign.created_at) - interval '1 minute')
    limit ${most}`

/** The raised amount decides between `active` and `funded`. The creator sets the later statuses. */
export const checkStatuses: Check = (sql, most) =>
  sql<Difference[]>`
    select ${differenceOf(sql, 'campaign')}
  from campaign
  left join campaign_ledger_total ledger on ledger.campaign_id = campaign.id
  cross join lateral (select
    coalesce(ledger.raised, 0) >= campaign.target_amount as is_reached,
    exists (select from ledger_entry entry where entry.campaign_id = campaign.id) as is_booked,
    exists (select from campaign_escrow escrow
            where escrow.campaign_id = campaign.id) as is_held) has
  cross join lateral (
    select 'status', campaign.status, case
      when campaign.status in ('active', 'funded') or (campaign.status = 'draft' and has.is_booked)
      then case when has.is_reached then 'funded' else 'active' end
      else campaign.status end
    union all select 'never_opened', campaign.never_opened::text,
      (campaign.never_opened and campaign.status = 'cancelled' and not has.is_booked)::text
    union all select 'funded_at',
        case when campaign.funded_at is null then 'none' else 'set' end, case
      when campaign.status = 'funded' then 'set'
      when campaign.funded_at is not null and (campaign.status in ('completed', 'failed')
        or (campaign.status = 'cancelled' and has.is_held)) then 'set'
      else 'none' end
  ) differing (what, stored, recomputed)
  where differing.stored is distinct from differing.recomputed
  limit ${most}`
