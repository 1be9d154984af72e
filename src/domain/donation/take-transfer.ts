import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { emit } from '../../outbox/emit.ts'
import type { ChainState } from '../chain-state/index.ts'
import type { Context } from '../context.ts'
import { type Arrived, arrivedOfDonation } from '../ledger/index.ts'
import { notifyOfEvents } from '../notification/index.ts'
import type { DonorWords } from './donor-of.ts'
import {
  type CreditedClaim,
  MOVED,
  MOVED_TO_ACCOUNT,
  moveCredit,
  type StandingTransfer,
} from './move-credit.ts'
import { failedEvent } from './settle-donations.ts'

/** Who wants a transfer, and what they say of it. */
export type TransferClaim = {
  userId: string
  campaignId: string
  /** Whether they hold the wallet that sent it: by a link that stands now, or by a signature. */
  proven: boolean
  type: string | null
  donor?: DonorWords | undefined
  ledgerAddress: string
  declaredAssetId: string
  declaredAmount: string
}

/** A claim that stands against the transfer's transaction. */
type Standing = Omit<CreditedClaim, 'creditedAmount' | 'arrived'> & {
  status: string
  claimedPosition: number | null
  transferId: string | null
  creditedAmount: string | null
  arrived: Arrived | null
  owner: boolean
}

/**
 * Gives a transfer to a claimant: to the donation of theirs that waits for it, else to a new one.
 * From others it moves, once: from those who have not proven the sending wallet to an account that
 * has, and from guests to any account. Money that was credited already stays credited
 * (`moveCredit`). The caller holds the chain's lock.
 *
 * @throws DomainError `transfer_already_claimed`
 */
export const takeTransfer = async (
  ctx: Context,
  state: ChainState,
  transfer: StandingTransfer,
  claim: TransferClaim,
): Promise<{ donationId: string; created: boolean }> => {
  const claims = await standingClaims(ctx, transfer, claim.campaignId)
  const holder = claims.find((one) => one.transferId === transfer.id)
  if (holder?.userId === claim.userId) return { donationId: holder.id, created: false }
  const losers = claims.filter(
    (one) =>
      one.userId !== claim.userId && (one === holder || one.claimedPosition === transfer.position),
  )
  const isFirm = (one: Standing) => one.owner || (!claim.proven && one.userId !== null)
  if (losers.some(isFirm)) throw alreadyClaimed()
  const reason = claim.proven ? MOVED : MOVED_TO_ACCOUNT
  await lose(
    ctx,
    losers.map((one) => one.id),
    reason,
  )
  // An account may have served several campaigns: the money stays with the one that has it.
  const campaignId = holder?.campaignId ?? claim.campaignId
  const own = ownClaim(claims, transfer, { ...claim, campaignId })
  const id = own
    ? await attach(ctx, own.id, transfer, claim)
    : await open(ctx, transfer, { ...claim, campaignId })
  if (holder && isCredited(holder)) {
    await moveCredit(ctx, state, transfer, holder, { donationId: id, reason })
  }
  const failures = losers
    .filter((one) => !isCredited(one))
    .map((one) => failedEvent({ ...one, reason }))
  await emit(ctx, failures)
  await notifyOfEvents(ctx, failures)
  if (losers.length > 0) {
    const from = losers.map((one) => one.id)
    ctx.log.info({ transferId: transfer.id, from, to: id }, 'a transfer moved to another donor')
  }
  return { donationId: id, created: own === undefined }
}

/** Says how the sender of a transaction gets it, and not who has recorded it. */
export const alreadyClaimed = () =>
  new DomainError(
    'transfer_already_claimed',
    'Another donor has recorded this transaction. If you sent it: link the wallet that sent it, ' +
      'and record it again once a block holds it. It then becomes your donation.',
  )

const isCredited = (one: Standing): one is Standing & CreditedClaim =>
  one.status === 'completed' && one.creditedAmount !== null

