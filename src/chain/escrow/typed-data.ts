import { id } from 'ethers'
import type { TypedData } from '../../kernel/ports/signatures.ts'

/** EIP-712 data that verifiers sign and the escrow contract checks. */

type Parameter = { name: string; type: string }

const DOMAIN: Parameter[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** The contract and the hash of its campaign, as the terms contain it. */
export type EscrowDomain = { chainId: number; escrow: string; campaign: string }

/** Releases a milestone (from 0). `amount` is in base units, `validUntil` in seconds. */
export type Release = {
  milestone: number
  round: number
  asset: string
  amount: bigint
  recipient: string
  evidenceHash: string
  validUntil: number
}

export const releaseTypedData = (domain: EscrowDomain, release: Release) =>
  typed(domain, 'MilestoneRelease', MilestoneRelease, {
    milestone: release.milestone,
    round: release.round,
    asset: release.asset,
    amount: release.amount.toString(),
    recipient: release.recipient,
    evidenceHash: release.evidenceHash,
    validUntil: release.validUntil,
  })

/** Rejects the evidence of a milestone (from 0), which ends this round. */
export const rejectionTypedData = (
  domain: EscrowDomain,
  { milestone, round, evidenceHash }: { milestone: number; round: number; evidenceHash: string },
) => typed(domain, 'MilestoneRejection', MilestoneRejection, { milestone, round, evidenceHash })

/** The hash of a public reason to end an escrow: the Keccak-256 of its UTF-8 bytes. */
export const reasonHashOf = (reason: string): string => id(reason)

/** Ends the escrow. `reasonHash` is the hash of a public reason. */
export const terminationTypedData = (
  domain: EscrowDomain,
  { reasonHash }: { reasonHash: string },
) => typed(domain, 'CampaignTermination', CampaignTermination, { reasonHash })

/** Proposes a refund root. `index` counts the roots of the escrow. */
export const refundRootTypedData = (
  domain: EscrowDomain,
  { index, root, dataHash }: { index: number; root: string; dataHash: string },
) => typed(domain, 'RefundRoot', RefundRoot, { index, root, dataHash })

/** Delays a proposed refund root. */
export const refundRootVetoTypedData = (
  domain: EscrowDomain,
  { index, root }: { index: number; root: string },
) => typed(domain, 'RefundRootVeto', RefundRootVeto, { index, root })

const campaign: Parameter = { name: 'campaign', type: 'bytes32' }

const MilestoneRelease: Parameter[] = [
  campaign,
  { name: 'milestone', type: 'uint256' },
  { name: 'round', type: 'uint256' },
  { name: 'asset', type: 'address' },
  { name: 'amount', type: 'uint256' },
  { name: 'recipient', type: 'address' },
  { name: 'evidenceHash', type: 'bytes32' },
  { name: 'validUntil', type: 'uint256' },
]

const MilestoneRejection: Parameter[] = [
  campaign,
  { name: 'milestone', type: 'uint256' },
  { name: 'round', type: 'uint256' },
  { name: 'evidenceHash', type: 'bytes32' },
]

const CampaignTermination: Parameter[] = [campaign, { name: 'reasonHash', type: 'bytes32' }]

const RefundRoot: Parameter[] = [
  campaign,
  { name: 'index', type: 'uint256' },
  { name: 'root', type: 'bytes32' },
  { name: 'dataHash', type: 'bytes32' },
]

const RefundRootVeto: Parameter[] = [
  campaign,
  { name: 'index', type: 'uint256' },
  { name: 'root', type: 'bytes32' },
]

const typed = <T extends string, M extends Record<string, string | number>>(
  domain: EscrowDomain,
  primaryType: T,
  parameters: Parameter[],
  message: M,
) =>
  ({
    domain: {
      name: 'Fundproof Escrow',
      version: '1',
      chainId: domain.chainId,
      verifyingContract: domain.escrow,
    },
    types: { EIP712Domain: DOMAIN, [primaryType]: parameters },
    primaryType,
    message: { campaign: domain.campaign, ...message },
  }) satisfies TypedData
