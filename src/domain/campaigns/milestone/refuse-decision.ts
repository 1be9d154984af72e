import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { readEscrowState } from '../escrow/escrow-state.ts'
import { readEscrowTime } from '../escrow/escrow-time.ts'
import type { CheckedVerification } from './check-verification.ts'
import { isCovered, type MilestoneRow } from './milestone-row.ts'

/** Returns the reason against this decision, or undefined if the decision is allowed. */
export const refusalOf = async (
  ctx: Context,
  milestone: MilestoneRow,
  checked: CheckedVerification,
): Promise<DomainError | undefined> => {
  const { status, campaignStatus, terms } = milestone
  // Before an escrow has released a milestone, verifiers may add approvals and reject.
  if (status === 'released' || (status === 'verified' && !terms)) {
    return new DomainError('conflict', 'This milestone is already verified and released.')
  }
  if (['draft', 'cancelled', 'failed'].includes(campaignStatus)) {
    return new DomainError(
      'campaign_not_active',
      campaignStatus === 'draft'
        ? 'The campaign of this milestone is a draft. Decide when the campaign is open.'
        : `The campaign of this milestone is ${campaignStatus}. There is nothing to decide.`,
    )
  }
  if (terms && (await readEscrowTime(ctx, milestone)) > terms.expiry) return escrowExpired()
  if (milestone.round !== checked.round) {
    return new DomainError(
      'conflict',
      'The milestone was rejected in the meantime. Sign again for its new round.',
    )
  }
  if (!(await isReached(ctx, milestone))) {
    return new DomainError(
      'milestone_not_reached',
      'The campaign does not hold the amount that this milestone needs. Wait for donations.',
    )
  }
  const still = await ctx.sql`
    select from wallet join app_user on app_user.id = wallet.user_id
    where wallet.address = ${checked.signer} and wallet.user_id = ${checked.verifierId}
      and 'verifier' = any(app_user.roles)`
  if (still.length > 0) return undefined
  return new DomainError('forbidden', 'The signing wallet does not belong to a verifier any more.')
}

/** The refusal of a decision or a release after the expiry of an escrow. */
export const escrowExpired = () =>
  new DomainError(
    'escrow_expired',
    'The time of the escrow is over, so it releases nothing. Send `close` of GET /api/campaigns/:id/escrow, so that donors get refunds.',
  )

/**
 * Whether enough money for the milestone has arrived. An active escrow holds its whole target, also
 * if no donation is recorded for some of the money.
 */
const isReached = async (ctx: Context, milestone: MilestoneRow): Promise<boolean> => {
  if (milestone.status !== 'pending' && (await isCovered(ctx, milestone))) return true
  if (!milestone.terms) return false
  const { campaignId, terms } = milestone
  return (await readEscrowState(ctx, { campaignId, terms })).state === 'active'
}
