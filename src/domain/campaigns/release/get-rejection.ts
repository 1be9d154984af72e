import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { type EscrowState, readEscrowState } from '../escrow/escrow-state.ts'
import { type ReadyTransaction, readyTransaction } from '../escrow/ready-transaction.ts'
import { type Escrow, requireEscrow } from '../escrow/require-escrow.ts'
import { type MilestoneRow, requireMilestone } from '../milestone/milestone-row.ts'
import { missingRejections } from './missing-rejections.ts'

/**
 * Makes the transaction by which the escrow learns of the recorded rejections of a milestone. Until
 * it is mined, the contract still accepts approvals of the rejected round. Asks nodes, so it must
 * run outside a transaction of the database.
 *
 * @throws DomainError as `readUnreleased`; `conflict` if the contract knows all rejections;
 *   `milestone_not_verified` if a verifier must first sign a rejection again; `unavailable`
 */
export const getRejection = async (
  ctx: Context,
  milestoneId: string,
): Promise<ReadyTransaction> => {
  const { milestone, escrow, state } = await readUnreleased(ctx, milestoneId)
  const { calls, refusal } = await missingRejections(ctx, milestone, escrow, state)
  if (calls.length === 0) throw refusal ?? knowsAllRejections()
  return readyTransaction(ctx, escrow, calls)
}

/**
 * Reads a milestone of an escrow that is not released, and whose escrow has not failed.
 *
 * @throws DomainError `not_found`, `not_escrowed`, `already_released`, `escrow_failed`
 */
export const readUnreleased = async (
  ctx: Context,
  milestoneId: string,
): Promise<{ milestone: MilestoneRow; escrow: Escrow; state: EscrowState }> => {
  const milestone = await requireMilestone(ctx, milestoneId, { lock: false })
  const escrow = await requireEscrow(ctx, milestone.campaignId)
  const state = await readEscrowState(ctx, escrow)
  if (milestone.status === 'released') {
    throw new DomainError('already_released', 'This milestone is released, so it stays so.')
  }
  if (state.state === 'failed') {
    throw new DomainError(
      'escrow_failed',
      'The escrow has failed, so it releases nothing. Donors get refunds: GET /api/donations/:id/refund.',
    )
  }
  return { milestone, escrow, state }
}

export const knowsAllRejections = () =>
  new DomainError(
    'conflict',
    'The escrow knows all rejections of this milestone, so there is nothing to send.',
  )
