import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import type { Context } from '../../context.ts'
import { campaignOfTransfer, isEscrowedAsset, isPaidBack } from '../../ledger/index.ts'
import { failGuests, MOVED_TO_ACCOUNT } from '../claim/take-transfer.ts'
import type { EventSubject } from '../donation-events.ts'

type FreeTransfer = MinedTransfer &
  Pick<Campaign, 'creatorId'> & {
    campaignId: string
    /** Donations of guests that claim the transaction. Some intents `goesBefore` them. */
    guests: GuestClaim[]
  }

type GuestClaim = Pick<EventSubject, 'id' | 'userId' | 'campaignId' | 'requestId'> & {
  createdAt: string
}

/** At most this many intents are read in one pass, in the order of `listIntents`. */
const MOST_INTENTS = 5_000

/**
 * Matches unclaimed transfers to intents of the sending wallets, in the order of the blocks. One
 * transfer pays one intent. A late payment can also pay an expired intent. The intent is credited
 * when the transfer's block is final. The caller holds the chain's lock.
 *
 * @returns the number of matched intents
 */
export const offerToIntents = async (
  ctx: Context,
  chainId: number,
  transferIds: readonly string[],
): Promise<number> => {
  if (transferIds.length === 0) return 0
  const transfers = await listFree(ctx, chainId, transferIds)
  if (transfers.length === 0) return 0
  const intents = Map.groupBy(
    await listIntents(ctx, chainId, transfers),
    ({ donorWallet, campaignId }) => `${donorWallet}/${campaignId}`,
  )
  const matches = transfers.flatMap((transfer) => {
    const open = intents.get(`${transfer.sender}/${transfer.campaignId}`) ?? []
    const mayTake = open.filter((one) => goesBefore(one, transfer.guests))
    const intent = bestFor(transfer, mayTake)
    if (!intent) return []
    open.splice(open.indexOf(intent), 1)
    return [{ intent, transfer }]
  })
  if (matches.length === 0) return 0
  for (const [reason, paid] of Map.groupBy(matches, ({ intent }) =>
    intent.userId === null ? 'transfer_already_claimed' : MOVED_TO_ACCOUNT,
  )) {
    const claims = paid.flatMap(({ transfer }) =>
      transfer.guests.map((guest) => ({ ...transfer, ...guest })),
    )
    await failGuests(ctx, claims, reason)
  }
  const rows = matches.map(({ intent, transfer }) => ({
    id: intent.id,
    transfer_id: transfer.id,
    late: transfer.minedAt > intent.expiresAt,
  }))
  await ctx.sql`
    update donation
    set status = 'confirming', reason = 'waiting_for_finality', next_check_at = null,
        tx_hash = transfer.tx_hash, transfer_id = transfer.id,
        confirmed_asset_id = transfer.asset_id, confirmed_amount = transfer.amount,
        block_number = transfer.block_number, block_hash = transfer.block_hash,
        paid_late = row.late, lost_transfer_id = null
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, transfer_id uuid, late boolean)
    join chain_transfer transfer on transfer.id = row.transfer_id
    where donation.id = row.id`
  await expireEqual(ctx, rows)
  return matches.length
}

/**
 * Expires other intents of the same wallet, campaign and amount, because the payment may be for one
 * of these. Skips intents with another attached hash. An expired intent can still be paid.
 */
const expireEqual = async (ctx: Context, intents: readonly { id: string }[]): Promise<void> => {
  await ctx.sql`
    update donation other
    set status = 'expired', reason = 'another_intent_paid', next_check_at = null
    from donation paid
    where paid.id = any(${intents.map(({ id }) => id)}::uuid[]) and other.chain_id = paid.chain_id
      and other.donor_wallet = paid.donor_wallet and other.campaign_id = paid.campaign_id
      and other.declared_asset_id = paid.declared_asset_id
      and other.declared_amount = paid.declared_amount
      and other.intent and other.tx_hash is null and other.status = 'pending'
      and (other.attached_tx_hash is null or other.attached_tx_hash = paid.tx_hash)`
}

