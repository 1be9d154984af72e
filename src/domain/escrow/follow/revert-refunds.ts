import type { Donation } from '../../../db/schema/donations.ts'
import type { Context } from '../../context.ts'
import { emitAndNotify } from '../../notification/index.ts'
import { addToTotals } from '../../total/index.ts'
import type { Refund } from './read-refundable.ts'
import { refundRevertedEvent } from './refund-news.ts'

/** What a refund had paid back of a donation, in base units. */
type Returned = Pick<Donation, 'id' | 'userId' | 'requestId' | 'creditedAmount'> & {
  escrowEventId: string
  amount: string
  /** The refunded sum of the donation before any refund was reverted. */
  refunded: string
}

/**
 * Raises the donations that these refunds had lowered, and the raised totals. Call it before the
 * ledger entries are reversed, because they say how much each donation got. The refunds are in the
 * order of the chain; they are reverted in the opposite order.
 */
export const revertRefunds = async (ctx: Context, refunds: readonly Refund[]): Promise<void> => {
  if (refunds.length === 0) return
  const byId = new Map(refunds.map((refund, place) => [refund.id, { refund, place }]))
  const rows = await readReturned(ctx, [...byId.keys()])
  if (rows.length === 0) return
  const placeOf = (row: Returned): number => byId.get(row.escrowEventId)?.place ?? 0
  const left = new Map(rows.map((row) => [row.id, BigInt(row.refunded)]))
  const parts = rows
    .toSorted((a, b) => placeOf(b) - placeOf(a))
    .flatMap((row) => {
      const refund = byId.get(row.escrowEventId)?.refund
      if (!refund) return []
      const refunded = (left.get(row.id) ?? 0n) - BigInt(row.amount)
      left.set(row.id, refunded)
      return [{ refund, donation: row, amount: BigInt(row.amount), refunded }]
    })
  await storeSums(ctx, left)
  const movements = parts.map(({ refund, amount }) => ({
    ...refund,
    credited: amount,
    donations: 0 as const,
  }))
  const thresholds = await addToTotals(ctx, movements)
  const totals = await readTotals(ctx, refunds)
  await emitAndNotify(ctx, [
    ...parts.map((part) =>
      refundRevertedEvent(ctx, part, totals.get(part.refund.campaignId) ?? 0n),
    ),
    ...thresholds,
  ])
}

const readReturned = (ctx: Context, eventIds: string[]) => ctx.sql<Returned[]>`
  select donation.id, donation.user_id, donation.request_id, donation.credited_amount,
         entry.escrow_event_id, sum(entry.amount)::text as amount,
         donation.refunded_amount::text as refunded
  from standing_entry entry join donation on donation.id = entry.donation_id
  where entry.escrow_event_id = any(${eventIds}::uuid[]) and entry.kind = 'refund'
  group by donation.id, entry.escrow_event_id`

const storeSums = async (ctx: Context, sums: ReadonlyMap<string, bigint>): Promise<void> => {
  const rows = [...sums].map(([id, refunded]) => ({ id, refunded: refunded.toString() }))
  await ctx.sql`
    update donation
    set refunded_amount = nullif(row.refunded, 0),
        status = case when row.refunded = 0 then 'completed' else 'partly_refunded' end
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, refunded numeric)
    where donation.id = row.id`
}

const readTotals = async (ctx: Context, refunds: readonly Refund[]) => {
  const rows = await ctx.sql<{ campaignId: string; raised: string }[]>`
    select campaign_id, raised from campaign_total
    where campaign_id = any(${[...new Set(refunds.map((one) => one.campaignId))]}::uuid[])`
  return new Map(rows.map((row) => [row.campaignId, BigInt(row.raised)]))
}
