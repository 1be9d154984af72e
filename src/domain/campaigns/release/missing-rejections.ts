import type { Context } from '../../../db/context.ts'
import type { MilestoneVerification } from '../../../db/schema/impact.ts'
import { type Call, rejectCall } from '../../../escrow/calls.ts'
import { readRound, roundData } from '../../../escrow/views.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { EscrowState } from '../escrow/escrow-state.ts'
import type { Escrow } from '../escrow/require-escrow.ts'
import type { MilestoneRow } from '../milestone/milestone-row.ts'
import { isStillSigned, signatureOf } from './choose-approvals.ts'

type Rejection = Pick<
  MilestoneVerification,
  'round' | 'evidenceHash' | 'signer' | 'signature' | 'method'
> & { status: 'rejected' }

type MissingRejections = {
  /** The calls that can be sent now, in the order of their rounds. */
  calls: Call[]
  /** Why the next rejection cannot be sent; null if `calls` are all. */
  refusal: DomainError | null
}

/**
 * Makes the calls for the recorded rejections that the contract does not know. Stops at the first
 * rejection that cannot be sent. Asks contract wallets again, because their owners may have
 * changed.
 *
 * @throws DomainError `milestone_not_verified` if a rejection on the chain has ended the round;
 * `unavailable`
 */
export const missingRejections = async (
  ctx: Context,
  milestone: MilestoneRow,
  escrow: Escrow,
  state: EscrowState,
): Promise<MissingRejections> => {
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
  const calls: Call[] = []
  for (let missing = onChain; missing < round; missing++) {
    const rejection = rejections.find((one) => one.round === missing)
    const isSigned =
      rejection &&
      (rejection.method === 'ecdsa' || (await isStillSigned(ctx, milestone, rejection)))
    if (!rejection || !isSigned) return { calls, refusal: notSigned(missing, rejection, calls) }
    const { evidenceHash } = rejection
    const signature = signatureOf(rejection, terms)
    calls.push(rejectCall(account, { milestone: position, evidenceHash, signature }))
  }
  return { calls, refusal: null }
}

/** The contract takes rejections in the order of their rounds, so the calls `before` come first. */
const notSigned = (round: number, rejection: Rejection | undefined, before: readonly Call[]) =>
  new DomainError(
    'milestone_not_verified',
    [
      rejection
        ? `The escrow does not know the rejection of round ${round}, and its contract wallet no longer confirms it.`
        : 'A reorg removed a rejection whose signature is only on the chain. Wait until it is mined again.',
      ...(before.length > 0
        ? ['First send the rejections before it: GET /api/milestones/:id/rejection.']
        : []),
      'A verifier of the escrow can sign it again: POST /api/milestones/:id/rejection.',
    ].join(' '),
  )

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
