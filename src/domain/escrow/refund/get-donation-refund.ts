import { claimCall, refundCall } from '../../../chain/escrow/calls.ts'
import { refundProof } from '../../../chain/escrow/merkle.ts'
import type { RefundLeaf } from '../../../db/schema/escrow.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { NATIVE_ASSET } from '../../../kernel/escrow-event.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Context } from '../../context.ts'
import { type EscrowState, readEscrowState, rootInForce } from '../escrow-state.ts'
import { readEscrowTime } from '../escrow-time.ts'
import { type ReadyTransaction, readyTransaction } from '../ready-transaction.ts'
import { recordedDonor } from '../recorded-donor.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { findRoot } from './get-refunds.ts'

/** The refund of the account that made a donation. It covers all donations of this account. */
export type DonationRefund = {
  donationId: string
  campaignId: string
  /** `on_chain`: by the contract's own records. `by_verifiers`: by a root that they signed. */
  refund: 'on_chain' | 'by_verifiers'
  /** The account that gets the money. Addresses have a checksum. */
  donor: string
  asset: string
  /** What a root gives the donor in all, in base units; null for a recorded donor. */
  cumulative: string | null
  transaction: ReadyTransaction
}

type Paid = {
  id: string
  campaignId: string
  txHash: string | null
  assetId: string | null
  sender: string | null
  blockNumber: number | null
  recordedDonor: string | null
}

/**
 * Returns the transaction that refunds a donation, which any account may send. Must run outside a
 * transaction, because it simulates the call.
 *
 * @throws DomainError
 * - `not_found`; `not_escrowed` for a campaign without an escrow
 * - `conflict` for a donation without a transfer that the escrow still has
 * - `campaign_not_failed` if the escrow has not failed; for other assets, if it has not ended
 * - `already_refunded`
 * - `refund_root_missing` if no root in force has the transfer, `refund_window_open` if one waits
 */
export const getDonationRefund = async (
  ctx: Context,
  donationId: string,
): Promise<DonationRefund> => {
  const paid = await requirePaid(ctx, donationId)
  const escrow = await requireEscrow(ctx, paid.campaignId)
  const state = await readEscrowState(ctx, escrow)
  const { sender, assetId } = paid
  if (sender === null || assetId === null) {
    throw new DomainError(
      'conflict',
      'This donation has no final transfer to this escrow, so there is nothing to refund. Its `status` and `reason` say why: GET /api/donations/:id.',
    )
  }
  const isOver = state.state === 'done' && assetId !== escrow.currencyId
  if (state.state !== 'failed' && !isOver) {
    throw new DomainError(
      'campaign_not_failed',
      'The escrow of this campaign has not failed, so it pays no refund. Ask again after the event campaign.failed.',
    )
  }
  const made = { donationId, campaignId: paid.campaignId }
  if (paid.recordedDonor !== null) {
    const donor = paid.recordedDonor
    if ((await refundedTo(ctx, escrow, { donor, recorded: true })) > 0n) throw refunded()
    return {
      ...made,
      refund: 'on_chain',
      donor: toChecksumAddress(donor),
      asset: toChecksumAddress(escrow.terms.asset),
      cumulative: null,
      transaction: await readyTransaction(ctx, escrow, [refundCall(escrow.account, donor)]),
    }
  }
  const asset = ctx.settings.assets.byId(assetId).address ?? NATIVE_ASSET
  const { leaf, proof } = await claimableLeaf(ctx, escrow, state, { ...paid, sender, asset })
  const { donor, amount } = leaf
  const claim = { asset, donor, cumulative: BigInt(amount), proof }
  return {
    ...made,
    refund: 'by_verifiers',
    donor: toChecksumAddress(donor),
    asset: toChecksumAddress(asset),
    cumulative: amount,
    transaction: await readyTransaction(ctx, escrow, [claimCall(escrow.account, claim)]),
  }
}

const refunded = (): DomainError =>
  new DomainError(
    'already_refunded',
    'The donor has already got this refund, so there is nothing to send.',
  )

/**
 * Reads a donation with its credited transfer. A donation that failed with `asset_not_escrowed` has
 * a transfer in another asset instead, which verifiers can also return.
 */
const requirePaid = async ({ sql }: Context, donationId: string): Promise<Paid> => {
  const [paid] = await sql<Paid[]>`
    select donation.id, donation.campaign_id, transfer.tx_hash, transfer.asset_id,
           transfer.sender, transfer.block_number, ${recordedDonor(sql)} as recorded_donor
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

/** The sum of the settled refunds to a donor, in base units of an asset. */
const refundedTo = async (
  { sql }: Context,
  { campaignId, terms }: Escrow,
  { donor, recorded, asset = terms.asset }: { donor: string; recorded: boolean; asset?: string },
): Promise<bigint> => {
  const [row] = await sql<{ sum: string }[]>`
    select coalesce(sum((fields ->> 'amount')::numeric), 0)::text as sum from escrow_event
    where campaign_id = ${campaignId} and kind = 'Refunded' and settled_at is not null
      and fields ->> 'donor' = ${donor} and fields ->> 'asset' = ${asset}
      and (fields ->> 'recorded')::boolean = ${recorded}`
  return BigInt(row?.sum ?? 0)
}

/** Finds the leaf of a plain transfer in the root in force. */
const claimableLeaf = async (
  ctx: Context,
  escrow: Escrow,
  state: EscrowState,
  paid: Paid & { sender: string; asset: string },
): Promise<{ leaf: RefundLeaf; proof: string[] }> => {
  const inForce = rootInForce(state, await readEscrowTime(ctx, escrow))
  const { newestRoot } = state
  const root = inForce && (await findRoot(ctx, escrow, inForce))
  const isCounted = (block: { number: number }) => (paid.blockNumber ?? Infinity) <= block.number
  const leaf = root && isCounted(root.block) ? leafOf(root.leaves, paid) : undefined
  const proof = leaf && (await refundProof(root?.leaves ?? [], leaf))
  if (leaf && proof) {
    const { donor, asset } = leaf
    const before = await refundedTo(ctx, escrow, { donor, asset, recorded: false })
    if (before >= BigInt(leaf.amount)) throw refunded()
    return { leaf, proof }
  }
  if (newestRoot && newestRoot !== inForce) {
    const at = new Date(newestRoot.readyAt * 1_000).toISOString()
    throw new DomainError(
      'refund_window_open',
      `A refund root is proposed. Donors can claim by it from ${at}, unless a verifier vetoes it.`,
    )
  }
  throw new DomainError(
    'refund_root_missing',
    `This plain transfer needs a refund root that ${escrow.terms.quorum} verifiers sign, and no root with it is proposed. Ask the verifiers, and wait for the event refund.root.proposed.`,
  )
}

/** A donor is the sender or, for a sender that cannot sign, the signer of the transaction. */
const leafOf = (
  leaves: readonly RefundLeaf[],
  { asset, sender, txHash }: { asset: string; sender: string; txHash: string | null },
): RefundLeaf | undefined => {
  const ofAsset = leaves.filter((leaf) => leaf.asset === asset)
  return (
    ofAsset.find(({ transactions = [] }) => transactions.includes(txHash ?? '')) ??
    ofAsset.find(({ donor }) => donor === sender)
  )
}