/** Reads mined transfers that no account has claimed, and for which no guest has a credit. */
const listFree = (
  ctx: Context,
  chainId: number,
  transferIds: readonly string[],
): Promise<FreeTransfer[]> => ctx.sql<FreeTransfer[]>`
  select transfer.*, paid.id as campaign_id, paid.creator_id, coalesce((
           select jsonb_agg(jsonb_build_object('id', guest.id, 'userId', null,
             'campaignId', guest.campaign_id, 'requestId', guest.request_id,
             'createdAt', guest.created_at))
           from (select * from donation
             where chain_id = ${chainId} and tx_hash = transfer.tx_hash offset 0) guest
           where guest.campaign_id = paid.id and guest.user_id is null and not guest.intent
             and (guest.status in ('pending', 'expired')
               or (guest.status = 'confirming'
                 and coalesce(guest.transfer_id, transfer.id) = transfer.id))
         ), '[]') as guests
  from chain_transfer transfer
  cross join lateral (${campaignOfTransfer(ctx.sql)}) paid
  join campaign on campaign.id = paid.id
  where transfer.id = any(${transferIds as string[]}::uuid[]) and transfer.block_number is not null
    and paid.counts and ${isEscrowedAsset(ctx.sql)} and not ${isPaidBack(ctx.sql)}
    and not exists (
      select from donation holder
      where holder.transfer_id = transfer.id
        and (holder.user_id is not null or holder.intent or holder.status <> 'confirming'))
    and not exists (
      select from (select * from donation
        where chain_id = ${chainId} and tx_hash = transfer.tx_hash offset 0) claim
      where claim.campaign_id = paid.id and not claim.intent
        and (claim.user_id is not null or claim.status = 'reversed')
        and claim.status in ('pending', 'expired', 'reversed'))
  order by transfer.block_number, transfer.tx_hash, transfer.position`

/**
 * Reads unpaid intents. If several intents fit a transfer equally, the first in this order is paid:
 * - intents of a user who has linked the wallet, then intents of other accounts, then of guests;
 * - intents that have not expired, then expired intents;
 * - intents of the donor with the oldest intent. Of this donor, the newest intent comes first.
 */
const listIntents = (
  ctx: Context,
  chainId: number,
  transfers: readonly FreeTransfer[],
): Promise<Donation[]> => ctx.sql<Donation[]>`
  select donation.*
  from donation
  where donation.chain_id = (select ${chainId}::bigint) and intent and tx_hash is null
    and donation.donor_wallet = any(${[...new Set(transfers.map((one) => one.sender))]})
    and donation.campaign_id = any(array(
      select unnest(${[...new Set(transfers.map((one) => one.campaignId))]}::uuid[])))
    and donation.status in ('pending', 'expired', 'reversed')
  order by exists (
      select from wallet
      where wallet.user_id = donation.user_id and wallet.address = donation.donor_wallet
        and holds_on(wallet, ${chainId})
    ) desc, donation.user_id is null, donation.status = 'expired', min(donation.created_at) over (
      partition by donation.user_id, donation.donor_wallet, donation.campaign_id,
                   donation.status = 'expired'
    ), donation.user_id, donation.created_at desc, donation.id desc
  limit ${MOST_INTENTS}`

/**
 * Whether an intent goes before guests who claim the transaction: the intent of an account, or an
 * open intent that is older than their claims. A stranger can claim a hash as soon as the pool of
 * a node has it.
 */
const goesBefore = (
  { userId, status, createdAt }: Donation,
  guests: readonly GuestClaim[],
): boolean =>
  userId !== null ||
  guests.every((guest) => status !== 'expired' && createdAt < new Date(guest.createdAt))

/**
 * Chooses the intent that a transfer pays:
 * - the intent that the transfer paid before a reorg;
 * - otherwise, of the intents that are older than the transfer, the first with the transfer's asset
 *   and amount, or else the first with this asset, or else the first of all;
 * - but if its donor attached the transaction's hash to some intents, the oldest of these intents.
 */
const bestFor = (transfer: FreeTransfer, intents: readonly Donation[]): Donation | undefined => {
  const lost = intents.find((one) => one.lostTransferId === transfer.id)
  if (lost) return lost
  const open = intents.filter((one) => startOfSecond(one.createdAt) <= transfer.minedAt.getTime())
  const asset = open.filter((one) => one.declaredAssetId === transfer.assetId)
  const best = asset.find((one) => one.declaredAmount === transfer.amount) ?? asset[0] ?? open[0]
  const isMeant = (one: Donation) =>
    one.attachedTxHash === transfer.txHash && one.userId === best?.userId
  return open.findLast(isMeant) ?? best
}

/** Rounds a time down to the second, because block times are whole seconds. */
const startOfSecond = (time: Date): number => Math.floor(time.getTime() / 1_000) * 1_000
