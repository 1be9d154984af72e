import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { isAfterOpening } from '../../books/index.ts'
import { lockChainRow } from '../../shared/index.ts'
import type { RecordedDonation } from '../donation/donation-view.ts'
import { getDonation } from '../donation/read-donations.ts'
import { alreadyClaimed, type DonorClaim, takeTransfer } from './take-transfer.ts'

/** A user's claim on a transaction that at least one donation already claims. */
export type HeldClaim = DonorClaim & { txHash: string; position: number | null }

/**
 * Answers a user's claim on a claimed transaction with the first donation of this list that exists:
 * - the user's own donation of the transaction, if this donation has a transfer;
 * - a donation of the user that now gets a transfer that a linked wallet of the user sent;
 * - the user's own donation of the transaction, which has no transfer.
 *
 * @throws DomainError `transfer_already_claimed` if no donation of this list exists
 */
export const claimHeld = async (ctx: Context, claim: HeldClaim): Promise<RecordedDonation> => {
  const own = await ownDonation(ctx, claim)
  if (!own || own.transferId === null) {
    const [candidate] = await takeable(ctx, claim)
    const taken = candidate && (await take(ctx, claim, candidate.chainId))
    if (taken) {
      return { donation: await getDonation(ctx, taken.donationId), created: taken.created }
    }
  }
  if (own) return { donation: await getDonation(ctx, own.id), created: false }
  throw alreadyClaimed()
}

const take = (ctx: Context, claim: HeldClaim, chainId: number) =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, chainId)
    const [transfer] = await takeable(ctx, claim)
    return transfer && takeTransfer(ctx, state, transfer, claim)
  })

/** SQL for a LATERAL join with `campaign`: the donations that claim or claimed a transaction. */
const donationsOf = (sql: Queryable, txHash: string) => sql`(
  (select * from donation where chain_id + 0 = campaign.chain_id and tx_hash = ${txHash} offset 0)
  union all (select * from donation where original_tx_hash = ${txHash} and tx_hash <> ${txHash}
    and chain_id + 0 = campaign.chain_id offset 0)) donation`

/** Finds the user's donation of this transaction. Prefers a donation with the claimed position. */
const ownDonation = async (
  ctx: Context,
  claim: HeldClaim,
): Promise<{ id: string; transferId: string | null } | undefined> => {
  const [row] = await ctx.sql<{ id: string; transferId: string | null }[]>`
    select donation.id, donation.transfer_id
    from campaign cross join lateral ${donationsOf(ctx.sql, claim.txHash)}
    left join chain_transfer transfer on transfer.id = donation.transfer_id
    where campaign.id = ${claim.campaignId} and donation.campaign_id = campaign.id
      and donation.user_id = ${claim.userId} and donation.status <> 'failed'
      and (donation.claimed_position is not distinct from ${claim.position}::int
        or (transfer.id is not null
          and (${claim.position}::int is null or transfer.position = ${claim.position}::int)))
    order by donation.claimed_position is not distinct from ${claim.position}::int desc,
             donation.created_at, donation.id
    limit 1`
  return row
}

/**
 * Finds the mined transfer that fits the claim best and that a linked wallet of the user sent. A
 * contract wallet is linked on one chain only.
 */
const takeable = (ctx: Context, claim: HeldClaim): Promise<MinedTransfer[]> =>
  ctx.sql<MinedTransfer[]>`
    select transfer.*
    from campaign cross join lateral (select * from chain_transfer
      where chain_id + 0 = campaign.chain_id and tx_hash = ${claim.txHash} offset 0) transfer
    join wallet on wallet.address = transfer.sender and wallet.user_id = ${claim.userId}
     and holds_on(wallet, transfer.chain_id)
    left join donation holder on holder.transfer_id = transfer.id
    where campaign.id = ${claim.campaignId} and transfer.recipient = campaign.account
      and transfer.block_number is not null
      and (${claim.position}::int is null or transfer.position = ${claim.position}::int)
      and ${claim.ledgerAddress} in (transfer.sender, transfer.recipient)
      and ${isAfterOpening(ctx.sql)}
      and (holder.id is null or holder.campaign_id = campaign.id)
    order by holder.id is not null, transfer.asset_id = ${claim.declaredAssetId} desc,
             transfer.amount = ${claim.declaredAmount}::numeric desc, transfer.position
    limit 1`
