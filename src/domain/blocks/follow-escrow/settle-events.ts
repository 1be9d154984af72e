import type { Context } from '../../../db/context.ts'
import { onCommit } from '../../../db/transaction.ts'
import { type FollowedEvent, listDueEvents, ofKind } from './due-events.ts'
import { failCampaigns } from './fail-campaigns.ts'
import { settleRejections } from './milestone-rounds.ts'
import { notifyDonors } from './notify-donors.ts'
import { settleRefunds } from './post-refunds.ts'
import { refundsIn } from './read-refundable.ts'
import { settleReleases } from './release-milestones.ts'

/**
 * Settles one batch of escrow events in final blocks: ledger entries, statuses and events of the
 * service. Writes everything in the caller's transaction, which holds the chain's lock and has
 * settled all donations and deposits up to the same block.
 *
 * @returns the number of settled events; the caller repeats until it is 0
 */
export const settleEscrowEvents = async (
  ctx: Context,
  chainId: number,
  finalNumber: number,
): Promise<number> => {
  const events = await listDueEvents(ctx, chainId, finalNumber)
  if (events.length === 0) return 0
  // An escrow releases before it fails, and refunds after it has failed, so the events are settled
  // in this order.
  await settleReleases(ctx, events)
  await settleRejections(ctx, ofKind(events, 'MilestoneRejected'))
  await failCampaigns(ctx, ofKind(events, 'Failed'))
  await settleRefunds(ctx, refundsIn(events))
  await notifyDonors(ctx, events)
  await markSettled(ctx, events)
  onCommit(ctx, () => {
    ctx.metrics.count('fundproof_escrow_events_settled_total', { chain: chainId }, events.length)
  })
  return events.length
}

const markSettled = async (ctx: Context, events: readonly FollowedEvent[]): Promise<void> => {
  await ctx.sql`
    update escrow_event set settled_at = ${ctx.clock.now()}
    where id = any(${events.map(({ id }) => id)}::uuid[])`
}
