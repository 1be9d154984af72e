import { id } from 'ethers'
import type { TypedData } from '../kernel/ports/signatures.ts'

/** EIP-712 data that verifiers sign and the escrow contract checks. */

type Parameter = { name: string; type: string }

/** The fields of a struct in their order, with their types. */
const struct = (fields: Readonly<Record<string, string>>): Parameter[] =>
  Object.entries(fields).map(([name, type]) => ({ name, type }))

/** The fields of a domain (EIP-712), which contracts of tokens use too. */
export const DOMAIN_FIELDS = struct({
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
})

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

const campaign = 'bytes32'

const MilestoneRelease = struct({
  campaign,
  milestone: 'uint256',
  round: 'uint256',
  asset: 'address',
  amount: 'uint256',
  recipient: 'address',
  evidenceHash: 'bytes32',
  validUntil: 'uint256',
})

const MilestoneRejection = struct({
  campaign,
  milestone: 'uint256',
  round: 'uint256',
  evidenceHash: 'bytes32',
})

const CampaignTermination = struct({ campaign, reasonHash: 'bytes32', validUntil: 'uint256' })

const TransferReturns = struct({ campaign, list: 'TransferReturn[]', validUntil: 'uint256' })

const TransferReturn = struct({
  asset: 'address',
  receiver: 'address',
  amount: 'uint256',
  transaction: 'bytes32',
  position: 'int256',
})

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
