import type { Donation } from '../../../db/schema/donations.ts'
import type { Context } from '../../context.ts'
import { recordedDonor } from '../recorded-donor.ts'
import type { FollowedEvent } from './due-events.ts'

export type Refund = Extract<FollowedEvent, { kind: 'Refunded' }>

/** A transfer to an escrow, with the donation that has its credit. Amounts are in base units. */
export type RefundableTransfer = {
  transferId: string
  account: string
  assetId: string
  blockNumber: number
  amount: string
  /** The part that earlier refunds have paid back. */
  refunded: string
  /** The donor that the contract recorded with this transfer; null for a plain transfer. */
  recordedDonor: string | null
  /** Who gets the refund of a plain transfer: its sender, or the donor that a root names. */
  plainDonors: string[]
  donation:
    | (Pick<Donation, 'id' | 'userId' | 'requestId' | 'txHash'> & { creditedAmount: string })
    | null
}

/** The part of a refund that pays back one transfer; without one, `transfer` is null. */
export type Part = { refund: Refund; transfer: RefundableTransfer | null; amount: bigint }
/** A part that pays back a donation. */
export type DonationPart = Part & {
  transfer: RefundableTransfer & { donation: NonNullable<RefundableTransfer['donation']> }
  /** The refunded sum of the donation after this part. */
  refunded: bigint
}

/**
 * Reads the transfers that these refunds may pay back, in the order of their blocks. For payments
 * that a contract made, the leaves of refund roots name the transaction's donor. `named` keeps the
 * search short in an escrow with very many donors.
 */
export const readRefundable = (
  ctx: Context,
  refunds: readonly Refund[],
): Promise<RefundableTransfer[]> => {
  const donors = [...new Set(refunds.map(({ fields }) => fields.donor))]
  const campaigns = [...new Set(refunds.map(({ campaignId }) => campaignId))]
  return ctx.sql<RefundableTransfer[]>`
    with routed as materialized (
      select tx_hash, min(leaf ->> 'donor') as donor
      from refund_root root
      cross join jsonb_array_elements(root.leaves) leaf
      cross join jsonb_array_elements_text(leaf -> 'transactions') tx_hash
      where root.campaign_id = any(${campaigns}::uuid[]) and leaf ->> 'donor' = any(${donors})
      group by tx_hash
    ), named as materialized (
      select tx_hash from routed
      union
      select tx_hash from escrow_event
      where campaign_id = any(${campaigns}::uuid[]) and kind = 'Donated'
        and fields ->> 'donor' = any(${donors})
    ), given as materialized (
      select transfer.*, ${recordedDonor(ctx.sql)} as donor, routed.donor as routed_donor,
             donation.id as donation_id, donation.user_id, donation.request_id,
             donation.credited_amount
      from campaign
      join chain_transfer transfer
        on transfer.chain_id = campaign.chain_id and transfer.recipient = campaign.account
      left join donation on donation.transfer_id = transfer.id
       and donation.campaign_id = campaign.id
       and donation.status in ('completed', 'partly_refunded', 'refunded')
      left join routed on routed.tx_hash = transfer.tx_hash
      where campaign.id = any(${campaigns}::uuid[]) and transfer.block_number is not null
        and (transfer.sender = any(${donors}) or transfer.tx_hash in (select tx_hash from named))
    ), own as (
      select * from given
      where donor = any(${donors})
        or (donor is null and (sender = any(${donors}) or routed_donor = any(${donors})))
    ), paid_back as (
      select entry.transfer_id, sum(entry.amount) as amount
      from escrow_event event
      join standing_entry entry on entry.escrow_event_id = event.id and entry.kind = 'refund'
      where event.campaign_id = any(${campaigns}::uuid[]) and event.kind = 'Refunded'
        and event.settled_at is not null and entry.transfer_id is not null
        and event.fields ->> 'donor' in (
          select donor from own union select sender from own union select routed_donor from own)
      group by entry.transfer_id
    )
    select own.id as transfer_id, own.recipient as account, own.asset_id,
           own.block_number, own.amount, coalesce(paid_back.amount, 0)::text as refunded,
           own.donor as recorded_donor,
           array_remove(array[own.sender, own.routed_donor], null) as plain_donors,
           case when own.donation_id is not null then jsonb_build_object(
             'id', own.donation_id, 'userId', own.user_id, 'requestId', own.request_id,
             'txHash', own.tx_hash, 'creditedAmount', own.credited_amount::text) end
             as donation
    from own left join paid_back on paid_back.transfer_id = own.id
    order by own.block_number, own.tx_hash, own.position`
}
