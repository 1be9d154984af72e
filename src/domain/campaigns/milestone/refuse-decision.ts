import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
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
  if (!(await isReached(ctx, milestone))) {
    return new DomainError(
      'milestone_not_reached',
      terms
        ? 'The escrow is below its target, so it pays no milestone. Wait for donations.'
        : 'The campaign does not hold the amount that this milestone needs. Wait for donations.',
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
 * Whether the money for the milestone has arrived. An escrow pays nothing below its target, and by
 * a signature from before, its recipient would be paid with a loan for one transaction.
 */
const isReached = async (ctx: Context, milestone: MilestoneRow): Promise<boolean> => {
  const { campaignId, status, terms } = milestone
  if (!terms) return status !== 'pending' && (await isCovered(ctx, milestone))
  if ((await readEscrowState(ctx, { campaignId, terms })).state !== 'funding') return true
  return (await missingOfTarget(ctx, { ...milestone, terms })) <= 0n
}

/**
 * The amount, in base units, that an escrow lacks of its target; not positive if it is reached.
 * Counts all transfers of stored blocks, also transfers without a donation.
 */
export const missingOfTarget = async (
  { sql }: Context,
  {
    chainId,
    account,
    currencyId,
    terms,
  }: Pick<Escrow, 'chainId' | 'account' | 'currencyId' | 'terms'>,
): Promise<bigint> => {
  const [row] = await sql<{ received: string }[]>`
    select coalesce(sum(amount), 0) as received from chain_transfer
    where chain_id = ${chainId} and recipient = ${account} and asset_id = ${currencyId}
      and block_number is not null`
  return terms.target - BigInt(row?.received ?? 0)
}
