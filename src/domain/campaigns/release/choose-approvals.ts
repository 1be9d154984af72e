import type { Context } from '../../../db/context.ts'
import type { VerifierSignature } from '../../../escrow/calls.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Escrow } from '../escrow/require-escrow.ts'
import { toContractSignature } from '../escrow/verifier-signature.ts'
import type { MilestoneRow } from '../milestone/milestone-row.ts'
import { requiredApprovals } from '../milestone/required-approvals.ts'
import { toTypedData } from '../milestone/typed-data.ts'
import { listApprovals, type VerificationView } from '../milestone/verification-view.ts'

type Signed = Pick<VerificationView, 'signer' | 'signature' | 'round' | 'status' | 'evidenceHash'>
type Chosen = { evidenceHash: string; signatures: VerifierSignature[] }

/**
 * Chooses as many approvals as the escrow needs. Takes signatures of keys first, because they cost
 * less gas and stay valid. Asks contract wallets again, because their owners may have changed.
 *
 * @throws DomainError `milestone_not_verified` if too few approvals count now, `unavailable`
 */
export const chooseApprovals = async (
  ctx: Context,
  milestone: MilestoneRow,
  terms: Escrow['terms'],
): Promise<Chosen> => {
  const approvals = await listApprovals(ctx, milestone)
  const required = requiredApprovals(ctx, milestone)
  const { keys = [], wallets = [] } = Object.groupBy(approvals, ({ method }) =>
    method === 'ecdsa' ? 'keys' : 'wallets',
  )
  const chosen = keys.slice(0, required)
  for (const approval of wallets) {
    if (chosen.length === required) break
    if (await isStillSigned(ctx, milestone, approval)) chosen.push(approval)
  }
  const [first] = chosen
  if (!first || chosen.length < required) {
    throw new DomainError(
      'milestone_not_verified',
      `Only ${chosen.length} of ${required} approvals count now, because a verifier lost the role or a contract wallet no longer confirms its signature. Let another verifier of the escrow approve the same evidence, or reject the milestone and approve it again.`,
    )
  }
  const signatures = chosen.map((approval) => signatureOf(approval, terms))
  return { evidenceHash: first.evidenceHash, signatures }
}

/** Whether the contract wallet still confirms the signature of its decision. */
export const isStillSigned = async (
  ctx: Context,
  milestone: MilestoneRow,
  { signer, signature, round, status, evidenceHash }: Signed,
): Promise<boolean> => {
  const proof = await ctx.signatures.verifyTypedData({
    chainId: milestone.chainId,
    address: signer,
    typedData: toTypedData(milestone, { round, decision: status, evidenceHash }),
    signature,
  })
  return proof !== null
}

/** A decision's signature in the form of the contract. */
export const signatureOf = (
  { signer, signature, method }: Pick<VerificationView, 'signer' | 'signature' | 'method'>,
  { verifiers }: Escrow['terms'],
): VerifierSignature => ({
  verifier: verifiers.indexOf(signer.toLowerCase()),
  data: toContractSignature(signature, { method }),
})
