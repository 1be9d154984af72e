import { type Call, rejectCall } from '../../../chain/escrow/calls.ts'
import { readRound, roundData } from '../../../chain/escrow/views.ts'
import type { MilestoneVerification } from '../../../db/schema/impact.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Context } from '../../context.ts'
import type { MilestoneRow } from '../../milestone/index.ts'
import type { Escrow, EscrowState } from '../index.ts'
import { signatureOf } from './choose-approvals.ts'

type Rejection = Pick<
  MilestoneVerification,
  'round' | 'evidenceHash' | 'signer' | 'signature' | 'method'
>

/**
 * Makes the calls for the recorded rejections that the contract does not know, in their order. If
 * no node answers, the settled events decide which rejections it knows.
 *
 * @throws DomainError `milestone_not_verified` if the rounds of chain and service do not fit
 */
export const missingRejections = async (
  ctx: Context,
  milestone: MilestoneRow,
  escrow: Escrow,
  state: EscrowState,
): Promise<Call[]> => {
  const { position, round } = milestone
  const { chainId, account, terms } = escrow
  const answer = await ctx.contracts.view({ chainId, to: account, data: roundData(position) })
  const onChain = answer === null ? (state.rounds[position] ?? 0) : readRound(answer)
  if (onChain > round) {
    throw new DomainError(
      'milestone_not_verified',
      'A rejection on the chain has ended this round. When its block is final, verifiers can approve again.',
    )
  }
  const rejections = await ctx.sql<Rejection[]>`
    select round, evidence_hash, signer, signature, method from milestone_verification
    where milestone_id = ${milestone.id} and decision = 'rejected'
      and round >= ${onChain} and round < ${round}
    order by round`
  if (rejections.length < round - onChain) {
    throw new DomainError(
      'milestone_not_verified',
      'A reorg removed a rejection whose signature is only on the chain. Wait until it is mined again.',
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
