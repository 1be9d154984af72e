import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { holdAccount, lockChainIfSynced } from '../../shared/index.ts'
import { offerToIntents } from '../intent/match-intents.ts'
import { becomes, withoutBlock, withoutPayment } from '../lifecycle.ts'
import { opensDonation } from './claim-token.ts'
import type { DonationView } from './donation-view.ts'
import { getDonation } from './read-donations.ts'
import { type DonationRow, requireDonation } from './rows.ts'
import type { ChangeDonation, SetVisibility } from './schemas.ts'

/**
 * Changes a donor's public name and message, or attaches the payment's transaction hash to an
 * intent. A hidden message stays hidden.
 *
 * @throws DomainError `not_found` for an unknown donation; `unauthenticated` or `forbidden` if the
 *   caller may not change the donation; `conflict` if a hash is sent for a donation that is not an
 *   intent, or for an intent that is paid or cancelled
 */
export const changeDonation = (
  ctx: Context,
  id: string,
  { txHash, donor, claimToken }: ChangeDonation,
): Promise<DonationView> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    if (txHash !== undefined) await attachTransaction(ctx, id, { txHash, claimToken })
    if (donor !== undefined) {
      const row = await readOwnDonation(ctx, id, claimToken)
      const { name = row.donorName, message = row.donorMessage } = donor
      await ctx.sql`
        update donation set donor_name = ${name}, donor_message = ${message} where id = ${id}`
    }
    return getDonation(ctx, id, claimToken)
  })

/**
 * Hides the name and message of a donor from the public, or shows them again. Only the campaign's
 * creator and administrators may do this.
 *
 * @throws DomainError `not_found` for an unknown donation, `forbidden` for any other caller
 */
export const setVisibility = (
  ctx: Context,
  id: string,
  { hidden }: SetVisibility,
): Promise<DonationView> =>
  withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const { creatorId = null } = await requireDonation(ctx, id)
    if (!mayActFor(ctx.actor, creatorId)) {
      throw new DomainError('forbidden', 'Only the creator of the campaign can hide a message.')
    }
    await ctx.sql`update donation set donor_hidden = ${hidden} where id = ${id}`
    return getDonation(ctx, id)
  })

const CANCELLED = 'cancelled'

/**
 * Cancels an intent that is pending or expired. No payment can pay a cancelled intent. A guest
 * sends the token of the claim link.
 *
 * @throws DomainError `not_found` for an unknown donation; `unauthenticated` or `forbidden` if the
 *   caller may not change the donation; `conflict` if the donation is paid or is not an intent
 */
export const cancelIntent = (ctx: Context, id: string, claimToken?: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const intent = await lockIntent(ctx, id, claimToken)
    if (intent.status === 'failed' && intent.reason === CANCELLED) return
    if (intent.status !== 'pending' && intent.status !== 'expired') {
      throw new DomainError('conflict', 'This donation is already paid.')
    }
    await ctx.sql`
      update donation
      set ${becomes(ctx.sql, 'cancel')}, reason = ${CANCELLED}, next_check_at = null, lost_transfer_id = null
      where id = ${id}`
  })

/**
 * Stores a transaction hash with an intent. If the donor has several equal intents, the transaction
 * pays this intent. A wrong hash does no harm, because any other payment from the wallet can still
 * pay the intent. Runs in the caller's transaction.
 */
const attachTransaction = async (
  ctx: Context,
  id: string,
  { txHash, claimToken }: Pick<ChangeDonation, 'claimToken'> & { txHash: string },
): Promise<void> => {
  const intent = await lockIntent(ctx, id, claimToken)
  if (intent.txHash === txHash) return
  if (intent.txHash !== null || intent.status === 'failed') {
    throw new DomainError('conflict', 'This donation is already paid or cancelled.')
  }
  await ctx.sql`update donation set attached_tx_hash = ${txHash} where id = ${id}`
  await offerAgain(ctx, intent, txHash)
}

/** Reads an intent. Locks the chain's row until the commit, so that no payment is matched. */
const lockIntent = async (ctx: Context, id: string, claimToken?: string): Promise<DonationRow> => {
  const { chainId } = await readIntent(ctx, id, claimToken)
  await lockChainIfSynced(ctx, chainId)
  return readIntent(ctx, id, claimToken)
}

const readIntent = async (ctx: Context, id: string, claimToken?: string): Promise<DonationRow> => {
  const row = await readOwnDonation(ctx, id, claimToken)
  if (row.intent) return row
  throw new DomainError('conflict', 'This donation was recorded with its transaction.')
}

/** Matches the attached transaction again, because an equal intent may have the payment. */
const offerAgain = async (ctx: Context, intent: DonationRow, txHash: string): Promise<void> => {
  const transfers = await ctx.sql<{ id: string }[]>`
    select id from chain_transfer
    where chain_id + 0 = ${intent.chainId} and tx_hash = ${txHash}
      and sender = ${intent.donorWallet} and block_number is not null`
  if (transfers.length === 0) return
  await releaseEqual(ctx, intent, txHash)
  const transferIds = transfers.map(({ id }) => id)
  await offerToIntents(ctx, intent.chainId, transferIds)
}

/** Takes the payment from an equal intent of the donor, unless that intent is already credited. */
const releaseEqual = async (ctx: Context, intent: DonationRow, txHash: string): Promise<void> => {
  await ctx.sql`
    update donation
    set ${becomes(ctx.sql, 'release')}, reason = 'waiting_for_payment', tx_hash = null,
        ${withoutPayment(ctx.sql)}, ${withoutBlock(ctx.sql)},
        paid_late = false, next_check_at = expires_at
    where chain_id + 0 = ${intent.chainId} and tx_hash = ${txHash} and intent
      and status = 'confirming' and attached_tx_hash is distinct from ${txHash}
      and user_id = ${intent.userId}::uuid and campaign_id = ${intent.campaignId}
      and donor_wallet = ${intent.donorWallet}
      and declared_asset_id = ${intent.declaredAssetId}
      and declared_amount = ${intent.declaredAmount}`
}

/**
 * Reads a donation that the caller may change: as its donor, as an administrator or with its claim
 * link.
 *
 * @throws DomainError `not_found` for an unknown donation, `unauthenticated` for a guest without a
 *   token, `forbidden` for any other caller
 */
const readOwnDonation = async (
  ctx: Context,
  id: string,
  claimToken?: string,
): Promise<DonationRow> => {
  const row = await requireDonation(ctx, id)
  if (ctx.actor.kind === 'anonymous' && claimToken === undefined) {
    throw new DomainError('unauthenticated', 'Sign in, or send the token of the claim link.')
  }
  const isGuest = row.userId === null && claimToken !== undefined
  const mayChange = isGuest
    ? await opensDonation(ctx, id, claimToken)
    : mayActFor(ctx.actor, row.userId)
  if (mayChange) return row
  throw new DomainError('forbidden', 'Only the donor can change a donation.')
}
