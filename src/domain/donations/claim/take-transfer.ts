import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { type Arrived, arrivedOfDonation, isEscrowedAsset } from '../../books/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import type { ChainState } from '../../shared/index.ts'
import { claimKey } from '../donation/claim-key.ts'
import { failedEvent } from '../donation/donation-events.ts'
import type { DonorWords } from '../donation/donor-of.ts'
import { becomes, withoutBlock, withoutCredit, withoutPayment } from '../lifecycle.ts'
import { type CreditedClaim, moveCredit } from './move-credit.ts'

/** The failure reason of a donation whose transfer moved to the holder of the sending wallet. */
export const MOVED = 'moved_to_wallet_owner'

/** A user's claim that they made a payment to a campaign. */
export type DonorClaim = Pick<
  Donation,
  'campaignId' | 'type' | 'ledgerAddress' | 'declaredAssetId' | 'declaredAmount'
> & { userId: string; donor?: DonorWords | undefined }

/** A donation that claims the transaction. `owner` is true if its user holds the sending wallet. */
type PresentClaim = Donation &
  Pick<Campaign, 'creatorId' | 'currencyId'> & {
    txHash: string
    arrived: Arrived | null
    owner: boolean
  }

/**
 * Gives a transfer to the waiting donation of a user who has proven the sending wallet, or to a new
 * donation of this user. Other donations lose the transfer, unless their user has proven the wallet
 * too. Moves the credit. The caller has checked the proof, and holds the chain's lock.
 *
 * @throws DomainError `transfer_already_claimed`; `campaign_not_active` and `conflict` if an escrow
 *   gives the transfer back
 */
export const takeTransfer = async (
  ctx: Context,
  state: ChainState,
  transfer: MinedTransfer,
  claim: DonorClaim,
): Promise<{ donationId: string; created: boolean }> => {
  const claims = await presentClaims(ctx, transfer, claim.campaignId)
  const holder = claims.find((one) => one.transferId === transfer.id)
  if (holder?.userId === claim.userId) return { donationId: holder.id, created: false }
  await refuseEscrow(ctx, transfer, holder?.campaignId ?? claim.campaignId)
  const losers = claims.filter(
    (one) =>
      one.userId !== claim.userId && (one === holder || one.claimedPosition === transfer.position),
  )
  if (losers.some((one) => one.owner)) throw alreadyClaimed()
  await fail(ctx, losers)
  // The transfer stays with the campaign of `holder`, because several campaigns may use an account.
  const campaignId = holder?.campaignId ?? claim.campaignId
  const own = ownClaim(claims, transfer, { ...claim, campaignId })
  const id = own?.id ?? (await open(ctx, transfer, { ...claim, campaignId }))
  await attach(ctx, id, transfer, claim)
  if (holder && isCredited(holder)) {
    await moveCredit(ctx, state, transfer, holder, { donationId: id, reason: MOVED })
  }
  const failed = losers.filter((one) => !isCredited(one)).map((one) => failedEvent(one, MOVED))
  await emitAndNotify(ctx, failed)
  if (losers.length > 0) {
    const from = losers.map((one) => one.id)
    ctx.log.info({ transferId: transfer.id, from, to: id }, 'a transfer moved to another donor')
  }
  return { donationId: id, created: own === undefined }
}

/** Explains how the sender can claim the transaction. Does not name the other donor. */
export const alreadyClaimed = () =>
  new DomainError(
    'transfer_already_claimed',
    'Another donor has recorded this transaction. If you sent it, link the sending wallet ' +
      'and record it again when a block holds it. It then becomes your donation.',
  )

const isCredited = (one: PresentClaim): one is PresentClaim & CreditedClaim =>
  one.status === 'completed' && one.creditedAmount !== null

/** Locks and reads donations that have the transfer, or claim its transaction for the campaign. */
const presentClaims = (
  ctx: Context,
  transfer: MinedTransfer,
  campaignId: string,
): Promise<PresentClaim[]> => ctx.sql<PresentClaim[]>`
  select donation.*, campaign.creator_id, campaign.currency_id, ${arrivedOfDonation(ctx.sql)},
         donation.wallet_proven or exists (
           select from wallet
           where wallet.user_id = donation.user_id and wallet.address = ${transfer.sender}
             and holds_on(wallet, ${transfer.chainId})) as owner
  from donation join campaign on campaign.id = donation.campaign_id
  where donation.chain_id + 0 = ${transfer.chainId} and donation.tx_hash = ${transfer.txHash}
    and donation.status <> 'failed'
    and (donation.transfer_id = ${transfer.id} or donation.campaign_id = ${campaignId})
  order by donation.created_at, donation.id
  for update of donation`

