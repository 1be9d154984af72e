import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Decision } from '../../../kernel/statuses.ts'
import { readEscrowState } from '../escrow/escrow-state.ts'
import { readEscrowTime } from '../escrow/escrow-time.ts'
import type { Escrow } from '../escrow/require-escrow.ts'
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
  const short = await refusalOfMoney(ctx, milestone, checked.decision)
  if (short) return short
  const still = await ctx.sql`
    select from wallet join app_user on app_user.id = wallet.user_id
    where wallet.address = ${checked.signer} and wallet.user_id = ${checked.verifierId}
      and not wallet.before_reset
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

const refusalOfMoney = async (
  ctx: Context,
  milestone: MilestoneRow,
  decision: Decision,
): Promise<DomainError | undefined> => {
  if (milestone.terms) return refusalBelowTarget(ctx, milestone, decision)
  const isReached = milestone.status !== 'pending' && (await isCovered(ctx, milestone))
  if (isReached) return undefined
  return new DomainError(
    'milestone_not_reached',
    'The campaign does not hold the amount that this milestone needs. Wait for donations.',
  )
}

/**
 * Returns the reason against approving a milestone of an escrow below its target: with a signature
 * from before the target, a loan for one transaction would pay the milestone. Only final blocks
 * count, because a reorg can take other money away. A rejection pays nothing, so it is allowed.
 */
export const refusalBelowTarget = async (
  ctx: Context,
  milestone: MilestoneRow,
  decision: Decision,
): Promise<DomainError | undefined> => {
  const { campaignId, terms } = milestone
  if (!terms || decision === 'rejected') return undefined
  if ((await readEscrowState(ctx, { campaignId, terms })).state !== 'funding') return undefined
  const missing = await missingOfTarget(ctx, { ...milestone, terms }, { isFinal: true })
  if (missing <= 0n) return undefined
  return new DomainError(
    'milestone_not_reached',
    'The escrow is below its target in final blocks, so it takes no approval yet. Wait for donations and final blocks.',
  )
}

/**
 * The amount, in base units, that an escrow lacks of its target; not positive if it is reached.
 * Counts all transfers of stored blocks, with `isFinal` only of final ones, also transfers without
 * a donation.
 */
export const missingOfTarget = async (
  { sql }: Context,
  {
    chainId,
    account,
    currencyId,
    terms,
  }: Pick<Escrow, 'chainId' | 'account' | 'currencyId' | 'terms'>,
  { isFinal }: { isFinal: boolean },
): Promise<bigint> => {
  const [row] = await sql<{ received: string }[]>`
    select coalesce(sum(amount), 0) as received from chain_transfer
    where chain_id = ${chainId} and recipient = ${account} and asset_id = ${currencyId}
      and block_number is not null
      ${isFinal ? sql`and block_number <= (select finalized_number from chain_state where chain_id = ${chainId})` : sql``}`
  return terms.target - BigInt(row?.received ?? 0)
}
