import type { Context } from '../../../db/context.ts'
import { releaseCall } from '../../../escrow/calls.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import type { EscrowState } from '../escrow/escrow-state.ts'
import { readEscrowTime } from '../escrow/escrow-time.ts'
import { type ReadyTransaction, readyTransaction } from '../escrow/ready-transaction.ts'
import type { Escrow } from '../escrow/require-escrow.ts'
import type { MilestoneRow } from '../milestone/milestone-row.ts'
import { escrowExpired, missingOfTarget } from '../milestone/refuse-decision.ts'
import { chooseApprovals } from './choose-approvals.ts'
import { readUnreleased } from './get-rejection.ts'
import { missingRejections } from './missing-rejections.ts'

/**
 * Makes the transaction that releases a verified milestone of an escrow. Any account may send it.
 * It first rejects earlier rounds that the contract does not know to be rejected. Asks nodes, so it
 * must run outside a transaction of the database.
 *
 * @throws DomainError
 * - `not_found`, `not_escrowed`, `already_released`, `escrow_failed`, `escrow_expired`
 * - `escrow_not_active` for a draft, a cancelled campaign, or an escrow below its target
 * - `milestone_not_verified` if too few approvals count now
 * - `unavailable` if the signature of a contract wallet is needed and its chain does not answer
 */
export const getRelease = async (ctx: Context, milestoneId: string): Promise<ReadyTransaction> => {
  const { milestone, escrow, state } = await readUnreleased(ctx, milestoneId)
  const now = await readEscrowTime(ctx, escrow)
  refuseUnreleasable(milestone, escrow, now)
  await requireTarget(ctx, escrow, state, now)
  const { calls: rejections, refusal } = await missingRejections(ctx, milestone, escrow, state)
  if (refusal) throw refusal
  const { evidenceHash, signatures } = await chooseApprovals(ctx, milestone, escrow.terms)
  const validUntil = escrow.terms.expiry
  const release = releaseCall(escrow.account, {
    milestone: milestone.position,
    evidenceHash,
    validUntil,
    signatures,
  })
  return readyTransaction(ctx, escrow, [...rejections, release], {
    validUntil: new Date(validUntil * 1_000),
  })
}

const refuseUnreleasable = (milestone: MilestoneRow, escrow: Escrow, now: number): void => {
  if (escrow.status === 'draft') {
    throw new DomainError(
      'escrow_not_active',
      'The campaign is a draft, so its escrow releases nothing. Open the campaign first.',
    )
  }
  if (escrow.status === 'cancelled') {
    throw new DomainError(
      'escrow_not_active',
      'The campaign is cancelled, so this service makes no release. The contract can still pay until a block has `cancel` of GET /api/campaigns/:id/escrow. The recipient sends it, so that donors get refunds.',
    )
  }
  if (now > escrow.terms.expiry) throw escrowExpired()
  if (milestone.status !== 'verified') {
    throw new DomainError(
      'milestone_not_verified',
      'Not enough verifiers have approved this milestone. Wait for the event impact.verified.',
    )
  }
}

/** Refuses the release if the escrow is not active and the release cannot activate it. */
const requireTarget = async (
  ctx: Context,
  escrow: Escrow,
  { state }: EscrowState,
  now: number,
): Promise<void> => {
  if (state !== 'funding') return
  if (now > escrow.terms.activateBy) {
    throw new DomainError(
      'escrow_not_active',
      'The escrow missed its target. Send `close` of GET /api/campaigns/:id/escrow, so that donors get refunds.',
    )
  }
  const missing = await missingOfTarget(ctx, escrow, { isFinal: false })
  if (missing <= 0n) return
  const { symbol, decimals } = ctx.settings.assets.byId(escrow.currencyId)
  throw new DomainError(
    'escrow_not_active',
    `The escrow lacks ${formatUnits(missing, decimals)} ${symbol} of its target, so it releases nothing yet. Wait for donations.`,
  )
}
