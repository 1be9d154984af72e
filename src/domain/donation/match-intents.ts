import { emit } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import { campaignOfTransfer } from '../ledger/index.ts'
import { notifyOfEvents } from '../notification/index.ts'
import { MOVED_TO_ACCOUNT } from './move-credit.ts'
import { failedEvent } from './settle-donations.ts'
import { lose } from './take-transfer.ts'

type FreeTransfer = {
  id: string
  campaignId: string
  txHash: string
  assetId: string
  sender: string
  amount: string
  blockNumber: number
  blockHash: string
  minedAt: Date
  /** Claims of guests, by hash, which the intent of an account goes before. */
  guests: { id: string; userId: null; campaignId: string; requestId: string | null }[]
  creatorId: string
}

type OpenIntent = {
  id: string
  /** Null for a guest's; these go last. */
  userId: string | null
  campaignId: string
  donorWallet: string
  declaredAssetId: string
  declaredAmount: string
  createdAt: Date
  expiresAt: Date
  lostTransferId: string | null
  attachedTxHash: string | null
}

/** How many intents one pass looks at, those whose donor has linked the paying wallet first. */
const MOST_INTENTS = 5_000

/**
 * Offers transfers that no explicit claim takes to the intents of the wallets that sent them, in
 * the order of the chain; one transfer settles one intent. An expired intent is still paid, late.
 * What is found counts when its block is final. The caller holds the chain's lock.
 *
 * @returns how many intents were given a transfer
 */
export const offerToIntents = async (
  ctx: Context,
  chainId: number,
  transferIds: readonly string[],
): Promise<number> => {
  if (transferIds.length === 0) return 0
  const transfers = await listFree(ctx, chainId, transferIds)
  if (transfers.length === 0) return 0
  const intents = groupIntents(await listIntents(ctx, chainId, transfers))
  const matches = transfers.flatMap((transfer) => {
    const open = intents.get(keyOf(transfer.sender, transfer.campaignId)) ?? []
    const mayTake = transfer.guests.length === 0 ? open : open.filter((one) => one.userId !== null)
    const intent = bestFor(transfer, mayTake)
    if (!intent) return []
    open.splice(open.indexOf(intent), 1)
    return [{ intent, transfer }]
  })
  if (matches.length === 0) return 0
  await loseGuests(
    ctx,
    matches.map(({ transfer }) => transfer),
  )
  const rows = matches.map(({ intent, transfer }) => ({
    id: intent.id,
    transfer_id: transfer.id,
    tx_hash: transfer.txHash,
    asset_id: transfer.assetId,
    amount: transfer.amount,
    block_number: transfer.blockNumber,
    block_hash: transfer.blockHash,
    late: transfer.minedAt > intent.expiresAt,
  }))
  await ctx.sql`
    update donation
    set status = 'confirming', reason = 'waiting_for_finality', next_check_at = null,
        tx_hash = row.tx_hash, transfer_id = row.transfer_id, confirmed_asset_id = row.asset_id,
        confirmed_amount = row.amount, block_number = row.block_number,
        block_hash = row.block_hash, paid_late = row.late, lost_transfer_id = null
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, transfer_id uuid, tx_hash text, asset_id text, amount numeric,
              block_number bigint, block_hash text, late boolean)
    where donation.id = row.id`
  await expireEqual(
    ctx,
    rows.map((row) => row.id),
  )
  return matches.length
}

/**
 * Ends the other intents that one payment may have meant: those for the same wallet, campaign and
 * amount, unless another transaction is attached to them. A second payment still settles them.
 */
const expireEqual = async (ctx: Context, paidIds: readonly string[]): Promise<void> => {
  await ctx.sql`
    update donation other
    set status = 'expired', reason = 'another_intent_paid', next_check_at = null
    from donation paid
    where paid.id = any(${paidIds as string[]}::uuid[]) and other.chain_id = paid.chain_id
      and other.donor_wallet = paid.donor_wallet and other.campaign_id = paid.campaign_id
      and other.declared_asset_id = paid.declared_asset_id
      and other.declared_amount = paid.declared_amount
      and other.intent and other.tx_hash is null and other.status = 'pending'
      and (other.attached_tx_hash is null or other.attached_tx_hash = paid.tx_hash)`
}

const loseGuests = async (ctx: Context, transfers: readonly FreeTransfer[]): Promise<void> => {
  const lost = transfers.flatMap((transfer) =>
    transfer.guests.map((guest) => ({ ...transfer, ...guest, reason: MOVED_TO_ACCOUNT })),
  )
  await lose(
    ctx,
    lost.map((one) => one.id),
    MOVED_TO_ACCOUNT,
  )
  await emit(ctx, lost.map(failedEvent))
  await notifyOfEvents(ctx, lost.map(failedEvent))
}

