import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { readEscrowState } from '../escrow/escrow-state.ts'
import { recordedDonor } from '../escrow/recorded-donor.ts'
import { type Escrow, requireEscrow } from '../escrow/require-escrow.ts'
import { type DonorRefund, isDue, readRecordedRefund, toRefund } from './donor-refund.ts'
import { notFailed } from './not-failed.ts'
import { readUnrecorded } from './unrecorded.ts'

/** The refund of a donation, as stored blocks show it. */
export type FoundRefund = DonorRefund & { escrow: Escrow }

type Paid = {
  campaignId: string
  assetId: string | null
  transferId: string | null
  recordedDonor: string | null
}

/**
 * Finds the refund of a donation in the database, without a question to a node.
 *
 * @throws DomainError
 * - `not_found`; `not_escrowed` for a campaign without an escrow
 * - `conflict` for a donation without a transfer that the escrow still has, or without a share
 * - `campaign_not_failed` if the escrow has not failed; for other assets, if it has not ended
 */
export const findDonationRefund = async (
  ctx: Context,
  donationId: string,
): Promise<FoundRefund> => {
  const { campaignId, transferId, assetId, recordedDonor } = await requirePaid(ctx, donationId)
  const escrow = await requireEscrow(ctx, campaignId)
  const state = await readEscrowState(ctx, escrow)
  if (transferId === null) throw nothingDue()
  const isOver = state.state === 'done' && assetId !== escrow.currencyId
  if (state.state !== 'failed' && !isOver) throw notFailed(state, escrow)
  if (recordedDonor !== null) {
    const refund = await readRecordedRefund(ctx, escrow, state, recordedDonor)
    if (!refund) throw nothingDue()
    return { escrow, ...refund }
  }
  const [transfer] = await readUnrecorded(ctx, escrow, state, ctx.sql`transfer.id = ${transferId}`)
  const refund = transfer && toRefund(ctx, escrow, transfer)
  if (!refund || !isDue(refund)) throw nothingDue()
  return { escrow, ...refund }
}

const nothingDue = () =>
  new DomainError(
    'conflict',
    'There is nothing to refund: this donation has no final transfer to this escrow, its share is below the smallest unit, or verifiers have signed a return of nothing. Its `status` and `reason` say why: GET /api/donations/:id.',
  )

/**
 * Reads a donation with its credited transfer. A donation that failed with `asset_not_escrowed` has
 * a transfer in another asset instead, which verifiers can also return.
 */
const requirePaid = async ({ sql }: Context, donationId: string): Promise<Paid> => {
  const [paid] = await sql<Paid[]>`
    select donation.campaign_id, transfer.asset_id, transfer.id as transfer_id,
           ${recordedDonor(sql)} as recorded_donor
    from donation
    join campaign on campaign.id = donation.campaign_id
    left join lateral (
      select * from chain_transfer paid
      where paid.chain_id = donation.chain_id and paid.tx_hash = donation.tx_hash
        and paid.recipient = campaign.account and paid.block_number is not null
        and case when donation.reason = 'asset_not_escrowed'
              then paid.asset_id <> campaign.currency_id and donation.status = 'failed'
                and donation.ledger_address in (paid.sender, paid.recipient)
                and coalesce(donation.claimed_position, paid.position) = paid.position
              else paid.id = donation.transfer_id
                and donation.status in ('completed', 'partly_refunded', 'refunded') end
      order by paid.asset_id = donation.declared_asset_id desc, paid.position limit 1
    ) transfer on true
    where donation.id = ${donationId}`
  if (!paid) throw new DomainError('not_found', 'There is no such donation.')
  return paid
}
