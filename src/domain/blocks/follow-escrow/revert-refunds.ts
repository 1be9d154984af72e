import type { Context } from '../../../db/context.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { addToTotals } from '../../books/index.ts'
import { becomes } from '../../donations/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import type { Refund } from './read-refundable.ts'
import { refundRevertedEvent } from './refund-news.ts'

/** What a refund had paid back of a donation, in base units. */
type Returned = Pick<Donation, 'id' | 'userId' | 'requestId'> & {
  escrowEventId: string
  amount: string
}

/**
 * Raises the donations that these refunds had lowered, and the raised totals. Call it before the
 * ledger entries are reversed, because they say how much each donation got. The refunds are in the
 * order of the chain; they are reverted in the opposite order.
 */
export const revertRefunds = async (ctx: Context, refunds: readonly Refund[]): Promise<void> => {
  if (refunds.length === 0) return
  const returned = Map.groupBy(await readReturned(ctx, refunds), (row) => row.escrowEventId)
  const parts = refunds.toReversed().flatMap((refund) =>
    (returned.get(refund.id) ?? []).map((donation) => ({
      ...{ refund, donation },
      amount: BigInt(donation.amount),
    })),
  )
  if (parts.length === 0) return
  await ctx.sql`
    update donation set refunded_amount = null, ${becomes(ctx.sql, 'revertRefund')}
    where id = any(${parts.map(({ donation }) => donation.id)}::uuid[])`
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

const readReturned = ({ sql }: Context, refunds: readonly Refund[]) => sql<Returned[]>`
  select donation.id, donation.user_id, donation.request_id, entry.escrow_event_id, entry.amount
  from standing_entry entry join donation on donation.id = entry.donation_id
  where entry.escrow_event_id = any(${refunds.map(({ id }) => id)}::uuid[])
    and entry.kind = 'refund'
  order by entry.id desc`

const readTotals = async (ctx: Context, refunds: readonly Refund[]) => {
  const rows = await ctx.sql<{ campaignId: string; raised: string }[]>`
    select campaign_id, raised from campaign_total
    where campaign_id = any(${[...new Set(refunds.map((one) => one.campaignId))]}::uuid[])`
  return new Map(rows.map((row) => [row.campaignId, BigInt(row.raised)]))
}