/** Those that hold the transfer, or claim its transaction for this campaign; locked. */
const standingClaims = (
  ctx: Context,
  transfer: StandingTransfer,
  campaignId: string,
): Promise<Standing[]> => ctx.sql<Standing[]>`
  select donation.id, donation.user_id, donation.campaign_id, donation.tx_hash,
         donation.request_id, donation.status, donation.claimed_position, donation.transfer_id,
         donation.declared_asset_id, donation.declared_amount, donation.discrepancy,
         donation.credited_amount, donation.price, donation.price_source, campaign.creator_id,
         campaign.currency_id, ${arrivedOfDonation(ctx.sql)},
         donation.wallet_proven or exists (
           select from wallet
           where wallet.user_id = donation.user_id and wallet.address = ${transfer.sender}
             and holds_on(wallet, ${transfer.chainId})) as owner
  from donation join campaign on campaign.id = donation.campaign_id
  where donation.chain_id = ${transfer.chainId} and donation.tx_hash = ${transfer.txHash}
    and donation.status <> 'failed'
    and (donation.transfer_id = ${transfer.id} or donation.campaign_id = ${campaignId})
  order by donation.created_at, donation.id
  for update of donation`

/** The claimant's own donation that waits for a transfer, the one that names this one first. */
const ownClaim = (
  claims: readonly Standing[],
  transfer: StandingTransfer,
  { userId, campaignId }: TransferClaim,
): Standing | undefined => {
  const waiting = claims.filter(
    (one) => one.userId === userId && one.campaignId === campaignId && one.transferId === null,
  )
  return (
    waiting.find((one) => one.claimedPosition === transfer.position) ??
    waiting.find((one) => one.claimedPosition === null)
  )
}

/** Without a block they are nothing that a reorganisation could bring back. */
export const lose = async (ctx: Context, ids: readonly string[], reason: string): Promise<void> => {
  if (ids.length === 0) return
  await ctx.sql`
    update donation
    set status = 'failed', reason = ${reason}, transfer_id = null, confirmed_asset_id = null,
        confirmed_amount = null, credited_amount = null, price = null, price_source = null,
        discrepancy = false, completed_at = null, block_number = null, block_hash = null,
        next_check_at = null
    where id = any(${ids as string[]}::uuid[])`
}

const attach = async (
  ctx: Context,
  id: string,
  transfer: StandingTransfer,
  { proven, ledgerAddress }: TransferClaim,
): Promise<string> => {
  await ctx.sql`
    update donation
    set status = 'confirming', reason = 'waiting_for_finality', next_check_at = null,
        claimed_position = ${transfer.position}, wallet_proven = ${proven},
        ledger_address = ${ledgerAddress},
        block_number = ${transfer.blockNumber}, block_hash = ${transfer.blockHash},
        transfer_id = ${transfer.id}, confirmed_asset_id = ${transfer.assetId},
        confirmed_amount = ${transfer.amount}
    where id = ${id}`
  return id
}

const open = async (
  ctx: Context,
  transfer: StandingTransfer,
  claim: TransferClaim,
): Promise<string> => {
  const now = ctx.clock.now()
  const [made] = await ctx.sql<{ id: string }[]>`
    insert into donation
      (id, user_id, campaign_id, type, donor_wallet, donor_name, donor_message, chain_id, tx_hash,
       ledger_address, claimed_position, wallet_proven, declared_asset_id, declared_amount, status,
       reason, block_number, block_hash, transfer_id, confirmed_asset_id, confirmed_amount, expires_at,
       request_id, created_at)
    values (${newId(now.getTime())}, ${claim.userId}, ${claim.campaignId}, ${claim.type},
            ${claim.proven ? transfer.sender : null}, ${claim.donor?.name ?? null},
            ${claim.donor?.message ?? null}, ${transfer.chainId}, ${transfer.txHash},
            ${claim.ledgerAddress}, ${transfer.position}, ${claim.proven},
            ${claim.declaredAssetId}, ${claim.declaredAmount}, 'confirming',
            'waiting_for_finality', ${transfer.blockNumber}, ${transfer.blockHash},
            ${transfer.id}, ${transfer.assetId}, ${transfer.amount},
            ${new Date(now.getTime() + ctx.settings.donationExpiryMs)}, ${ctx.requestId}, ${now})
    on conflict (chain_id, tx_hash, campaign_id, (coalesce(claimed_position, -2147483648)))
      where status <> 'failed' and not intent do nothing
    returning id`
  // Another request has recorded it at this moment; the next try finds that claim.
  if (!made) throw alreadyClaimed()
  return made.id
}
