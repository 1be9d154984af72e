import { emit } from '../../outbox/emit.ts'
import { completeIfDone } from '../campaign/index.ts'
import type { Context } from '../context.ts'
import { releaseMilestone } from '../ledger/index.ts'
import { notify } from '../notification/index.ts'
import { requiredVerifiers } from '../required-verifiers.ts'
import { moneyOf } from '../total/index.ts'
import type { MilestoneRow } from './milestone-row.ts'
import { listApprovals } from './verification-view.ts'

/**
 * Releases the milestone if it has enough approvals: updates the status, posts the ledger entry,
 * writes events and a notification. The caller's transaction must have locked the milestone.
 */
export const concludeApproval = async (ctx: Context, milestone: MilestoneRow): Promise<void> => {
  const approvals = await listApprovals(ctx, milestone)
  if (approvals.length < requiredVerifiers(ctx, milestone)) return
  const now = ctx.clock.now()
  await ctx.sql`
    update milestone set status = 'released', verified_at = ${now}, released_at = ${now}
    where id = ${milestone.id}`
  await releaseMilestone(ctx, { ...milestone, milestoneId: milestone.id })
  const { campaignId } = milestone
  const verifiers = approvals.map(({ verifierId }) => verifierId)
  const audience = [milestone.creatorId, ...verifiers]
  await emit(ctx, [
    {
      type: 'impact.verified',
      campaignId,
      audience,
      data: {
        campaignId,
        milestoneId: milestone.id,
        verifiers,
        evidence: approvals.flatMap(({ evidence }) => evidence),
        verifiedAt: now.toISOString(),
      },
    },
    {
      type: 'milestone.released',
      campaignId,
      audience,
      data: {
        campaignId,
        milestoneId: milestone.id,
        title: milestone.title,
        amount: moneyOf(ctx, milestone.currencyId, milestone.amount),
        verifiers,
        releasedAt: now.toISOString(),
      },
    },
  ])
  await completeIfDone(ctx, [campaignId])
  await notifyCreator(ctx, milestone, 'milestone_verified')
}

/** Rejects the milestone and starts its next round. Approvals of earlier rounds no longer count. */
export const concludeRejection = async (ctx: Context, milestone: MilestoneRow): Promise<void> => {
  await ctx.sql`
    update milestone set status = 'rejected', verification_round = verification_round + 1
    where id = ${milestone.id}`
  await notifyCreator(ctx, milestone, 'milestone_rejected')
}

const notifyCreator = (
  ctx: Context,
  milestone: MilestoneRow,
  type: 'milestone_verified' | 'milestone_rejected',
): Promise<void> =>
  notify(ctx, [
    {
      userId: milestone.creatorId,
      type,
      values: {
        campaign: milestone.campaignTitle,
        milestone: milestone.title ?? milestone.description,
      },
      data: { campaignId: milestone.campaignId, milestoneId: milestone.id },
    },
  ])
