import type { BaseUnits } from './money/money.ts'

/** A test payment. `token` is a contract, or null for the native currency. */
export type TestTransfer = { to: string; token: string | null; units: BaseUnits }

/**
 * A development chain with worthless money and a changeable history: the sandbox uses it for test
 * payments and simulated faults. Addresses and hashes are lower-case. All methods throw
 * DomainError: `unavailable` if the node does not answer, `conflict` if it refuses.
 */
export type DevChain = {
  readonly chainId: number
  /** Creates test money. Returns the transaction hashes. */
  fund(transfers: readonly TestTransfer[]): Promise<string[]>
  /** Sends a transfer from an unlocked account. Does not wait for its block. */
  transfer(transfer: TestTransfer): Promise<{ txHash: string; from: string }>
  /** Replaces the newest `depth` blocks by empty ones. */
  reorg(depth: number): Promise<void>
  /**
   * Removes a transaction: from the mempool, or by a reorg that keeps other senders' transactions.
   * Returns the number of replaced blocks; null if there is no such transaction.
   */
  drop(txHash: string): Promise<number | null>
}