/** Those on the chain that no account has, and that no account's claim by hash may still take. */
const listFree = (
  ctx: Context,
  chainId: number,
  transferIds: readonly string[],
): Promise<FreeTransfer[]> => ctx.sql<FreeTransfer[]>`
  select transfer.id, paid.id as campaign_id, paid.creator_id, transfer.tx_hash,
         transfer.asset_id, transfer.sender, transfer.amount, transfer.block_number,
         transfer.block_hash, transfer.mined_at, coalesce((
           select jsonb_agg(jsonb_build_object('id', guest.id, 'userId', null,
             'campaignId', guest.campaign_id, 'requestId', guest.request_id))
           from donation guest
           where guest.chain_id = ${chainId} and guest.tx_hash = transfer.tx_hash
             and guest.campaign_id = paid.id and guest.user_id is null and not guest.intent
             and (guest.status in ('pending', 'expired')
               or (guest.status = 'confirming'
                 and coalesce(guest.transfer_id, transfer.id) = transfer.id))
         ), '[]') as guests
  from chain_transfer transfer
  cross join lateral (${campaignOfTransfer(ctx.sql)}) paid
  where transfer.id = any(${transferIds as string[]}::uuid[]) and transfer.block_number is not null
    and paid.counts
    and not exists (
      select from donation holder
      where holder.transfer_id = transfer.id
        and (holder.user_id is not null or holder.intent or holder.status <> 'confirming'))
    and not exists (
      select from donation claim
      where claim.chain_id = ${chainId} and claim.tx_hash = transfer.tx_hash
        and claim.campaign_id = paid.id and not claim.intent
        and (claim.user_id is not null or claim.status = 'reversed')
        and claim.status in ('pending', 'expired', 'reversed'))
  order by transfer.block_number, transfer.tx_hash, transfer.position`

/**
 * The best first among those that fit a transfer equally well: `bestFor` keeps their order. The
 * owner of the wallet goes first, guests go last. Between them, the donor who announced a payment
 * first, because a stranger who sees it can announce it too. Of one donor's the newest goes first.
 */
const listIntents = (
  ctx: Context,
  chainId: number,
  transfers: readonly FreeTransfer[],
): Promise<OpenIntent[]> => ctx.sql<OpenIntent[]>`
  select donation.id, donation.user_id, donation.campaign_id, donation.donor_wallet, donation.declared_asset_id,
         donation.declared_amount, donation.created_at, donation.expires_at,
         donation.lost_transfer_id, donation.attached_tx_hash
  from donation
  where donation.chain_id = ${chainId} and donation.intent and donation.tx_hash is null
    and donation.donor_wallet = any(${[...new Set(transfers.map((one) => one.sender))]})
    and donation.campaign_id
      = any(${[...new Set(transfers.map((one) => one.campaignId))]}::uuid[])
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

const keyOf = (wallet: string, campaignId: string): string => `${wallet}/${campaignId}`

const groupIntents = (intents: readonly OpenIntent[]): Map<string, OpenIntent[]> => {
  const groups = new Map<string, OpenIntent[]>()
  for (const intent of intents) {
    const key = keyOf(intent.donorWallet, intent.campaignId)
    const group = groups.get(key)
    if (group) group.push(intent)
    else groups.set(key, [intent])
  }
  return groups
}

/**
 * The intent that it paid before a reorganisation; else one of exactly its asset and amount, of its
 * asset, or any. Of that donor's, the one to which its hash is attached; of guests' the oldest
 * such, because a stranger can attach it too. A payment from before an intent is not for it.
 */
const bestFor = (
  transfer: FreeTransfer,
  intents: readonly OpenIntent[],
): OpenIntent | undefined => {
  const lost = intents.find((one) => one.lostTransferId === transfer.id)
  if (lost) return lost
  const open = intents.filter((one) => startOfSecond(one.createdAt) <= transfer.minedAt.getTime())
  const asset = open.filter((one) => one.declaredAssetId === transfer.assetId)
  const best = asset.find((one) => one.declaredAmount === transfer.amount) ?? asset[0] ?? open[0]
  const isMeant = (one: OpenIntent) =>
    one.attachedTxHash === transfer.txHash && one.userId === best?.userId
  return open.findLast(isMeant) ?? best
}

/** Blocks carry whole seconds. */
const startOfSecond = (time: Date): number => Math.floor(time.getTime() / 1_000) * 1_000
