import type { Context } from '../../../db/context.ts'
import type { MilestoneVerification } from '../../../db/schema/impact.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { hashCanonicalJson } from '../../../kernel/formats/canonical-json.ts'
import { requireVerifier } from '../../shared/index.ts'
import { refuseUndeployed } from '../escrow/verifier-signature.ts'
import { type Holding, readHoldings } from './account-assets.ts'
import { type Candidate, findCandidates, findSigner } from './find-signer.ts'
import { type MilestoneRow, requireMilestone, unknownMilestone } from './milestone-row.ts'
import type { EvidenceItem, VerifyMilestone } from './schemas.ts'
import type { Statement } from './typed-data.ts'

/** A decision with the valid signature of a verifier. `signer` and `signature` are lower-case. */
export type CheckedVerification = Omit<MilestoneVerification, 'id' | 'evidence' | 'createdAt'> & {
  campaignId: string
  chainId: number
  evidence: EvidenceItem[]
  /**
   * The assets that the account holds. Read here, because the sums take too long while rows are
   * locked.
   */
  holdings: readonly Holding[]
}

/**
 * Finds the verifier who signed a decision. The caller who sends the decision can be another user.
 * Must run outside a transaction, because a node is asked to check a contract wallet's signature.
 *
 * @throws DomainError
 * - `forbidden` if the caller is neither verifier nor administrator, if no registered verifier has
 *   signed, or if the signer is the campaign's creator
 * - `conflict` for an escrow's signature of an earlier round, `invalid_signature` for a wallet
 *   that the escrow cannot ask
 * - `not_found` for an unknown milestone, `unavailable` if no node of a chain answers
 */
export const checkVerification = async (
  ctx: Context,
  input: VerifyMilestone,
): Promise<CheckedVerification> => {
  const { userId: callerId } = requireVerifier(ctx)
  const { status: decision, evidence, verifierSignature, verifierAddress } = input.verification
  const milestone = await requireMilestone(ctx, input.milestoneId, { lock: false })
  if (milestone.campaignId !== input.campaignId.toLowerCase()) throw unknownMilestone()
  const candidates = await findCandidates(ctx, milestone, callerId, verifierAddress)
  const said = {
    campaignId: milestone.campaignId,
    milestoneId: milestone.id,
    chainId: milestone.chainId,
    decision,
    evidence,
    evidenceHash: hashCanonicalJson(evidence),
    signature: verifierSignature.toLowerCase(),
  }
  const known = await findRepeated(ctx, said, candidates)
  if (known) return { ...said, ...known, holdings: await readHoldings(ctx, milestone) }

  const signed = { ...said, round: milestone.round }
  const found = await findSigner(ctx, candidates, milestone, signed)
  if (!found) throw await refusalOfSignature(ctx, candidates, milestone, signed)
  const { verifierId, signer, proof } = found
  if (milestone.terms) refuseUndeployed(said.signature, proof)
  if (verifierId === milestone.creatorId) {
    throw new DomainError('forbidden', 'You cannot verify a milestone of your own campaign.')
  }
  const holdings = await readHoldings(ctx, milestone)
  return { ...signed, verifierId, signer, ...proof, holdings }
}

type Recorded = Pick<
  CheckedVerification,
  'round' | 'verifierId' | 'signer' | 'method' | 'blockNumber'
>

/** Finds an earlier record of this signed decision. Searches all rounds of the milestone. */
const findRepeated = async (
  ctx: Context,
  said: Pick<CheckedVerification, 'milestoneId' | 'decision' | 'evidenceHash' | 'signature'>,
  candidates: readonly Candidate[],
): Promise<Recorded | undefined> => {
  const signers = candidates.map(({ signer }) => signer)
  const verifiers = candidates.map(({ verifierId }) => verifierId)
  const [row] = await ctx.sql<Recorded[]>`
    select round, verifier_id, signer, method, block_number from milestone_verification
    where milestone_id = ${said.milestoneId} and decision = ${said.decision}
      and evidence_hash = ${said.evidenceHash} and signature = ${said.signature}
      and signer = any(${signers}) and verifier_id = any(${verifiers}::uuid[])
    order by round desc limit 1`
  return row
}

/**
 * The error that says why no candidate has signed. With an escrow, the error names the round if the
 * signed round is wrong.
 */
const refusalOfSignature = async (
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
