import type { Difference } from '../../../shared/index.ts'
import { among } from '../../ranges/slice.ts'
import { type Check, differenceOf } from './check-parts.ts'

/**
 * Reports entries that this service cannot have written:
 * - the entry's kind never moves money between the entry's two accounts;
 * - the entry's campaign, donation, transfer, milestone or escrow event does not exist;
 * - the entry is a reversal, but not an exact mirror of the reversed entry.
 */
export const checkEntries: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select ${differenceOf(sql, 'entry')}
    from ledger_entry entry
    left join ledger_account debit on debit.id = entry.debit_account
    left join ledger_account credit on credit.id = entry.credit_account
    left join ledger_entry original on original.id = entry.reverses
    left join campaign on campaign.id = entry.campaign_id
    left join donation on donation.id = entry.donation_id
    left join chain_transfer transfer on transfer.id = entry.transfer_id
    left join milestone on milestone.id = entry.milestone_id
    left join escrow_event event on event.id = entry.escrow_event_id
    cross join lateral (select
      entry.kind in ('deposit', 'donation', 'conversion') as of_transfer,
      entry.kind in ('donation', 'conversion') as of_donation,
      entry.kind = 'refund' or entry.reverses is not null as of_either) kind
    cross join lateral (
      select 'accounts', debit.kind || ' and ' || credit.kind, case entry.kind
        when 'deposit' then 'custody and unclaimed'
        when 'donation' then
          case when debit.kind = 'unclaimed' then 'unclaimed' else 'custody' end || ' and ' ||
          case when credit.kind = 'exchange' then 'exchange' else 'held' end
        when 'conversion' then 'exchange and held'
        when 'release' then 'held and released'
        when 'payout' then 'paid and custody'
        when 'refund' then
          case when debit.kind = 'held' then 'held' else 'unclaimed' end || ' and custody'
        else debit.kind || ' and ' || credit.kind end
      union all select 'campaign', entry.campaign_id::text, campaign.id::text
      union all select 'donation', entry.donation_id::text,
        case when kind.of_donation and donation.id is null then 'a donation'
             when kind.of_donation or kind.of_either then donation.id::text end
      union all select 'transfer', entry.transfer_id::text,
        case when kind.of_transfer and transfer.id is null then 'a transfer'
             when kind.of_transfer or kind.of_either then transfer.id::text end
      union all select 'milestone', entry.milestone_id::text, milestone.id::text
      union all select 'event', entry.escrow_event_id::text, event.id::text
      union all select 'reversed entry', case when entry.reverses is not null then (entry.reverses,
         entry.debit_account, entry.credit_account, entry.asset_id, entry.amount,
         entry.campaign_id, entry.donation_id, entry.transfer_id, entry.escrow_event_id,
         entry.generation)::text end,
       case when original.kind <> 'reversal' then (original.id,
         original.credit_account, original.debit_account, original.asset_id, original.amount,
         original.campaign_id, original.donation_id, original.transfer_id,
         original.escrow_event_id, original.generation)::text end
    ) differing (what, stored, recomputed)
    where differing.stored is distinct from differing.recomputed
      ${among(sql, 'entry.id', slice, 'entries')}
    limit ${most}`
