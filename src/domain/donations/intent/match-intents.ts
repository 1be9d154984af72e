import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { CHAIN_BEHIND_MS } from '../../../kernel/ports/clock.ts'
import { campaignOfTransfer, isEscrowedAsset, isPaidBack } from '../../books/index.ts'
import { becomes, withoutPayment } from '../lifecycle.ts'

type FreeTransfer = MinedTransfer &
  Pick<Campaign, 'creatorId'> & {
    campaignId: string
    /** Donations that claim the transaction by its hash. Some intents `goesBefore` them. */
    claims: { userId: string | null; createdAt: string; linked: boolean }[]
  }

/** An unpaid intent. `linked` is true if its user has linked the wallet that it names. */
type OpenIntent = Donation & { linked: boolean }

/** At most this many intents of a wallet and a campaign are read in one pass. */
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
    const mayTake = open.filter((one) => goesBefore(one, transfer))
    const intent = bestFor(transfer, mayTake)
    if (!intent) return []
    open.splice(open.indexOf(intent), 1)
    return [{ intent, transfer }]
  })
  if (matches.length === 0) return 0
  const taken = matches.map(({ transfer }) => transfer.id)
  await release(ctx, taken)
  const rows = matches.map(({ intent, transfer }) => ({
    id: intent.id,
    transfer_id: transfer.id,
    late: transfer.minedAt > intent.expiresAt,
  }))
  await ctx.sql`
    update donation
    set ${becomes(ctx.sql, 'match')}, reason = 'waiting_for_finality', next_check_at = null,
        tx_hash = transfer.tx_hash, transfer_id = transfer.id,
        confirmed_asset_id = nullif(transfer.asset_id, donation.declared_asset_id),
        confirmed_amount = transfer.amount, block_number = transfer.block_number,
        paid_late = row.late, lost_transfer_id = null
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, transfer_id uuid, late boolean)
    join chain_transfer transfer on transfer.id = row.transfer_id
    where donation.id = row.id`
  await expireEqual(ctx, rows)
  return matches.length
}

/**
 * Expires other intents of the same wallet, campaign and amount, because the payment may be for one
 * of these intents. Skips intents with another attached hash. An expired intent can still be paid.
 */
const expireEqual = async (ctx: Context, intents: readonly { id: string }[]): Promise<void> => {
  await ctx.sql`
    update donation
    set ${becomes(ctx.sql, 'expire')}, reason = 'another_intent_paid', next_check_at = null
    where id in (
      select other.id
      from donation paid cross join lateral (select * from donation
        where chain_id = paid.chain_id and donor_wallet = paid.donor_wallet
          and intent and tx_hash is null offset 0) other
      where paid.id = any(${intents.map(({ id }) => id)}::uuid[])
        and other.campaign_id = paid.campaign_id
        and other.declared_asset_id = paid.declared_asset_id
        and other.declared_amount = paid.declared_amount and other.status = 'pending'
        and (other.attached_tx_hash is null or other.attached_tx_hash = paid.tx_hash))`
}

/**
 * Takes transfers from donations that claim them by hash. These donations fail when the block is
 * final.
 */
const release = async ({ sql }: Context, transferIds: readonly string[]): Promise<void> => {
  await sql`
    update donation
    set reason = 'transfer_already_claimed', ${withoutPayment(sql)}
    where transfer_id = any(${transferIds as string[]}::uuid[])`
}

/**
 * Whether the transfer can still pay an intent: no donation has the transfer, or only a donation
 * that claims the transaction by its hash and waits for the final block.
 */
export const isOpenToIntents = (sql: Queryable) => sql`
  not exists (
    select from donation holder
    where holder.transfer_id = transfer.id and (holder.intent or holder.status <> 'confirming'))`

/** Reads mined transfers for which no donation has a credit, with the claims on their hash. */
const listFree = (
  ctx: Context,
  chainId: number,
  transferIds: readonly string[],
): Promise<FreeTransfer[]> => ctx.sql<FreeTransfer[]>`
  select transfer.*, paid.id as campaign_id, paid.creator_id, coalesce((
           select jsonb_agg(jsonb_build_object('userId', claim.user_id,
             'createdAt', claim.created_at, 'linked', ${isLinked(ctx.sql)}))
           from (select * from donation
             where chain_id + 0 = ${chainId} and tx_hash = transfer.tx_hash offset 0) claim
           where claim.campaign_id = paid.id and not claim.intent
             and (claim.status in ('pending', 'expired') or claim.transfer_id = transfer.id)
         ), '[]') as claims
  from chain_transfer transfer
  cross join lateral (${campaignOfTransfer(ctx.sql)}) paid
  join campaign on campaign.id = paid.id
  where transfer.id = any(${transferIds as string[]}::uuid[]) and transfer.block_number is not null
    and paid.counts and ${isEscrowedAsset(ctx.sql)} and not ${isPaidBack(ctx.sql)}
    and ${isOpenToIntents(ctx.sql)}
    and not exists (
      select from (select * from donation
        where chain_id + 0 = ${chainId} and tx_hash = transfer.tx_hash offset 0) claim
      where claim.campaign_id = paid.id and not claim.intent and claim.status = 'reversed')
  order by transfer.block_number, transfer.tx_hash,
    (select count(*) from donation where transfer_id = transfer.id), transfer.position`

