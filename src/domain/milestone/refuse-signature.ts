import { DomainError } from '../../kernel/errors.ts'
import type { SignatureProof } from '../../kernel/ports/signatures.ts'
import type { Context } from '../context.ts'
import { type Candidate, findSigner } from './find-signer.ts'
import type { MilestoneRow } from './milestone-row.ts'
import type { Statement } from './typed-data.ts'

/** The suffix of signatures of wallets that may not be deployed yet (ERC-6492). */
const COUNTERFACTUAL_SUFFIX = '6492'.repeat(16)

/** The reason why no candidate has signed. With an escrow, it names the round if that is wrong. */
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

/**
 * Refuses signatures that this service can check, but an escrow contract cannot.
 *
 * @throws DomainError `invalid_signature`
 */
export const refuseUndeployed = (signature: string, { method }: SignatureProof): void => {
  if (method !== 'eip6492' && !signature.endsWith(COUNTERFACTUAL_SUFFIX)) return
  throw new DomainError(
    'invalid_signature',
    'An escrow does not take signatures for wallets without code (ERC-6492). Deploy the wallet, and send its plain signature (EIP-1271).',
  )
}
