import type { Context } from '../../../db/context.ts'
import { emit, type NewEvent } from '../../../outbox/emit.ts'
import { moneyOf, releaseMilestone } from '../../books/index.ts'
import { notify } from '../../people/index.ts'
import { completeIfDone } from '../campaign/complete-campaigns.ts'
import type { MilestoneRow } from './milestone-row.ts'
import { requiredApprovals } from './required-approvals.ts'
import { listApprovals, type VerificationView } from './verification-view.ts'

/**
 * Verifies the milestone if it has enough approvals: updates the status, writes events and a
 * notification. Without an escrow it also releases the amount in the ledger. An escrow releases it
 * on the chain. The caller's transaction must have locked the milestone.
 */
export const concludeApproval = async (ctx: Context, milestone: MilestoneRow): Promise<void> => {
  if (milestone.status === 'verified') return
  const approvals = await listApprovals(ctx, milestone)
  if (approvals.length < requiredApprovals(ctx, milestone)) return
  const now = ctx.clock.now()
  await ctx.sql`
    update milestone set status = 'verified', verified_at = ${now} where id = ${milestone.id}`
  await emit(ctx, [verifiedEvent(milestone, approvals, now)])
  if (!milestone.terms) await release(ctx, milestone, approvals, now)
  await notifyCreator(ctx, milestone, 'milestone_verified')
}

const release = async (
  ctx: Context,
  milestone: MilestoneRow,
  approvals: readonly VerificationView[],
  now: Date,
): Promise<void> => {
  const { id, campaignId, title, currencyId, amount } = milestone
  await ctx.sql`update milestone set status = 'released', released_at = ${now} where id = ${id}`
  await releaseMilestone(ctx, { campaignId, milestoneId: id, currencyId, amount })
  await emit(ctx, [
    {
      type: 'milestone.released',
      ...subjectOf(milestone, approvals),
      data: {
        campaignId,
        milestoneId: id,
        title,
        amount: moneyOf(ctx, currencyId, amount),
        verifiers: approvals.map(({ verifierId }) => verifierId),
        releasedAt: now.toISOString(),
      },
    },
  ])
  await completeIfDone(ctx, [campaignId])
}

const verifiedEvent = (
  milestone: MilestoneRow,
  approvals: readonly VerificationView[],
  now: Date,
): NewEvent => {
  // The approvals for an escrow all have the same evidence.
  const counted = milestone.terms ? approvals.slice(0, 1) : approvals
  return {
    type: 'impact.verified',
    ...subjectOf(milestone, approvals),
    data: {
      campaignId: milestone.campaignId,
      milestoneId: milestone.id,
      verifiers: approvals.map(({ verifierId }) => verifierId),
      evidence: counted.flatMap(({ evidence }) => evidence),
      verifiedAt: now.toISOString(),
    },
  }
}

const subjectOf = (
  { campaignId, creatorId }: MilestoneRow,
  approvals: readonly VerificationView[],
) => ({ campaignId, audience: [creatorId, ...approvals.map(({ verifierId }) => verifierId)] })

/** Rejects the milestone and starts its next round, in which earlier approvals do not count. */
export const concludeRejection = async (ctx: Context, milestone: MilestoneRow): Promise<void> => {
  await ctx.sql`
    update milestone
    set status = 'rejected', verified_at = null, verification_round = verification_round + 1
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
