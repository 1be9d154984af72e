import type { BaseUnits } from './money/money.ts'

/** A test payment. `token` is a contract, or null for the native currency. */
export type TestTransfer = { to: string; token: string | null; units: BaseUnits }

/**
 * A development chain for test payments and simulated faults in the sandbox. Its money is worthless
 * and its blocks can be replaced. Addresses and hashes are in lower case. A failed method throws a
 * DomainError: `unavailable` if the node does not answer, `conflict` if the node refuses the call.
 */
export type DevChain = {
  readonly chainId: number
  /** Creates test money for the recipients. Returns the transaction hashes. */
  fund(transfers: readonly TestTransfer[]): Promise<string[]>
  /** Sends a transfer from one of the node's own accounts. Does not wait for a block. */
  transfer(transfer: TestTransfer): Promise<{ txHash: string; from: string }>
  /** Replaces the newest `depth` blocks by empty blocks. */
  reorg(depth: number): Promise<void>
  /**
   * Removes a transaction that waits for a block. If the transaction is in a block, a reorg removes
   * it and keeps the transactions of other senders. Returns the number of replaced blocks; null if
   * the transaction is unknown.
   */
  drop(txHash: string): Promise<number | null>
}
