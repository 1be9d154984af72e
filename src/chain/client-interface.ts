import type { AccountState } from '../verifier/trie.ts'
import type { RpcStats } from './rpc/node.ts'
import type { NodeStatus } from './rpc/node-health.ts'
import type {
  Block,
  CallFrame,
  Hash,
  Header,
  Heads,
  Inclusion,
  PooledTransaction,
  Receipt,
  TransactionLocation,
} from './types.ts'

/** Transactions of a block, and accounts whose balances before and after it must be proven. */
export type EvidenceRequest = {
  blockHash: Hash
  txHashes: readonly Hash[]
  accounts: readonly string[]
}

/** Nodes of the state trie, from the root down to the account (EIP-1186). */
export type BalanceEvidence = { after: string[]; before: string[] }

/** Proves transactions of a block to a reader who knows only the block's hash. */
export type BlockEvidence = {
  number: number
  /** RLP. */
  header: string
  /** RLP; null if the request has no accounts. */
  parentHeader: string | null
  inclusions: Map<Hash, Inclusion>
  balances: Map<string, BalanceEvidence>
}

/**
 * Read access to one chain. Self-proving data (headers, transactions, receipts, account proofs) is
 * accepted from any node. All other data, such as which block is canonical, needs a quorum.
 * All methods throw ChainError. Hashes and addresses are lower-case.
 */
export type ChainClient = {
  chainId: number
  /** Throws `wrong_chain` if no node serves the configured chain. */
  assertChainId(): Promise<void>
  /** Latest and finalized block, in one batch. `finalizedNumber` is null if no block is final. */
  heads(): Promise<Heads>
  /**
   * Blocks `from` to `to`, each the parent of the next, in one batch.
   *
   * @throws ChainError `block_missing` if one of them does not exist
   */
  blocks(from: number, to: number): Promise<Block[]>
  /** Headers by number, in one batch; null if a quorum does not have the block. */
  headers(numbers: readonly number[]): Promise<(Header | null)[]>
  headerAt(number: number): Promise<Header | null>
  /** Null if no node has the block. */
  blockByHash(hash: Hash): Promise<Block | null>
  /** Blocks by hash, in one batch from one node. `block_missing` if no node has all of them. */
  blocksByHash(hashes: readonly Hash[]): Promise<Block[]>
  /** Receipts by block hash, in one batch. `block_missing` if no node has the block any more. */
  receipts(blocks: readonly Block[]): Promise<Map<Hash, Receipt[]>>
  /**
   * The blocks of transactions by quorum, 100 transactions in a batch; null if a quorum does not
   * know the transaction (yet). Leaves out transactions without a quorum, and throws if none has
   * one.
   */
  findTransactions(hashes: readonly Hash[]): Promise<Map<Hash, TransactionLocation | null>>
  /**
   * Accounts at a block, proven against its stateRoot by eth_getProof (EIP-1186), 100 in a batch.
   * Null if no node has the method, or the state of that block.
   */
  accountProofs(block: Header, accounts: readonly string[]): Promise<(AccountState | null)[]>
  /**
   * The calls of transactions; null if no node can trace the transaction, or with `agreed` if no
   * quorum can. Nodes must not contradict each other. A trace has no proof, so callers compare its
   * amounts with proven balances.
   */
  callTraces(
    txHashes: readonly Hash[],
    options?: { agreed: boolean },
  ): Promise<(CallFrame | null)[]>
  /** Agreed results of eth_call at a block, 100 in a batch; null for a call that reverts. */
  callAt(
    block: { hash: Hash; number: number },
    calls: readonly { to: string; data: string }[],
  ): Promise<(string | null)[]>
  /** Transactions, mined or pending; null if a quorum does not know the transaction. */
  transactionsByHash(hashes: readonly Hash[]): Promise<(PooledTransaction | null)[]>
  /** Each account's transaction count at a block, by quorum. */
  transactionCounts(
    block: { hash: Hash; number: number },
    addresses: readonly string[],
  ): Promise<number[]>
  /** Proves transactions of a block to a reader who knows only the block's hash. */
  evidence(request: EvidenceRequest): Promise<BlockEvidence>
  nodes(): NodeStatus[]
  stats(): RpcStats
  close(): Promise<void>
}
