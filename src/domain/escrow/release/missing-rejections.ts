import { type Call, rejectCall } from '../../../chain/escrow/calls.ts'
import { readRound, roundData } from '../../../chain/escrow/views.ts'
import type { MilestoneVerification } from '../../../db/schema/impact.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Context } from '../../context.ts'
import type { MilestoneRow } from '../../milestone/index.ts'
import type { Escrow, EscrowState } from '../index.ts'
import { isStillSigned, signatureOf } from './choose-approvals.ts'

type Rejection = Pick<
  MilestoneVerification,
  'round' | 'evidenceHash' | 'signer' | 'signature' | 'method'
> & { status: 'rejected' }

const SIGN_AGAIN = 'A verifier of the escrow can sign it again: POST /api/milestones/:id/rejection.'

/**
 * Makes the calls for the recorded rejections that the contract does not know, in their order. Asks
 * contract wallets again, because their owners may have changed.
 *
 * @throws DomainError `milestone_not_verified` if the rounds of chain and service do not fit, or if
 *   a contract wallet no longer confirms its rejection; `unavailable`
 */
export const missingRejections = async (
  ctx: Context,
  milestone: MilestoneRow,
  escrow: Escrow,
  state: EscrowState,
): Promise<Call[]> => {
  const { position, round } = milestone
  const { account, terms } = escrow
  const onChain = await roundOnChain(ctx, milestone, escrow, state)
  if (onChain > round) {
    throw new DomainError(
      'milestone_not_verified',
      'A rejection on the chain has ended this round. When its block is final, verifiers can approve again.',
    )
  }
  const rejections = await ctx.sql<Rejection[]>`
    select round, decision as status, evidence_hash, signer, signature, method
    from milestone_verification
    where milestone_id = ${milestone.id} and decision = 'rejected'
      and round >= ${onChain} and round < ${round}
    order by round`
  if (rejections.length < round - onChain) {
    throw new DomainError(
      'milestone_not_verified',
      `A reorg removed a rejection whose signature is only on the chain. Wait until it is mined again. ${SIGN_AGAIN}`,
    )
  }
  for (const rejection of rejections) {
    if (rejection.method === 'ecdsa' || (await isStillSigned(ctx, milestone, rejection))) continue
    throw new DomainError(
      'milestone_not_verified',
      `The escrow does not know the rejection of round ${rejection.round}, and its contract wallet no longer confirms it. ${SIGN_AGAIN}`,
    )
  }
  return rejections.map((rejection) =>
    rejectCall(account, {
      milestone: position,
      evidenceHash: rejection.evidenceHash,
      signature: signatureOf(rejection, terms),
    }),
  )
}

/** The milestone's round in the contract. If no node answers, it follows from settled events. */
export const roundOnChain = async (
  ctx: Context,
  { position }: MilestoneRow,
  { chainId, account }: Escrow,
  state: EscrowState,
): Promise<number> => {
  const answer = await ctx.contracts.view({ chainId, to: account, data: roundData(position) })
  return answer === null ? (state.rounds[position] ?? 0) : readRound(answer)
}
