import type { Context } from '../../../db/context.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { hashCanonicalJson } from '../../../kernel/formats/canonical-json.ts'
import type { Decision } from '../../../kernel/statuses.ts'
import { readHoldings } from './account-assets.ts'
import { requireMilestone, unknownMilestone } from './milestone-row.ts'
import { refusalBelowTarget } from './refuse-decision.ts'
import type { EvidenceItem } from './schemas.ts'
import { toTypedData, type VerificationTypedData } from './typed-data.ts'
import {
  listApprovals,
  listVerifications,
  type MilestoneState,
  toMilestoneState,
  type VerificationView,
} from './verification-view.ts'

export type MilestoneVerification = {
  milestone: MilestoneState
  /** Decisions of all rounds, newest first: at most 100, and at most 800 kB. */
  verifications: VerificationView[]
  /** The hash of the given evidence. Without evidence, this field and `typedData` are null. */
  evidenceHash: string | null
  typedData: VerificationTypedData | null
}

/**
 * Returns the state of a milestone's verification, the decisions so far, and the typed data to sign
 * for the next decision. Writes nothing.
 *
 * @throws DomainError `not_found` for an unknown milestone or one of another user's draft campaign;
 * `milestone_not_reached` for the typed data of an approval while an escrow is below its target
 */
export const getVerification = async (
  ctx: Context,
  milestoneId: string,
  said: { status: Decision; evidence: EvidenceItem[] | undefined },
): Promise<MilestoneVerification> => {
  const milestone = await requireMilestone(ctx, milestoneId, { lock: false })
  const isSeen = milestone.campaignStatus !== 'draft' || mayActFor(ctx.actor, milestone.creatorId)
  if (!isSeen) throw unknownMilestone()
  const evidenceHash = said.evidence ? hashCanonicalJson(said.evidence) : null
  const refusal = evidenceHash && (await refusalBelowTarget(ctx, milestone, said.status))
  if (refusal) throw refusal
  const approvals = await listApprovals(ctx, milestone)
  return {
    milestone: await toMilestoneState(
      ctx,
      milestone,
      approvals.length,
      await readHoldings(ctx, milestone),
    ),
    verifications: await listVerifications(ctx, milestone),
    evidenceHash,
    typedData:
      evidenceHash === null
        ? null
        : toTypedData(milestone, { ...milestone, decision: said.status, evidenceHash }),
  }
}
