import type { EscrowEventKind, EscrowFailure } from './statuses.ts'

/** The address by which an escrow names the native coin. */
export const NATIVE_ASSET = `0x${'0'.repeat(40)}`

/**
 * The arguments of each event of an escrow contract. Addresses and hashes are lower case, amounts
 * are decimal text in base units, times are seconds, and milestones count from 0.
 */
export type EscrowFields = {
  /** `donor` has the right to refunds. `payer` sent the money. */
  Donated: { donor: string; payer: string; amount: string }
  Activated: { balance: string }
  /** `round` is the round that the rejection ended. */
  MilestoneRejected: { milestone: number; round: number; verifier: string; evidenceHash: string }
  /** `signers` are positions in the terms' list of verifiers. */
  MilestoneReleased: {
    milestone: number
    recipient: string
    asset: string
    amount: string
    evidenceHash: string
    signers: number[]
  }
  SurplusReleased: { recipient: string; asset: string; amount: string }
  Failed: {
    reason: EscrowFailure
    pool: string
    total: string
    recorded: string
    reasonHash: string
  }
  /** The refund of the recorded donations of a donor. */
  Refunded: { donor: string; asset: string; amount: string }
  /**
   * The contract has paid back a transfer that it did not record. `transaction` and `position` name
   * the transfer to the escrow as the quorum signed it, so there may be no such transfer.
   * `position` is null if the signed value is not a safe integer, because no transfer has such a
   * position.
   */
  TransferReturned: {
    receiver: string
    asset: string
    amount: string
    transaction: string
    position: number | null
  }
}

/** An event of an escrow contract; `kind` is its name in Solidity. */
export type EscrowEvent = {
  [K in EscrowEventKind]: { kind: K; fields: EscrowFields[K] }
}[EscrowEventKind]
