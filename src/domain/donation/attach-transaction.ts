import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import type { DonationView } from './donation-view.ts'
import { getDonation } from './get-donation.ts'
import { holdIntent } from './hold-intent.ts'
import { offerToIntents } from './match-intents.ts'
import type { DonationRow } from './rows.ts'

/**
 * `txHash` is what the wallet returned; `claimToken` is of the claim link, where the donor is a
 * guest.
 */
type AttachTransaction = { txHash: string; claimToken?: string | undefined }

/**
 * Attaches the hash that the wallet returned to an intent: of several equal intents, this one is
 * paid by that transaction. It still waits for a payment from its wallet, whichever transaction
 * brings it, so a wrong hash takes nothing from it.
 *
 * @throws DomainError `not_found`, `forbidden`, `conflict` for one that is paid or cancelled
 */
export const attachTransaction = (
  ctx: Context,
  id: string,
  { txHash, claimToken }: AttachTransaction,
): Promise<DonationView> =>
  withTransaction(ctx, async (ctx) => {
    const intent = await holdIntent(ctx, id, claimToken)
    if (intent.txHash === null && intent.status !== 'failed') {
      await ctx.sql`update donation set attached_tx_hash = ${txHash} where id = ${id}`
      await offerAgain(ctx, intent, txHash)
    } else if (intent.txHash !== txHash) {
      throw new DomainError('conflict', 'This donation is paid or cancelled already.')
    }
    return getDonation(ctx, id)
  })

/**
 * A block may have been faster than the wallet's answer: then an equal intent may have been paid.
 */
const offerAgain = async (ctx: Context, intent: DonationRow, txHash: string): Promise<void> => {
  const transfers = await ctx.sql<{ id: string }[]>`
    select id from chain_transfer
    where chain_id = ${intent.chainId} and tx_hash = ${txHash}
      and sender = ${intent.donorWallet} and block_number is not null`
  if (transfers.length === 0) return
  await releaseEqual(ctx, intent, txHash)
  await offerToIntents(
    ctx,
    intent.chainId,
    transfers.map((transfer) => transfer.id),
  )
}

/** Takes the transaction from an equal intent of the same account, unless it is final. */
const releaseEqual = async (ctx: Context, intent: DonationRow, txHash: string): Promise<void> => {
  await ctx.sql`
    update donation
    set status = 'pending', reason = 'waiting_for_payment', tx_hash = null, transfer_id = null,
        confirmed_asset_id = null, confirmed_amount = null, block_number = null,
        block_hash = null, paid_late = false, next_check_at = expires_at
    where chain_id = ${intent.chainId} and tx_hash = ${txHash} and intent
      and status = 'confirming' and attached_tx_hash is distinct from ${txHash}
      and user_id = ${intent.userId}::uuid and campaign_id = ${intent.campaignId}
      and donor_wallet = ${intent.donorWallet}
      and declared_asset_id = ${intent.declaredAssetId}
      and declared_amount = ${intent.declaredAmount}`
}
