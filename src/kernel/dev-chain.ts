import type { BaseUnits } from './money.ts'

/** Money that a development chain sends. `token` is its contract, null for the chain's own coin. */
export type TestTransfer = { to: string; token: string | null; units: BaseUnits }

/**
 * A chain on which nothing is worth anything and whose past can be changed: what the sandbox sends
 * test money and makes faults with. Addresses and hashes are lower-case.
 *
 * Each throws DomainError `unavailable` when the node does not answer, `conflict` when it refuses.
 */
export type DevChain = {
  readonly chainId: number
  /** Makes test money out of nothing. Returns the hashes of the transactions that bring it. */
  fund(transfers: readonly TestTransfer[]): Promise<string[]>
  /** Sends a transfer from an unlocked account. Does not wait until a block holds it. */
  transfer(transfer: TestTransfer): Promise<{ txHash: string; from: string }>
  /** Replaces the newest `depth` blocks by empty ones. */
  reorg(depth: number): Promise<void>
  /**
   * Makes a transaction vanish: out of the pool, or by a reorganisation that keeps what others
   * sent. Returns how many blocks were replaced, null where there is no such transaction.
   */
  drop(txHash: string): Promise<number | null>
}
