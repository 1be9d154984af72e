import { id } from 'ethers'
import type { TypedData } from '../kernel/ports/signatures.ts'

/** EIP-712 data that verifiers sign and the escrow contract checks. */

type Parameter = { name: string; type: string }

/** The fields of a domain (EIP-712), which contracts of tokens use too. */
export const DOMAIN_FIELDS: Parameter[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** The contract, and the hash that names its campaign in the terms. */
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
  typed(
    domain,
    'MilestoneRelease',
    { MilestoneRelease },
    {
      milestone: release.milestone,
      round: release.round,
      asset: release.asset,
      amount: release.amount.toString(),
      recipient: release.recipient,
      evidenceHash: release.evidenceHash,
      validUntil: release.validUntil,
    },
  )

/** The message that rejects the evidence of a milestone (counted from 0) and ends its round. */
export const rejectionTypedData = (
  domain: EscrowDomain,
  { milestone, round, evidenceHash }: { milestone: number; round: number; evidenceHash: string },
) => typed(domain, 'MilestoneRejection', { MilestoneRejection }, { milestone, round, evidenceHash })

/** The hash of a public reason to end an escrow: the Keccak-256 of its UTF-8 bytes. */
export const reasonHashOf = (reason: string): string => id(reason)

/** Ends the escrow. `reasonHash` is the hash of a public reason, `validUntil` is in seconds. */
export const terminationTypedData = (
  domain: EscrowDomain,
  { reasonHash, validUntil }: { reasonHash: string; validUntil: number },
) => typed(domain, 'CampaignTermination', { CampaignTermination }, { reasonHash, validUntil })

/**
 * A transfer that the contract did not record, and its payment back. `asset` is NATIVE_ASSET for
 * the native coin, `amount` is in base units. `transaction` and `position` are of the transfer to
 * the escrow: the index of its log in the receipt, or a negative position of a native payment.
 */
export type TransferReturn = {
  asset: string
  receiver: string
  amount: bigint
  transaction: string
  position: number
}

/** `validUntil` is the Unix time in seconds until which the contract accepts the signatures. */
export type Returns = { list: readonly TransferReturn[]; validUntil: number }

/** Pays transfers back. A wallet shows each of them with all its fields. */
export const returnsTypedData = (domain: EscrowDomain, { list, validUntil }: Returns) =>
  typed(
    domain,
    'TransferReturns',
    { TransferReturns, TransferReturn },
    {
      list: list.map(({ asset, receiver, amount, transaction, position }) => ({
        asset,
        receiver,
        amount: amount.toString(),
        transaction,
        position,
      })),
      validUntil,
    },
  )

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

const CampaignTermination: Parameter[] = [
  campaign,
  { name: 'reasonHash', type: 'bytes32' },
  { name: 'validUntil', type: 'uint256' },
]

const TransferReturns: Parameter[] = [
  campaign,
  { name: 'list', type: 'TransferReturn[]' },
  { name: 'validUntil', type: 'uint256' },
]

const TransferReturn: Parameter[] = [
  { name: 'asset', type: 'address' },
  { name: 'receiver', type: 'address' },
  { name: 'amount', type: 'uint256' },
  { name: 'transaction', type: 'bytes32' },
  { name: 'position', type: 'int256' },
]

const typed = <T extends string, M extends Record<string, unknown>>(
  domain: EscrowDomain,
  primaryType: T,
  structs: Record<string, Parameter[]>,
  message: M,
) =>
  ({
    domain: {
      name: 'Fundproof Escrow',
      version: '1',
      chainId: domain.chainId,
      verifyingContract: domain.escrow,
    },
    types: { EIP712Domain: DOMAIN_FIELDS, ...structs },
    primaryType,
    message: { campaign: domain.campaign, ...message },
  }) satisfies TypedData
