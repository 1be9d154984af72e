import type { Context } from '../../../db/context.ts'
import { violatedUnique } from '../../../db/errors.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { lockChainIfSynced } from '../../shared/index.ts'
import type { CheckedVerification } from './check-verification.ts'
import { concludeApproval, concludeRejection } from './conclude.ts'
import { type MilestoneRow, requireMilestone } from './milestone-row.ts'
import { refusalOf } from './refuse-decision.ts'
import {
  findVerification,
  listApprovals,
  type MilestoneState,
  toMilestoneState,
  type VerificationView,
} from './verification-view.ts'

export type Verified = {
  verification: VerificationView
  milestone: MilestoneState
  /** False if the same decision of this verifier was already recorded. */
  created: boolean
}

/**
 * Records a checked decision in one transaction. The last needed approval releases the amount,
 * exactly once. With an escrow, it only verifies the milestone. A rejection starts the next round,
 * in which earlier approvals do not count. Locks the chain's row, like all changes of the
 * campaign's total, and then the milestone.
 *
 * @throws DomainError
 * - `milestone_not_reached` if the unreleased amount does not cover the milestone; with an escrow,
 *   for an approval while final blocks show less than the target
 * - `campaign_not_active` for a draft, a cancelled or a failed campaign
 * - `escrow_expired` if the escrow can release nothing any more
 * - `conflict` for a released milestone, a past round, a wallet that signed for another verifier,
 *   or a second approval for an escrow with other evidence
 * - `forbidden` if the wallet's owner is not a verifier any more
 */
export const verifyMilestone = (ctx: Context, checked: CheckedVerification): Promise<Verified> =>
  withTransaction(ctx, async (ctx) => {
    await lockChainIfSynced(ctx, checked.chainId)
    const milestone = await requireMilestone(ctx, checked.milestoneId, { lock: true })
    const before = await findVerification(ctx, milestone, checked)
    const refusal = await refusalOf(ctx, milestone, checked)
    if (!before && refusal) throw refusal
    if (before && milestone.terms) refuseOtherEvidence(before, checked)
    const verification = before ?? (await insertVerification(ctx, milestone, checked))
    if (checked.decision === 'completed') {
      // Also runs for a repeated approval, because other approvals may have been missing at first.
      if (!refusal) await concludeApproval(ctx, milestone)
    } else if (!before) await concludeRejection(ctx, milestone)

    const after = await requireMilestone(ctx, milestone.id, { lock: true })
    const approvals = await listApprovals(ctx, after)
    return {
      verification,
      milestone: await toMilestoneState(ctx, after, approvals.length, checked.holdings),
      created: !before,
    }
  })

/** An escrow counts only approvals of equal evidence together, so the evidence cannot change. */
const refuseOtherEvidence = (before: VerificationView, checked: CheckedVerification): void => {
  if (before.evidenceHash === checked.evidenceHash) return
  throw new DomainError(
    'conflict',
    'You approved other evidence in this round. Let the other verifiers sign that evidence, or reject it, and approve again in the next round.',
  )
}

const insertVerification = async (
  ctx: Context,
  milestone: MilestoneRow,
  checked: CheckedVerification,
): Promise<VerificationView> => {
  const now = ctx.clock.now()
  const id = newId(now.getTime())
  try {
    await ctx.sql`
      insert into milestone_verification
        (id, milestone_id, round, decision, evidence, evidence_hash, verifier_id, signer,
         signature, method, block_number, created_at)
      values
        (${id}, ${milestone.id}, ${checked.round}, ${checked.decision},
         ${ctx.sql.json(checked.evidence)}, ${checked.evidenceHash},
         ${checked.verifierId}, ${checked.signer}, ${checked.signature}, ${checked.method},
         ${checked.blockNumber}, ${now})`
  } catch (error) {
    if (violatedUnique(error) !== 'milestone_verification_signer') throw error
    throw new DomainError('conflict', 'This wallet has already signed for another verifier.')
  }
  const written = await findVerification(ctx, milestone, checked)
  if (!written) throw new DomainError('internal', 'The verification was not written.')
  return written
}
