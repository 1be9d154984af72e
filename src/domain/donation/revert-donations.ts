import { emit, type NewEvent } from '../../outbox/emit.ts'
import type { ReversalReason } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { arrivedOfDonation, reverseCredits } from '../ledger/index.ts'
import { notifyOfEvents } from '../notification/index.ts'
import { moneyOf, takeFromTotals } from '../total/index.ts'
import { type CreditedMoney, toCreditedAmounts } from './donation-amounts.ts'

export type Reverted = { waiting: number; reversed: number }

type RevertedRow = {
  id: string
  userId: string | null
  campaignId: string
  creatorId: string
  txHash: string
  requestId: string | null
  traceParent?: string | null
}
type CreditedRow = CreditedMoney & RevertedRow

/**
 * Reverts the donations of blocks above `ancestor`, in one transaction for any depth:
 * - Credits and deposits are reversed by new entries, which lowers the totals.
 * - All others wait for their transaction again, and intents for any payment.
 *
 * The caller holds the chain's lock.
 */
export const revertDonations = async (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
): Promise<Reverted> => {
  const credited = await ctx.sql<CreditedRow[]>`
    select donation.id, donation.user_id, donation.campaign_id, donation.tx_hash,
           donation.request_id, donation.trace_parent, donation.declared_asset_id,
           donation.declared_amount, donation.discrepancy, donation.credited_amount,
           campaign.creator_id, campaign.currency_id, ${arrivedOfDonation(ctx.sql)}
    from donation join campaign on campaign.id = donation.campaign_id
    where donation.chain_id = ${chainId} and donation.status = 'completed'
      and donation.block_number > ${ancestorNumber}
    order by donation.id`
  const failed = await listFailed(ctx, chainId, ancestorNumber)
  const booked = await listBooked(ctx, chainId, ancestorNumber)
  await reverseCredits(ctx, booked)
  const moved = await returnToWaiting(ctx, chainId, ancestorNumber)
  await releaseTransfers(ctx, chainId, ancestorNumber, booked)
  const { currentAmounts, reverted } = await takeFromTotals(
    ctx,
    credited.map((row) => ({
      campaignId: row.campaignId,
      creatorId: row.creatorId,
      currencyId: row.currencyId,
      credited: BigInt(row.creditedAmount),
    })),
  )
  const events = [
    ...credited.map((row) => ({
      ...reversedEvent(ctx, row, 'reorganised', currentAmounts.get(row.campaignId) ?? 0n),
      traceParent: row.traceParent ?? null,
    })),
    ...failed
      .filter((row) => moved.has(row.id))
      .map((row) => ({ ...reopenedEvent(ctx, row), traceParent: row.traceParent ?? null })),
    ...reverted,
  ]
  await emit(ctx, events)
  await notifyOfEvents(ctx, events)
  return { waiting: moved.size - credited.length, reversed: credited.length }
}

const listFailed = (ctx: Context, chainId: number, ancestorNumber: number) =>
  ctx.sql<RevertedRow[]>`
    select donation.id, donation.user_id, donation.campaign_id, donation.tx_hash,
           donation.request_id, donation.trace_parent, campaign.creator_id
    from donation join campaign on campaign.id = donation.campaign_id
    where donation.chain_id = ${chainId} and donation.status = 'failed'
      and donation.block_number > ${ancestorNumber}
    order by donation.id`

/** The transfers that the ledger holds, credited or as deposits. */
const listBooked = async (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
): Promise<string[]> => {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from chain_transfer transfer
    where chain_id = ${chainId} and block_number > ${ancestorNumber}
      and exists (
        select from standing_entry entry
        where entry.transfer_id = transfer.id and entry.kind in ('deposit', 'donation')
        offset 0)`
  return rows.map((row) => row.id)
}

/** How soon a transaction that lost its block is looked up by hash, should no new block show it. */
const LOOK_UP_AGAIN_MS = 5_000

/**
 * Of several claims that failed on one transfer the oldest comes back: one claim at a time may
 * stand. Returns the ids of all that wait again or are reversed.
 */
const returnToWaiting = async (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
): Promise<Set<string>> => {
  const now = ctx.clock.now()
  const { donationExpiryMs, intentExpiryMs } = ctx.settings
  const later = (ms: number) => new Date(now.getTime() + ms)
  const rows = await ctx.sql<{ id: string }[]>`
    update donation
    set status = case when status = 'completed' then 'reversed' else 'pending' end,
        reason = case when status = 'completed' then 'reorganised'
          when intent then 'waiting_for_payment' else 'waiting_for_transaction' end,
        tx_hash = case when not intent then tx_hash end, paid_late = false,
        lost_transfer_id = case when intent then transfer_id end,
        transfer_id = null, confirmed_asset_id = null, confirmed_amount = null,
        credited_amount = null, price = null, price_source = null, discrepancy = false, completed_at = null,
        block_number = null, block_hash = null, replaced_by = null, checks = 0,
        next_check_at = case when status = 'completed' then null
          when intent then greatest(expires_at, ${later(intentExpiryMs)}::timestamptz)
          else ${later(LOOK_UP_AGAIN_MS)}::timestamptz end,
        expires_at = case when paid_late then expires_at else greatest(expires_at,
          case when intent then ${later(intentExpiryMs)}::timestamptz
               else ${later(donationExpiryMs)}::timestamptz end) end
    where chain_id = ${chainId} and block_number > ${ancestorNumber}
      and (status in ('confirming', 'completed') or (status = 'failed' and not exists (
        select from donation other
        where other.chain_id = donation.chain_id and other.tx_hash = donation.tx_hash
          and other.campaign_id = donation.campaign_id and other.id <> donation.id
          and other.claimed_position is not distinct from donation.claimed_position
          and (other.status <> 'failed'
            or (other.id < donation.id and other.block_number > ${ancestorNumber})))))
    returning donation.id`
  return new Set(rows.map((row) => row.id))
}

/** Transfers without a block wait for one; what was taken back opens a new generation. */
const releaseTransfers = async (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
  bookedTransferIds: string[],
): Promise<void> => {
  await ctx.sql`
    update chain_transfer
    set block_number = null, block_hash = null, mined_at = null, announce_at = null,
        generation = generation
          + case when id = any(${bookedTransferIds}::uuid[]) then 1 else 0 end
    where chain_id = ${chainId} and block_number > ${ancestorNumber}`
}

export const reversedEvent = (
  ctx: Context,
  row: CreditedRow,
  reason: ReversalReason,
  currentAmount: bigint,
): NewEvent => ({
  type: 'donation.reversed',
  campaignId: row.campaignId,
  audience: [row.userId, row.creatorId],
  requestId: row.requestId,
  data: {
    donationId: row.id,
    campaignId: row.campaignId,
    ...toCreditedAmounts(ctx, row),
    status: 'reversed',
    reason,
    transaction: { ledgerTxId: row.txHash },
    userId: row.userId,
    currentAmount: moneyOf(ctx, row.currencyId, currentAmount.toString()),
    reversedAt: ctx.clock.now().toISOString(),
  },
})

const reopenedEvent = (ctx: Context, row: RevertedRow): NewEvent => ({
  type: 'donation.reopened',
  campaignId: row.campaignId,
  audience: [row.userId, row.creatorId],
  requestId: row.requestId,
  data: {
    donationId: row.id,
    campaignId: row.campaignId,
    status: 'pending',
    transaction: { ledgerTxId: row.txHash },
    userId: row.userId,
    reopenedAt: ctx.clock.now().toISOString(),
  },
})
