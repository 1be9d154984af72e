import type { TypedData } from '../../kernel/signatures.ts'
import type { Decision } from './schemas.ts'

/** What a verifier signs: this decision on this milestone in this round, because of this evidence. */
export type Statement = {
  chainId: number
  campaignId: string
  milestoneId: string
  /** Counts rejections, so that an approval from before one cannot be used after it. */
  round: number
  decision: Decision
  /** keccak256 of the evidence as canonical JSON (RFC 8785). */
  evidenceHash: string
}

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
 * A statement as EIP-712 typed data, in the form of `eth_signTypedData_v4`. No contract checks it,
 * so the domain names none; its chain is the campaign's.
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
