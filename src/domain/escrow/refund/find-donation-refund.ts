import { refundTree } from '../../../chain/escrow/merkle.ts'
import type { RefundLeaf } from '../../../db/schema/escrow.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import { isInternal } from '../../../kernel/formats/log-position.ts'
import type { Context } from '../../context.ts'
import { type EscrowState, readEscrowState } from '../escrow-state.ts'
import { recordedDonor } from '../recorded-donor.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { type DonorRefund, readRecordedRefund, readRefundByRoot } from './donor-refund.ts'
import { type FoundRoot, findProposedRoots } from './find-proposed-roots.ts'

/**
 * The refund of a donation, as stored blocks show it. No root counts an `uncounted` donation,
 * because a call of a contract paid it in the native coin.
 */
export type FoundRefund = { escrow: Escrow } & (
  | { state: 'missing' }
  | { state: 'uncounted' }
  | { state: 'waits'; readyAt: Date }
  | DonorRefund
)

type Paid = {
  campaignId: string
  txHash: string | null
  assetId: string | null
  sender: string | null
  position: number | null
  blockNumber: number | null
  recordedDonor: string | null
}

/**
 * Finds the refund of a donation in the database, without a question to a node.
 *
 * @throws DomainError
 * - `not_found`; `not_escrowed` for a campaign without an escrow
 * - `conflict` for a donation without a transfer that the escrow still has
 * - `campaign_not_failed` if the escrow has not failed; for other assets, if it has not ended
 */
export const findDonationRefund = async (
  ctx: Context,
  donationId: string,
): Promise<FoundRefund> => {
  const paid = await requirePaid(ctx, donationId)
  const escrow = await requireEscrow(ctx, paid.campaignId)
  const state = await readEscrowState(ctx, escrow)
  const { sender, assetId, position, blockNumber } = paid
  if (sender === null || assetId === null || position === null || blockNumber === null) {
    throw new DomainError(
      'conflict',
      'This donation has no final transfer to this escrow, so there is nothing to refund. Its `status` and `reason` say why: GET /api/donations/:id.',
    )
  }
  const isOver = state.state === 'done' && assetId !== escrow.currencyId
  if (state.state !== 'failed' && !isOver) throw notFailed(state, escrow)
  if (paid.recordedDonor !== null) {
    return { escrow, ...(await readRecordedRefund(ctx, escrow, paid.recordedDonor)) }
  }
  if (isInternal(position)) return { escrow, state: 'uncounted' }
  const asset = ctx.settings.assets.byId(assetId).address ?? NATIVE_ASSET
  return findByRoot(ctx, escrow, state, { ...paid, sender, asset, blockNumber })
}

/** Says why an escrow that has not failed pays no refund. */
export const notFailed = ({ state }: EscrowState, { terms }: Escrow): DomainError => {
  if (state !== 'done') {
    return new DomainError(
      'campaign_not_failed',
      'The escrow of this campaign has not failed, so it pays no refund. Ask again after the event campaign.failed.',
    )
  }
  return new DomainError(
    'campaign_not_failed',
    terms.surplusToRecipient
      ? 'All milestones of this campaign are released, and the recipient gets what is left. There is no refund.'
      : 'All milestones of this campaign are released. If money is left, send `close` of GET /api/campaigns/:id/escrow, so that donors get it.',
  )
}

/**
 * Reads a donation with its credited transfer. A donation that failed with `asset_not_escrowed` has
 * a transfer in another asset instead, which verifiers can also return.
 */
const requirePaid = async ({ sql }: Context, donationId: string): Promise<Paid> => {
  const [paid] = await sql<Paid[]>`
    select donation.campaign_id, transfer.tx_hash, transfer.asset_id,
           transfer.sender, transfer.position, transfer.block_number,
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

/** Finds the leaf of a plain transfer in the root in force, or else in the root that waits. */
const findByRoot = async (
  ctx: Context,
  escrow: Escrow,
  state: EscrowState,
  paid: PlainTransfer,
): Promise<FoundRefund> => {
  const { inForce, waiting } = await findProposedRoots(ctx, escrow, state)
  const leaf = inForce && leafOf(inForce, paid)
  if (leaf) {
    const tree = await refundTree(inForce.leaves)
    return { escrow, ...(await readRefundByRoot(ctx, escrow, tree, leaf)) }
  }
  return waiting && leafOf(waiting, paid)
    ? { escrow, state: 'waits', readyAt: waiting.readyAt }
    : { escrow, state: 'missing' }
}

type PlainTransfer = Pick<Paid, 'txHash'> & { asset: string; sender: string; blockNumber: number }

/**
 * Finds the leaf that counts a transfer. Its donor is the sender or, for a sender that cannot sign,
 * the signer of the transaction.
 */
const leafOf = (
  { block, leaves }: Pick<FoundRoot, 'block' | 'leaves'>,
  { asset, sender, txHash, blockNumber }: PlainTransfer,
): RefundLeaf | undefined => {
  if (blockNumber > block.number) return undefined
  const ofAsset = leaves.filter((leaf) => leaf.asset === asset)
  return (
    ofAsset.find(({ transactions = [] }) => transactions.includes(txHash ?? '')) ??
    ofAsset.find(({ donor }) => donor === sender)
  )
}
