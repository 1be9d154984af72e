import type { Context } from '../../../db/context.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { type Candidate, findSigner } from './find-signer.ts'
import type { MilestoneRow } from './milestone-row.ts'
import type { Statement } from './typed-data.ts'

/**
 * The error that says why no candidate has signed. With an escrow, the error names the round if the
 * signed round is wrong.
 */
export const refusalOfSignature = async (
  ctx: Context,
  candidates: readonly Candidate[],
  milestone: MilestoneRow,
  said: Statement & { signature: string },
): Promise<DomainError> => {
  if (!milestone.terms) {
    return new DomainError(
      'forbidden',
      'The signature is not from a wallet of this verifier for this decision, evidence and round.',
    )
  }
  const { chainId, round } = milestone
  const isOfEarlierRound =
    round > 0 && (await findSigner(ctx, candidates, milestone, { ...said, round: round - 1 }))
  return isOfEarlierRound
    ? new DomainError(
        'conflict',
        `The signature is for round ${round - 1}, which a rejection has ended. Sign again for round ${round}.`,
      )
    : new DomainError(
        'forbidden',
        `The signature is not from a wallet of this verifier. It must be over the typed data of GET /api/milestones/:id/verification, unchanged, for this decision and evidence, round ${round} and chain ${chainId}.`,
      )
}