/**
 * Reads the unpaid intents that name a sender and a campaign of the transfers, at most MOST_INTENTS
 * of each pair. Exact amounts come first, so that a stranger's many intents do not displace them.
 */
const listIntents = (
  ctx: Context,
  chainId: number,
  transfers: readonly FreeTransfer[],
): Promise<OpenIntent[]> => {
  const rows = transfers.map(({ sender, campaignId, amount }) => ({ sender, campaignId, amount }))
  return ctx.sql<OpenIntent[]>`
    select intent.*
    from (select bytes_of(sender) as sender, "campaignId" as campaign,
             array_agg(amount) as amounts
      from jsonb_to_recordset(${ctx.sql.json(rows)})
        as row (sender text, "campaignId" uuid, amount numeric) group by 1, 2) transfer
    cross join lateral (
      select claim.*, ${isLinked(ctx.sql)} as linked
      from (select * from donation where chain_id = (select ${chainId}::bigint)
        and donor_wallet = transfer.sender and intent and tx_hash is null offset 0) claim
      where claim.campaign_id = transfer.campaign
        and claim.status in ('pending', 'expired', 'reversed')
      order by linked desc, claim.declared_amount = any(transfer.amounts) desc,
        claim.status = 'expired', claim.created_at, claim.id
      limit ${MOST_INTENTS}) intent`
}

/** Whether the user of `claim` has linked the wallet that sent `transfer`. */
const isLinked = (sql: Queryable) => sql`
  exists (
    select from wallet
    where wallet.user_id = claim.user_id and wallet.address = transfer.sender
      and holds_on(wallet, claim.chain_id))`

/**
 * Whether an intent goes before all donations that claim the transaction by its hash. It does if
 * its user has linked the wallet, or if the intent is open and older than these donations and none
 * of their users has linked the wallet. A younger donation does not go first, because a stranger
 * can claim a hash as soon as the pool of a node has the transaction. A claim of the same account
 * goes before the intent.
 */
const goesBefore = (intent: OpenIntent, { claims, minedAt }: FreeTransfer): boolean =>
  claims.every(
    (claim) =>
      (intent.userId === null || claim.userId !== intent.userId) &&
      (intent.linked ||
        (!claim.linked && isOpen(intent, minedAt) && intent.createdAt < new Date(claim.createdAt))),
  )

/**
 * Whether an intent has not expired. An intent that expired because an equal intent was paid stays
 * open until its time ends.
 */
const isOpen = ({ status, reason, expiresAt }: Donation, at: Date): boolean =>
  status !== 'expired' || (reason === 'another_intent_paid' && expiresAt > at)

/**
 * Chooses the intent that a transfer pays:
 * - the intent that the transfer paid before a reorg;
 * - otherwise, of the intents that are older than the transfer, the `firstOf` those with its asset
 *   and amount, or else of those with its asset, or else of all. If a user has linked the wallet,
 *   only this user's intents count;
 * - but if its account attached the transaction's hash to some intents, the oldest of these.
 */
const bestFor = (
  transfer: FreeTransfer,
  intents: readonly OpenIntent[],
): OpenIntent | undefined => {
  const lost = intents.find((one) => one.lostTransferId === transfer.id)
  if (lost) return lost
  const isExact = (one: OpenIntent) =>
    one.declaredAssetId === transfer.assetId && one.declaredAmount === transfer.amount
  const older = intents.filter((one) => {
    // The clock of the chain may be behind our clock. Then only the exact amount shows that a
    // transfer pays this intent.
    const behind = isExact(one) ? CHAIN_BEHIND_MS : 0
    return startOfSecond(one.createdAt) <= transfer.minedAt.getTime() + behind
  })
  const linked = older.filter((one) => one.linked)
  const open = linked.length > 0 ? linked : older
  const asset = open.filter((one) => one.declaredAssetId === transfer.assetId)
  const best = [open.filter(isExact), asset, open]
    .map((fit) => firstOf(fit, transfer.minedAt))
    .find((one) => one !== undefined)
  const meant = open.filter(
    (one) => one.attachedTxHash === transfer.txHash && one.userId && one.userId === best?.userId,
  )
  return meant.toSorted(byAge)[0] ?? best
}

/**
 * Chooses one of several intents that fit equally, preferably an intent that has not expired.
 * Chooses the donor with the oldest of these intents, and then the newest intent of this donor.
 * Each intent of a guest counts as another donor's.
 */
const firstOf = (fit: readonly OpenIntent[], at: Date): OpenIntent | undefined => {
  const live = fit.filter((one) => isOpen(one, at))
  const all = (live.length > 0 ? live : fit).toSorted(byAge)
  const [oldest] = all
  if (!oldest?.userId) return oldest
  return all.findLast((one) => one.userId === oldest.userId)
}

const byAge = (one: Donation, other: Donation): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1)

/** Rounds a time down to the second, because block times are whole seconds. */
const startOfSecond = (time: Date): number => Math.floor(time.getTime() / 1_000) * 1_000