/** Finds the user's waiting donation with the position of this transfer, or without a position. */
const ownClaim = (
  claims: readonly PresentClaim[],
  transfer: MinedTransfer,
  { userId, campaignId }: DonorClaim,
): PresentClaim | undefined => {
  const waiting = claims.filter(
    (one) => one.userId === userId && one.campaignId === campaignId && one.transferId === null,
  )
  return (
    waiting.find((one) => one.claimedPosition === transfer.position) ??
    waiting.find((one) => one.claimedPosition === null)
  )
}

/** Marks donations as failed. Clears their block number, so that a reorg does not reopen them. */
const fail = async ({ sql }: Context, claims: readonly { id: string }[]): Promise<void> => {
  if (claims.length === 0) return
  await sql`
    update donation
    set ${becomes(sql, 'lose', { loseCredit: sql`status = 'completed'` })},
        reason = ${MOVED}, next_check_at = null,
        ${withoutPayment(sql)}, ${withoutCredit(sql)}, ${withoutBlock(sql)}
    where id = any(${claims.map(({ id }) => id)}::uuid[])`
}

/** Gives the transfer to the donation, which then waits for the transfer's final block. */
const attach = async (
  ctx: Context,
  id: string,
  transfer: MinedTransfer,
  { ledgerAddress }: DonorClaim,
): Promise<void> => {
  await ctx.sql`
    update donation
    set ${becomes(ctx.sql, 'take')}, reason = 'waiting_for_finality', next_check_at = null,
        claimed_position = ${transfer.position}, wallet_proven = true,
        ledger_address = ${ledgerAddress},
        block_number = ${transfer.blockNumber}, transfer_id = ${transfer.id},
        confirmed_asset_id = nullif(${transfer.assetId}, declared_asset_id),
        confirmed_amount = ${transfer.amount}
    where id = ${id}`
}

const open = async (ctx: Context, transfer: MinedTransfer, claim: DonorClaim): Promise<string> => {
  const now = ctx.clock.now()
  const [made] = await ctx.sql<{ id: string }[]>`
    insert into donation
      (id, user_id, campaign_id, type, donor_wallet, donor_name, donor_message, chain_id, tx_hash,
       ledger_address, claimed_position, declared_asset_id, declared_amount, expires_at, request_id,
       created_at)
    values (${newId(now.getTime())}, ${claim.userId}, ${claim.campaignId}, ${claim.type},
            ${transfer.sender}, ${claim.donor?.name ?? null}, ${claim.donor?.message ?? null},
            ${transfer.chainId}, ${transfer.txHash}, ${claim.ledgerAddress}, ${transfer.position},
            ${claim.declaredAssetId}, ${claim.declaredAmount},
            ${new Date(now.getTime() + ctx.settings.donationExpiryMs)}, ${ctx.requestId}, ${now})
    on conflict (${claimKey(ctx.sql)}) do nothing
    returning id`
  // A concurrent request has recorded this claim. The user's next request finds the claim.
  if (!made) throw alreadyClaimed()
  return made.id
}

/**
 * Refuses to give a transfer to a donation if the campaign's escrow gives the money back: after the
 * escrow has failed, and in an asset that the escrow does not hold. So money that was paid back is
 * never credited.
 *
 * @throws DomainError `campaign_not_active`, `conflict`
 */
const refuseEscrow = async (
  ctx: Context,
  { id, assetId }: Pick<MinedTransfer, 'id' | 'assetId'>,
  campaignId: string,
): Promise<void> => {
  const [row] = await ctx.sql<{ isHeld: boolean; hasFailed: boolean }[]>`
    select ${isEscrowedAsset(ctx.sql)} as is_held, exists (
             select from escrow_event event
             where event.campaign_id = campaign.id and event.kind = 'Failed'
               and event.settled_at is not null) as has_failed
    from campaign, (select ${id}::uuid as id, ${assetId} as asset_id) transfer
    where campaign.id = ${campaignId}`
  if (row?.hasFailed) {
    throw new DomainError(
      'campaign_not_active',
      'The escrow of this campaign gives its money back, so it takes no more donations. GET /api/campaigns/:id/returns has what goes back.',
    )
  }
  if (row?.isHeld !== false) return
  throw new DomainError(
    'conflict',
    'The escrow of this campaign does not hold this asset, so the payment is no donation. Its verifiers can return it.',
  )
}
