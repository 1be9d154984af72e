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

/** Some transactions of a block, and accounts whose balances before and after it are to be proven. */
export type EvidenceRequest = {
  blockHash: Hash
  txHashes: readonly Hash[]
  accounts: readonly string[]
}

/** Nodes of the state trie, from the root down to the account (EIP-1186). */
export type BalanceEvidence = { after: string[]; before: string[] }

/** What proves transactions of a block to somebody who has only its hash. */
export type BlockEvidence = {
  number: number
  /** RLP. */
  header: string
  /** RLP; null where no account was asked for. */
  parentHeader: string | null
  inclusions: Map<Hash, Inclusion>
  balances: Map<string, BalanceEvidence>
}

/**
 * A chain as its nodes tell it. What proves itself may come from any node; what does not, of which
 * chain a block is above all, is believed when a quorum says the same. All methods throw ChainError.
 * Hashes and addresses are lower-case.
 */
export type ChainClient = {
  chainId: number
  /** Throws `wrong_chain` if no node serves the configured chain. */
  assertChainId(): Promise<void>
  /** The head and what is final, in one batch. `finalizedNumber` is null while nothing is. */
  heads(): Promise<Heads>
  /** Blocks `from` to `to`, each the parent of the next, in one batch. `block_missing` if one is not there. */
  blocks(from: number, to: number): Promise<Block[]>
  /** Headers by number, in one batch; null for a block that the quorum does not have. */
  headers(numbers: readonly number[]): Promise<(Header | null)[]>
  headerAt(number: number): Promise<Header | null>
  /** Null where no node has it. */
  blockByHash(hash: Hash): Promise<Block | null>
  /** Blocks by hash, in one batch from one node. `block_missing` where no node has them all. */
  blocksByHash(hashes: readonly Hash[]): Promise<Block[]>
  /** Receipts by block hash, in one batch. `block_missing` if every node left the block's branch. */
  receipts(blocks: readonly Block[]): Promise<Map<Hash, Receipt[]>>
  /**
   * The blocks of transactions as a quorum names them, 100 in a batch; null where a quorum does not know
   * the transaction (yet). It leaves out those on which too few nodes agree, and throws if all are.
   */
  findTransactions(hashes: readonly Hash[]): Promise<Map<Hash, TransactionLocation | null>>
  /**
   * Accounts at a block, proven against its stateRoot by eth_getProof (EIP-1186), in one batch. Null
   * where no node has the method or the state of so old a block.
   */
  accountProofs(block: Header, accounts: readonly string[]): Promise<(AccountState | null)[]>
  /**
   * The calls of transactions; null for one that no node can trace. A trace has no proof: nodes that
   * have it must not contradict each other, but they may be fewer than the quorum. So what it says
   * of amounts must be held against proven balances. `agreed`: null for one that fewer tell.
   */
  callTraces(
    txHashes: readonly Hash[],
    options?: { agreed: boolean },
  ): Promise<(CallFrame | null)[]>
  /** Agreed results of eth_call at a block, in one batch; null for a call that reverts. */
  callAt(
    block: { hash: Hash; number: number },
    calls: readonly { to: string; data: string }[],
  ): Promise<(string | null)[]>
  /** Transactions, mined or waiting; null for one that a quorum does not know. */
  transactionsByHash(hashes: readonly Hash[]): Promise<(PooledTransaction | null)[]>
  /** How many transactions each account had sent at a block, as agreed. */
  transactionCounts(
    block: { hash: Hash; number: number },
    addresses: readonly string[],
  ): Promise<number[]>
  /** What proves transactions of a block to somebody who has only its hash. */
  evidence(request: EvidenceRequest): Promise<BlockEvidence>
  nodes(): NodeStatus[]
  stats(): RpcStats
  close(): Promise<void>
}
