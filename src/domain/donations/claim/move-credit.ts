import type { Context } from '../../../db/context.ts'
import type { MinedTransfer } from '../../../db/schema/chains.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { asBaseUnits } from '../../../kernel/money/money.ts'
import type { ReversalReason } from '../../../outbox/events.ts'
import { type Credit, postCredits, reverseCredits } from '../../books/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import type { ChainState } from '../../shared/index.ts'
import { isDiscrepant } from '../donation/donation-amounts.ts'
import {
  type CreditedDonation,
  completedEvent,
  type EventSubject,
  reversedEvent,
  subjectColumns,
} from '../donation/donation-events.ts'
import { becomes } from '../lifecycle.ts'

/** A credited donation, with the values that it had before its transfer moved. */
export type CreditedClaim = CreditedDonation & Pick<Donation, 'price' | 'priceSource'>

/**
 * Reverses the credit of the donation `from`, and credits the same amount to the donation `to`.
 * Counts the reversal in the transfer's `generation`. The campaign's total stays the same. The
 * caller holds the chain's lock, and has already attached the transfer to the donation `to`.
 */
export const moveCredit = async (
  ctx: Context,
  state: ChainState,
  transfer: MinedTransfer,
  from: CreditedClaim,
  to: { donationId: string; reason: ReversalReason },
): Promise<void> => {
  const { sql } = ctx
  const [assetId, amount] = from.arrived
  await reverseCredits(ctx, [transfer.id])
  const [raised] = await sql<{ generation: number }[]>`
    update chain_transfer set generation = generation + 1 where id = ${transfer.id}
    returning generation`
  const credit: Credit = {
    ...transfer,
    donationId: to.donationId,
    campaignId: from.campaignId,
    creatorId: from.creatorId,
    transferId: transfer.id,
    generation: raised?.generation ?? 0,
    assetId,
    amount: asBaseUnits(amount),
    currencyId: from.currencyId,
    credited: asBaseUnits(from.creditedAmount),
  }
  await postCredits(ctx, [credit])
  const [row] = await sql<(EventSubject & Pick<Donation, 'declaredAssetId' | 'declaredAmount'>)[]>`
    select ${subjectColumns(sql)}, donation.declared_asset_id, donation.declared_amount
    from donation join campaign on campaign.id = donation.campaign_id
    where donation.id = ${to.donationId}`
  if (!row) throw new DomainError('internal', 'There is no donation to move the credit to.')
  await sql`
    update donation
    set ${becomes(sql, 'complete')}, reason = 'completed', credited_amount = ${from.creditedAmount},
        price = ${from.price}, discrepancy = ${isDiscrepant(row, credit)},
        price_source = ${from.priceSource && sql.json(from.priceSource)},
        completed_at = ${ctx.clock.now()}, next_check_at = null
    where id = ${row.id}`
  const [total] = await sql<{ raised: string }[]>`
    select raised from campaign_total where campaign_id = ${from.campaignId}`
  await emitAndNotify(ctx, [
    reversedEvent(ctx, from, to.reason, BigInt(total?.raised ?? 0)),
    completedEvent(ctx, row, credit, state.headNumber),
  ])
}
