import type { MilestoneVerification } from '../../../db/schema/impact.ts'
import { rejectionTypedData, releaseTypedData } from '../../../escrow/typed-data.ts'
import type { TypedData } from '../../../kernel/ports/signatures.ts'
import type { MilestoneRow } from './milestone-row.ts'

/** A verifier's decision. After a rejection, `round` makes old signatures invalid. */
export type Statement = Pick<MilestoneVerification, 'round' | 'decision' | 'evidenceHash'>

/**
 * The EIP-712 typed data of a decision. If the campaign has an escrow, this is the message that the
 * contract checks. An approval then names amount and recipient, and is valid until the expiry.
 */
export const toTypedData = (milestone: MilestoneRow, said: Statement) =>
  milestone.terms
    ? escrowTypedData(milestone, milestone.terms, said)
    : ownTypedData(milestone, said)
export type VerificationTypedData = ReturnType<typeof toTypedData>

const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  MilestoneVerification: [
    { name: 'campaignId', type: 'string' },
    { name: 'milestoneId', type: 'string' },
    { name: 'round', type: 'uint256' },
    { name: 'status', type: 'string' },
    { name: 'evidenceHash', type: 'bytes32' },
  ],
} as const

/**
 * Formats a decision as EIP-712 typed data for `eth_signTypedData_v4`. The domain names the
 * campaign's chain, but no contract, because no contract checks the signature.
 */
const ownTypedData = (
  { id, campaignId, chainId }: MilestoneRow,
  { round, decision, evidenceHash }: Statement,
) =>
  ({
    domain: { name: 'Fundproof', version: '1', chainId },
    types: TYPES,
    primaryType: 'MilestoneVerification',
    message: { campaignId, milestoneId: id, round, status: decision, evidenceHash },
  }) as const satisfies TypedData

const escrowTypedData = (
  { chainId, account, position }: MilestoneRow,
  { campaign, asset, recipient, expiry, milestones }: NonNullable<MilestoneRow['terms']>,
  { round, decision, evidenceHash }: Statement,
) => {
  const domain = { chainId, escrow: account, campaign }
  const subject = { milestone: position, round, evidenceHash }
  if (decision === 'rejected') return rejectionTypedData(domain, subject)
  const amount = milestones[position]?.amount ?? 0n
  return releaseTypedData(domain, { ...subject, asset, amount, recipient, validUntil: expiry })
}
