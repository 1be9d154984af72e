import type { Context } from '../../../db/context.ts'
import type { NewEvent } from '../../../outbox/emit.ts'
import { type Line, postLines, takeFromTotals } from '../../books/index.ts'
import { becomes } from '../../donations/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import { lineOf } from './due-events.ts'
import {
  type DonationPart,
  type Part,
  type Refund,
  type RefundableTransfer,
  readRefundable,
} from './read-refundable.ts'
import { refundedEvent } from './refund-news.ts'
import { spreadRefund } from './spread-refund.ts'

/**
 * Books refunds of escrows. The parts of a refund that pay back donations lower these donations and
 * the raised total. Other parts leave `unclaimed`. An asset that this service does not know has no
 * entries, so there is nothing to book.
 */
export const settleRefunds = async (ctx: Context, refunds: readonly Refund[]): Promise<void> => {
  const known = refunds.filter(({ assetId, fields }) => assetId !== null && fields.amount !== '0')
  if (known.length === 0) return
  const parts = partsOf(known, await readRefundable(ctx, known))
  await postLines(ctx, parts.map(toLine))
  const returned = parts.filter(isOfDonation)
  await moveDonations(ctx, returned)
  const { currentAmounts, reverted } = await takeFromTotals(
    ctx,
    returned.map(({ refund, amount }) => ({ ...refund, credited: amount, donations: 0 })),
  )
  const events = returned.map((part): NewEvent => {
    const currentAmount = currentAmounts.get(part.refund.campaignId) ?? 0n
    return refundedEvent(ctx, part, currentAmount)
  })
  await emitAndNotify(ctx, [...events, ...reverted])
}

/** Spreads each refund over its transfers. */
const partsOf = (
  refunds: readonly Refund[],
  transfers: readonly RefundableTransfer[],
): (Part | DonationPart)[] => {
  const byRefund = Map.groupBy(transfers, ({ eventId }) => eventId)
  return refunds.flatMap((refund) => {
    const named = byRefund.get(refund.id) ?? []
    const own = named.filter(({ assetId }) => assetId === refund.assetId)
    const amounts = own.map(({ amount }) => BigInt(amount))
    const { parts, rest } = spreadRefund(BigInt(refund.fields.amount), amounts)
    const paid = own.map((transfer, index) => ({ refund, transfer, amount: parts[index] ?? 0n }))
    return [...paid, { refund, transfer: null, amount: rest }].filter(({ amount }) => amount > 0n)
  })
}

const isOfDonation = (part: Part | DonationPart): part is DonationPart =>
  part.transfer?.donation != null

const toLine = (part: Part | DonationPart): Line => ({
  ...lineOf(part.refund),
  kind: 'refund',
  debitKind: isOfDonation(part) ? 'held' : 'unclaimed',
  creditKind: 'custody',
  assetId: part.refund.assetId ?? '',
  amount: part.amount.toString(),
  donationId: part.transfer?.donation?.id ?? null,
  transferId: part.transfer?.transferId ?? null,
})

/** Stores the refunded sum of each donation. */
const moveDonations = async (ctx: Context, parts: readonly DonationPart[]): Promise<void> => {
  const rows = parts.map(({ transfer, amount }) => ({
    id: transfer.donation.id,
    amount: amount.toString(),
  }))
  await ctx.sql`
    update donation
    set refunded_amount = row.amount,
        ${becomes(ctx.sql, 'refundPart', { refund: ctx.sql`row.amount >= credited_amount` })}
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, amount numeric)
    where donation.id = row.id`
}
