import type { Campaign } from '../../db/schema/campaigns.ts'
import type { MilestoneVerification } from '../../db/schema/impact.ts'
import type { TypedData } from '../../kernel/ports/signatures.ts'

/** The decision that a verifier signs. A rejection changes `round`, which ends old signatures. */
export type Statement = Pick<
  MilestoneVerification,
  'milestoneId' | 'round' | 'decision' | 'evidenceHash'
> &
  Pick<Campaign, 'chainId'> & { campaignId: string }

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
 * Formats a statement as EIP-712 typed data for `eth_signTypedData_v4`. The domain names the
 * campaign's chain, but no contract, because no contract checks the signature.
 */
export const toTypedData = (statement: Statement) =>
  ({
    domain: { name: 'Fundproof', version: '1', chainId: statement.chainId },
    types: TYPES,
    primaryType: 'MilestoneVerification',
    message: {
      campaignId: statement.campaignId,
      milestoneId: statement.milestoneId,
      round: statement.round,
      status: statement.decision,
      evidenceHash: statement.evidenceHash,
    },
  }) as const satisfies TypedData
export type VerificationTypedData = ReturnType<typeof toTypedData>
