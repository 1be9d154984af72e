import type { Context } from '../../../db/context.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { recordedDonor } from '../../campaigns/index.ts'
import type { FollowedEvent } from './due-events.ts'

/** An event that pays money back: to a recorded donor, or for one unrecorded transfer. */
export type Refund = Extract<FollowedEvent, { kind: 'Refunded' | 'TransferReturned' }>

/** The events that pay money back, in the given order. */
export const refundsIn = (events: readonly FollowedEvent[]): Refund[] =>
  events.filter(
    (event): event is Refund => event.kind === 'Refunded' || event.kind === 'TransferReturned',
  )

/**
 * A transfer that a refund pays back, with the donation that has its credit. Amounts are in base
 * units.
 */
export type RefundableTransfer = {
  /** The event of the refund. The contract pays each transfer back at most once. */
  eventId: string
  transferId: string
  assetId: string
  sender: string
  amount: string
  donation:
    | (Pick<Donation, 'id' | 'userId' | 'requestId' | 'txHash'> & { creditedAmount: string })
    | null
}

/**
 * The part of a refund that pays back one transfer. `transfer` is null for the part that pays back
 * no transfer.
 */
export type Part = { refund: Refund; transfer: RefundableTransfer | null; amount: bigint }
/** A part that pays back a donation. */
export type DonationPart = Part & {
  transfer: RefundableTransfer & { donation: NonNullable<RefundableTransfer['donation']> }
}

/**
 * Reads the transfers that these refunds pay back, in the order of their blocks: all that the
 * contract recorded for the donor, or the one transfer that the verifiers named. A named transfer
 * that the contract recorded is left out, because its donor still has the refund.
 */
export const readRefundable = (
  { sql }: Context,
  refunds: readonly Refund[],
): Promise<RefundableTransfer[]> => {
  const ids = refunds.map(({ id }) => id)
  return sql<RefundableTransfer[]>`
    with named as materialized (
      select refund.id as event_id, refund.campaign_id, refund.fields ->> 'donor' as donor,
             donated.tx_hash, null::bigint as position
      from escrow_event refund
      join escrow_event donated on donated.campaign_id = refund.campaign_id
        and donated.kind = 'Donated' and donated.fields ->> 'donor' = refund.fields ->> 'donor'
      where refund.id = any(${ids}::uuid[]) and refund.kind = 'Refunded'
      union
      select id, campaign_id, null, bytes_of(fields ->> 'transaction'), (fields ->> 'position')::bigint
      from escrow_event
      where id = any(${ids}::uuid[]) and kind = 'TransferReturned'
    )
    select named.event_id, transfer.id as transfer_id, transfer.asset_id, transfer.sender,
           transfer.amount,
           case when donation.id is not null then jsonb_build_object(
             'id', donation.id, 'userId', donation.user_id, 'requestId', donation.request_id,
             'txHash', hex_of(donation.tx_hash), 'creditedAmount', donation.credited_amount::text) end
             as donation
    from named
    join campaign on campaign.id = named.campaign_id
    join lateral (select * from chain_transfer
      where chain_id + 0 = campaign.chain_id and tx_hash = named.tx_hash offset 0) transfer
      on transfer.recipient = campaign.account and transfer.block_number is not null
    left join donation on donation.transfer_id = transfer.id
      and donation.campaign_id = campaign.id
      and donation.status in ('completed', 'partly_refunded', 'refunded')
    where ${recordedDonor(sql)} is not distinct from named.donor
      and (named.donor is not null or transfer.position = named.position)
    order by transfer.block_number, transfer.tx_hash, transfer.position`
}
