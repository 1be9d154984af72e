import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { emit } from '../../outbox/emit.ts'
import { lockChainRow } from '../chain-state/index.ts'
import type { Context } from '../context.ts'
import { isAfterOpening } from '../ledger/index.ts'
import { notifyOfEvents } from '../notification/index.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import type { DonorWords } from './donor-of.ts'
import { MOVED_TO_ACCOUNT, type StandingTransfer } from './move-credit.ts'
import { type DonationRow, selectDonation } from './rows.ts'
import { failedEvent } from './settle-donations.ts'
import { alreadyClaimed, lose, takeTransfer } from './take-transfer.ts'

/** A claim on a transaction that is claimed already. */
export type HeldClaim = {
  userId: string
  campaignId: string
  txHash: string
  position: number | null
  ledgerAddress: string
  type: string | null
  donor?: DonorWords | undefined
  declaredAssetId: string
  declaredAmount: string
}

/**
 * Answers a second claim on a transaction: with the claimant's own donation where they had recorded
 * it, with the transfer where they have linked the wallet that sent it or where a guest has it,
 * else with a refusal. Who sent it is known once a block has shown it.
 *
 * @throws DomainError `transfer_already_claimed`
 */
export const claimHeld = async (
  ctx: Context,
  claim: HeldClaim,
): Promise<{ donation: DonationView; created: boolean }> => {
  const own = await ownDonation(ctx, claim)
  if (own && own.transferId !== null) return { donation: await view(ctx, own.id), created: false }
  const [candidate] = await takeable(ctx, claim)
  const taken = candidate && (await take(ctx, claim, candidate.chainId))
  if (taken) return { donation: await view(ctx, taken.donationId), created: taken.created }
  if (own) return { donation: await view(ctx, own.id), created: false }
  throw alreadyClaimed()
}

const take = (ctx: Context, claim: HeldClaim, chainId: number) =>
  withTransaction(ctx, async (ctx) => {
    const state = await lockChainRow(ctx, chainId)
    const [transfer] = await takeable(ctx, claim)
    return transfer
      ? takeTransfer(ctx, state, transfer, { ...claim, proven: transfer.sent })
      : undefined
  })

/**
 * Fails a guest's claim that has no transfer, so that an account can record the same. Part of the
 * caller's transaction. Returns whether there was one.
 */
export const displaceGuest = async (
  ctx: Context,
  claim: Pick<HeldClaim, 'campaignId' | 'txHash' | 'position'>,
): Promise<boolean> => {
  const { sql } = ctx
  const guests = () => sql<GuestClaim[]>`
    select donation.id, donation.user_id, donation.campaign_id, donation.tx_hash,
           donation.request_id, campaign.creator_id
    from donation join campaign on campaign.id = donation.campaign_id
    where donation.chain_id = campaign.chain_id and donation.campaign_id = ${claim.campaignId}
      and (donation.tx_hash = ${claim.txHash} or donation.original_tx_hash = ${claim.txHash})
      and donation.user_id is null and not donation.intent and donation.status <> 'failed'
      and donation.transfer_id is null
      and donation.claimed_position is not distinct from ${claim.position}::int`
  if ((await guests()).length === 0) return false
  // Nothing may be matched meanwhile; a chain without a row is not followed yet.
  await sql`
    select from chain_state
    where chain_id = (select chain_id from campaign where id = ${claim.campaignId}) for update`
  const displaced = await guests()
  await lose(
    ctx,
    displaced.map((one) => one.id),
    MOVED_TO_ACCOUNT,
  )
  const events = displaced.map((one) => failedEvent({ ...one, reason: MOVED_TO_ACCOUNT }))
  await emit(ctx, events)
  await notifyOfEvents(ctx, events)
  return displaced.length > 0
}

type GuestClaim = Omit<Parameters<typeof failedEvent>[0], 'reason'> & { id: string }

/**
 * The claimant's donation of this transaction: the same claim first, else one that has the
 * transfer.
 */
const ownDonation = async (
  ctx: Context,
  claim: HeldClaim,
): Promise<{ id: string; transferId: string | null } | undefined> => {
  const [row] = await ctx.sql<{ id: string; transferId: string | null }[]>`
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

/** `sent`: from a wallet that the claimant has linked. */
type Takeable = StandingTransfer & { sent: boolean }

/**
 * What the transaction paid the campaign from a wallet that the claimant has linked, or what a
 * guest has; best first as matching would choose it. A contract wallet is known on the chain on
 * which it was linked, a key on all of them.
 */
const takeable = (ctx: Context, claim: HeldClaim): Promise<Takeable[]> =>
  ctx.sql<Takeable[]>`
    select transfer.id, transfer.chain_id, transfer.tx_hash, transfer.position, transfer.asset_id,
           transfer.sender, transfer.amount, transfer.block_number, transfer.block_hash,
           transfer.mined_at, wallet.id is not null as sent
    from campaign
    join chain_transfer transfer
      on transfer.chain_id = campaign.chain_id and transfer.recipient = campaign.account
    left join wallet on wallet.address = transfer.sender and wallet.user_id = ${claim.userId}
     and holds_on(wallet, transfer.chain_id)
    left join donation holder on holder.transfer_id = transfer.id
    where campaign.id = ${claim.campaignId} and transfer.tx_hash = ${claim.txHash}
      and transfer.block_number is not null
      and (wallet.id is not null or (holder.id is not null and holder.user_id is null))
      and (${claim.position}::int is null or transfer.position = ${claim.position}::int)
      and ${claim.ledgerAddress} in (transfer.sender, transfer.recipient)
      and ${isAfterOpening(ctx.sql)}
      and (holder.id is null or holder.campaign_id = campaign.id)
    order by holder.id is not null, wallet.id is null,
             transfer.asset_id = ${claim.declaredAssetId} desc,
             transfer.amount = ${claim.declaredAmount}::numeric desc, transfer.position
    limit 1`

const view = async (ctx: Context, id: string): Promise<DonationView> => {
  const [row] = await ctx.sql<DonationRow[]>`${selectDonation(ctx.sql)} where donation.id = ${id}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  return toDonationView(ctx, row)
}
