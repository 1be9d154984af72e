import type { Difference } from '../../../shared/index.ts'
import { among } from '../../ranges/slice.ts'
import { type Check, differenceOf, LATE_COMMIT_MINUTES } from './check-parts.ts'

/**
 * Compares each donation with its credit in the ledger. Compares a donation without a credit with
 * its transfer. Reports each value that differs.
 */
export const checkDonations: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select ${differenceOf(sql, 'donation')}
    from donation
    left join campaign on campaign.id = donation.campaign_id
    left join standing_entry credit on credit.donation_id = donation.id and credit.kind = 'donation'
    left join chain_transfer transfer
      on transfer.id = coalesce(credit.transfer_id, donation.transfer_id)
    left join sealed_entry sealed on sealed.entry_id = credit.id
    left join donation_proof proof on proof.donation_id = donation.id
    cross join lateral (select
      credit.id is not null as is_credited,
      donation.transfer_id is not null and transfer.id is null as is_lost,
      case when donation.confirmed_amount is not null
        then coalesce(donation.confirmed_asset_id, donation.declared_asset_id) end as arrived_in,
      make_interval(mins => ${LATE_COMMIT_MINUTES}) as late) known
    cross join lateral (
      select 'status', donation.status, case
        when known.is_credited and coalesce(donation.refunded_amount, 0) = 0 then 'completed'
        when known.is_credited and donation.refunded_amount < donation.credited_amount
          then 'partly_refunded'
        when known.is_credited then 'refunded'
        when donation.status in ('completed', 'partly_refunded', 'refunded') then 'not completed'
        when donation.transfer_id is not null then 'confirming'
        else donation.status end
      union all select 'campaign',
        donation.campaign_id::text, coalesce(credit.campaign_id, campaign.id)::text
      union all select 'account',
        hex_of(campaign.account), hex_of(case when known.is_credited then campaign.account
        else coalesce(transfer.recipient, campaign.account) end)
      union all select 'chain', donation.chain_id::text,
        coalesce(transfer.chain_id, campaign.chain_id, donation.chain_id)::text
      union all select 'transfer', donation.transfer_id::text, transfer.id::text
      union all select 'transaction', hex_of(donation.tx_hash),
        hex_of(coalesce(transfer.tx_hash, donation.tx_hash))
      union all select 'position', donation.claimed_position::text, case
        when donation.claimed_position is not null
        then coalesce(transfer.position, donation.claimed_position)::text end
      union all select 'block number', donation.block_number::text,
        coalesce(credit.block_number, transfer.block_number, donation.block_number)::text
      union all select 'asset', known.arrived_in, coalesce(credit.asset_id, transfer.asset_id,
        case when known.is_lost then known.arrived_in end)
      union all select 'amount',
        donation.confirmed_amount::text, coalesce(credit.amount, transfer.amount,
        case when known.is_lost then donation.confirmed_amount end)::text
      union all select 'wallet', hex_of(donation.donor_wallet), hex_of(case when donation.intent
        then coalesce(transfer.sender, donation.donor_wallet) else donation.donor_wallet end)
      -- Sealing asks for the proof of each credit.
      union all select 'proof', proof.donation_id::text,
        coalesce(proof.donation_id,
          case when sealed.entry_id is not null then donation.id end)::text
      union all select 'discrepancy', donation.discrepancy::text, (case
        when not known.is_credited then false
        when donation.declared_asset_id = credit.asset_id
        then donation.declared_amount <> credit.amount
        else (donation.declared_asset_id, donation.declared_amount)
          is distinct from (campaign.currency_id, donation.credited_amount) end)::text
      union all select 'completion', donation.completed_at::text, (case
        when not known.is_credited then null
        when donation.completed_at between credit.created_at - known.late
          and credit.created_at + known.late then donation.completed_at
        else credit.created_at end)::text
    ) differing (what, stored, recomputed)
    where differing.stored is distinct from differing.recomputed
      ${among(sql, 'donation.id', slice, 'donations')}
    limit ${most}`

/** Reports transfers whose sender is not the one that the proof of their donation proves. */
export const checkSenders: Check = (sql, most, slice) =>
  sql<Difference[]>`
    select 'sender of transfer' as what, transfer.id::text as id,
           coalesce(hex_of(transfer.sender), 'none') as stored, hex_of(proof.sender) as recomputed
    from donation_proof proof
    join chain_transfer transfer
      on transfer.id = proof.transfer_id and transfer.block_hash = proof.block_hash
    where transfer.sender is distinct from proof.sender and proof.sender is not null
      ${among(sql, 'proof.donation_id', slice, 'donations')}
    limit ${most}`
