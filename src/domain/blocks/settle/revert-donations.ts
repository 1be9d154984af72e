import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { arrivedOfDonation, reverseCredits, takeFromTotals } from '../../books/index.ts'
import {
  becomes,
  type CreditedDonation,
  type EventSubject,
  reopenedEvent,
  reversedEvent,
  subjectColumns,
  withoutBlock,
  withoutCredit,
  withoutPayment,
} from '../../donations/index.ts'
import { emitAndNotify } from '../../people/index.ts'

/** The numbers of donations that wait for a payment again, and that lost their credit. */
export type Reverted = { waiting: number; reversed: number }

type Traced = Pick<Donation, 'traceParent'>

/**
 * Reverts the donations in blocks above `ancestorNumber`, in one database transaction:
 * - New ledger entries reverse the credits and deposits, which lowers the totals.
 * - The donations wait for their transaction again, or for any payment if they name none.
 *
 * The caller holds the chain's lock.
 */
export const revertDonations = async (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
): Promise<Reverted> => {
  const { sql } = ctx
  const from = (status: 'completed' | 'failed'): Part => sql`
    from donation join campaign on campaign.id = donation.campaign_id
    where donation.chain_id = ${chainId} and donation.status = ${status}
      and donation.block_number > ${ancestorNumber}
    order by donation.id`
  const credited = await sql<(CreditedDonation & Traced)[]>`
    select ${subjectColumns(sql)}, donation.trace_parent, donation.declared_asset_id,
           donation.declared_amount, donation.discrepancy, donation.credited_amount,
           campaign.currency_id, ${arrivedOfDonation(sql)} ${from('completed')}`
  const failed = await sql<(EventSubject & Traced)[]>`
    select ${subjectColumns(sql)}, donation.trace_parent ${from('failed')}`
  const booked = await listBooked(ctx, chainId, ancestorNumber)
  await reverseCredits(ctx, booked)
  const moved = await returnToWaiting(ctx, chainId, ancestorNumber)
  await releaseTransfers(ctx, chainId, ancestorNumber, booked)
  const movements = credited.map((row) => ({ ...row, credited: BigInt(row.creditedAmount) }))
  const { currentAmounts, reverted } = await takeFromTotals(ctx, movements)
  await emitAndNotify(ctx, [
    ...credited.map((row) => ({
      ...reversedEvent(ctx, row, 'reorganised', currentAmounts.get(row.campaignId) ?? 0n),
      traceParent: row.traceParent,
    })),
    ...failed
      .filter((row) => moved.has(row.id))
      .map((row) => ({ ...reopenedEvent(ctx, row), traceParent: row.traceParent })),
    ...reverted,
  ])
  return { waiting: moved.size - credited.length, reversed: credited.length }
}

/** Lists the transfers in blocks above `ancestorNumber` that have a credit or a deposit. */
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

/** The pause before a transaction whose block was reverted is looked up on the chain. */
const LOOK_UP_AGAIN_MS = 5_000

/**
 * Makes donations in blocks above `ancestorNumber` wait for their payment again, and returns their
 * ids. If several failed donations claim the same payment, at most the oldest of these waits again.
 */
const returnToWaiting = async (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
): Promise<Set<string>> => {
  const { sql } = ctx
  const now = ctx.clock.now()
  const { donationExpiryMs, intentExpiryMs } = ctx.settings
  const later = (ms: number) => new Date(now.getTime() + ms)
  const rows = await sql<{ id: string }[]>`
    update donation
    set ${becomes(sql, 'wait', {
      reverse: sql`status = 'completed'`,
      reopen: sql`status = 'failed'`,
    })},
        reason = case when status = 'completed' then 'reorganised'
          when intent then 'waiting_for_payment' else 'waiting_for_transaction' end,
        tx_hash = case when not intent then tx_hash end, paid_late = false,
        lost_transfer_id = case when intent then transfer_id end,
        ${withoutPayment(sql)}, ${withoutCredit(sql)}, ${withoutBlock(sql)},
        replaced_by = null, checks = 0,
        next_check_at = case when status = 'completed' then null
          when intent then greatest(expires_at, ${later(intentExpiryMs)}::timestamptz)
          else ${later(LOOK_UP_AGAIN_MS)}::timestamptz end,
        expires_at = case when paid_late then expires_at else greatest(expires_at,
          case when intent then ${later(intentExpiryMs)}::timestamptz
               else ${later(donationExpiryMs)}::timestamptz end) end
    where chain_id = ${chainId} and block_number > ${ancestorNumber}
      and (status in ('confirming', 'completed') or (status = 'failed' and not exists (
        select from donation other
        where other.chain_id + 0 = donation.chain_id and other.tx_hash = donation.tx_hash
          and other.campaign_id = donation.campaign_id and other.id <> donation.id
          and other.claimed_position is not distinct from donation.claimed_position
          and (other.status <> 'failed'
            or (other.id < donation.id and other.block_number > ${ancestorNumber})))))
    returning donation.id`
  return new Set(rows.map((row) => row.id))
}

/** Takes transfers out of blocks above `ancestorNumber`. `generation` counts their reversals. */
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
