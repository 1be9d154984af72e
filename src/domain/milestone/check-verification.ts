import { hashCanonicalJson } from '../../kernel/canonical-json.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type Candidate, findCandidates, findSigner } from './find-signer.ts'
import { findMilestone, type MilestoneRow } from './milestone-row.ts'
import type { Decision, EvidenceItem, VerifyMilestone } from './schemas.ts'
import { toTypedData } from './typed-data.ts'

/** A decision with a valid signature of its verifier. */
export type CheckedVerification = {
  campaignId: string
  milestoneId: string
  chainId: number
  round: number
  decision: Decision
  evidence: EvidenceItem[]
  evidenceHash: string
  verifierId: string
  /** Lower-case. */
  signer: string
  /** Lower-case hex. */
  signature: string
  method: string
  blockNumber: number | null
}

/**
 * Finds the signer of a decision, without a write or an open transaction, because a contract wallet
 * needs the network. The signer is the verifier; the caller only transmits the signature.
 *
 * @throws DomainError
 *   - `forbidden` for a caller who is neither verifier nor administrator, a signature without a
 *     registered verifier, and the campaign's own creator
 *   - `not_found`, `unavailable`
 */
export const checkVerification = async (
  ctx: Context,
  input: VerifyMilestone,
): Promise<CheckedVerification> => {
  const callerId = callerOf(ctx)
  const { status: decision, evidence, verifierSignature, verifierAddress } = input.verification
  const milestone = await findMilestone(ctx, input.milestoneId, { lock: false })
  if (!milestone || milestone.campaignId !== input.campaignId.toLowerCase()) {
    throw new DomainError('not_found', 'This campaign has no such milestone.')
  }
  const candidates = await findCandidates(ctx, callerId, verifierAddress)
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
  if (known) return { ...said, ...known }

  const typedData = toTypedData({ ...said, round: milestone.round })
  const { verifierId, signer, proof } = await findSigner(ctx, candidates, typedData, said.signature)
  refuseCreator(milestone, verifierId)
  return { ...said, round: milestone.round, verifierId, signer, ...proof }
}

const callerOf = ({ actor }: Context): string => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  if (actor.roles.includes('verifier') || actor.roles.includes('admin')) return actor.userId
  throw new DomainError('forbidden', 'Only verifiers and administrators can do this.')
}

const refuseCreator = (milestone: MilestoneRow, verifierId: string): void => {
  if (verifierId !== milestone.creatorId) return
  throw new DomainError('forbidden', 'You cannot verify a milestone of your own campaign.')
}

type Recorded = Pick<
  CheckedVerification,
  'round' | 'verifierId' | 'signer' | 'method' | 'blockNumber'
>

/** The same decision of an earlier round, because a rejection has started a new round since. */
const findRepeated = async (
  ctx: Context,
  said: Pick<CheckedVerification, 'milestoneId' | 'decision' | 'evidenceHash' | 'signature'>,
  candidates: readonly Candidate[],
): Promise<Recorded | undefined> => {
  const signers = candidates.map(({ signer }) => signer)
  const verifiers = candidates.map(({ verifierId }) => verifierId)
  const [row] = await ctx.sql<
    {
      round: number
      verifierId: string
      signer: string
      method: string
      blockNumber: number | null
    }[]
  >`
    select round, verifier_id, signer, method, block_number from milestone_verification
    where milestone_id = ${said.milestoneId} and decision = ${said.decision}
      and evidence_hash = ${said.evidenceHash} and signature = ${said.signature}
      and signer = any(${signers}) and verifier_id = any(${verifiers}::uuid[])
    order by round desc limit 1`
  return (
    row && {
      round: row.round,
      verifierId: row.verifierId,
      signer: row.signer,
      method: row.method,
      blockNumber: row.blockNumber,
    }
  )
}
