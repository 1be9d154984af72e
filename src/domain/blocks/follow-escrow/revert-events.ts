import type { Context } from '../../../db/context.ts'
import { reverseEscrowEntries } from '../../books/index.ts'
import { reopenIfUndone } from '../../campaigns/index.ts'
import { emitAndNotify } from '../../people/index.ts'
import { type FollowedEvent, listSettledEvents, ofKind } from './due-events.ts'
import { reopenCampaigns } from './fail-campaigns.ts'
import { releaseRevertedEvent } from './follow-news.ts'
import { restoreMilestones } from './milestone-rounds.ts'
import { namedMilestones } from './named-milestones.ts'
import { refundsIn } from './read-refundable.ts'
import { revertRefunds } from './revert-refunds.ts'

/**
 * Reverts the events of escrows in blocks above `ancestorNumber`, in one database transaction. New
 * ledger entries reverse the entries of settled events, the newest first. All events lose their
 * block. The caller holds the chain's lock, and reverts the donations afterwards.
 *
 * @returns the number of settled events that were reverted
 */
export const revertEscrowEvents = async (
  ctx: Context,
  chainId: number,
  ancestorNumber: number,
): Promise<number> => {
  const settled = await listSettledEvents(ctx, chainId, ancestorNumber)
  await revertRefunds(ctx, refundsIn(settled))
  const ids = settled.map(({ id }) => id)
  await reverseEscrowEntries(ctx, ids)
  await ctx.sql`
    update escrow_event
    set block_number = null, block_hash = null, mined_at = null, settled_at = null,
        generation = generation + case when settled_at is null then 0 else 1 end
    where chain_id = ${chainId} and block_number > ${ancestorNumber}`
  await reopenCampaigns(ctx, ofKind(settled, 'Failed'))
  await revertMilestones(ctx, settled)
  return settled.length
}

const revertMilestones = async (ctx: Context, settled: readonly FollowedEvent[]): Promise<void> => {
  const releases = ofKind(settled, 'MilestoneReleased')
  await restoreMilestones(ctx, [...releases, ...ofKind(settled, 'MilestoneRejected')])
  if (releases.length === 0) return
  const milestones = await namedMilestones(ctx, releases)
  await emitAndNotify(
    ctx,
    releases.toReversed().flatMap((event) => {
      const milestone = milestones.get(event.id)
      return milestone ? [releaseRevertedEvent(ctx, event, milestone)] : []
    }),
  )
  await reopenIfUndone(ctx, [...new Set(releases.map(({ campaignId }) => campaignId))])
}
