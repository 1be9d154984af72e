import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { lockChain } from '../cursor/index.ts'
import { isAfterOpening } from '../ledger/index.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import type { StandingTransfer } from './move-credit.ts'
import { type DonationRow, selectDonation } from './rows.ts'
import { alreadyClaimed, takeTransfer } from './take-transfer.ts'

/** A claim on a transaction that somebody has claimed before. */
export type HeldClaim = {
  userId: string
  campaignId: string
  txHash: string
  position: number | null
  ledgerAddress: string
  type: string | null
  declaredAssetId: string
  declaredAmount: string
}

/**
 * Answers a second claim on a transaction: with the claimant's own donation where they had recorded
 * it, with the transfer where they have linked the wallet that sent it, else with a refusal. Who
 * sent it is known once a block has shown it.
 *
 * @throws DomainError `transfer_already_claimed`
 */
export const claimHeld = async (
  ctx: Context,
  claim: HeldClaim,
): Promise<{ donation: DonationView; created: boolean }> => {
  const own = await ownDonation(ctx, claim)
  if (own && own.transfer_id !== null) return { donation: await view(ctx, own.id), created: false }
  const [candidate] = await sentByClaimant(ctx, claim)
  const taken = candidate && (await take(ctx, claim, candidate.chain_id))
  if (taken) return { donation: await view(ctx, taken.donationId), created: taken.created }
  if (own) return { donation: await view(ctx, own.id), created: false }
  throw alreadyClaimed()
}

const take = (ctx: Context, claim: HeldClaim, chainId: number) =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChain(ctx, chainId)
    const [transfer] = await sentByClaimant(ctx, claim)
    return transfer ? takeTransfer(ctx, state, transfer, { ...claim, proven: true }) : undefined
  })

/** The claimant's donation of this transaction: the same claim first, else one that has the transfer. */
const ownDonation = async (
  ctx: Context,
  claim: HeldClaim,
): Promise<{ id: string; transfer_id: string | null } | undefined> => {
  const [row] = await ctx.sql<{ id: string; transfer_id: string | null }[]>`
    select donation.id, donation.transfer_id
    from donation
    join campaign on campaign.id = donation.campaign_id and campaign.chain_id = donation.chain_id
    left join chain_transfer transfer on transfer.id = donation.transfer_id
    where donation.campaign_id = ${claim.campaignId} and donation.user_id = ${claim.userId}
      and donation.status <> 'failed' and campaign.id = ${claim.campaignId}
      and (donation.tx_hash = ${claim.txHash} or donation.original_tx_hash = ${claim.txHash})
      and (donation.claimed_position is not distinct from ${claim.position}::int
        or (transfer.id is not null
          and (${claim.position}::int is null or transfer.position = ${claim.position}::int)))
    order by donation.claimed_position is not distinct from ${claim.position}::int desc,
             donation.created_at, donation.id
    limit 1`
  return row
}

/**
 * What the transaction paid the campaign from a wallet that the claimant has linked, best first as
 * matching would choose it. A contract wallet is known on the chain on which it was linked, a key
 * on all of them.
 */
const sentByClaimant = (ctx: Context, claim: HeldClaim): Promise<StandingTransfer[]> =>
  ctx.sql<StandingTransfer[]>`
    select transfer.id, transfer.chain_id, transfer.tx_hash, transfer.position, transfer.asset_id,
           transfer.sender, transfer.amount, transfer.block_number, transfer.block_hash,
           transfer.mined_at
    from campaign
    join chain_transfer transfer
      on transfer.chain_id = campaign.chain_id and transfer.recipient = campaign.account
    join wallet on wallet.address = transfer.sender and wallet.user_id = ${claim.userId}
     and (wallet.method = 'ecdsa' or wallet.chain_id = transfer.chain_id)
    left join donation holder on holder.transfer_id = transfer.id
    where campaign.id = ${claim.campaignId} and transfer.tx_hash = ${claim.txHash}
      and transfer.block_number is not null
      and (${claim.position}::int is null or transfer.position = ${claim.position}::int)
      and ${claim.ledgerAddress} in (transfer.sender, transfer.recipient)
      and ${isAfterOpening(ctx.sql)}
      and (holder.id is null or holder.campaign_id = campaign.id)
    order by holder.id is not null, transfer.asset_id = ${claim.declaredAssetId} desc,
             transfer.amount = ${claim.declaredAmount}::numeric desc, transfer.position
    limit 1`

const view = async (ctx: Context, id: string): Promise<DonationView> => {
  const [row] = await ctx.sql<DonationRow[]>`${selectDonation(ctx.sql)} where donation.id = ${id}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  return toDonationView(ctx, row)
}
