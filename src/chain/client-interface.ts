import type { Descent, ProvenBlock } from '../verifier/consensus/index.ts'
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

/** A request to prove a block's transactions, and account balances before and after the block. */
export type EvidenceRequest = {
  blockHash: Hash
  txHashes: readonly Hash[]
  accounts: readonly string[]
}

/** State-trie nodes from the root down to an account (EIP-1186), after and before the block. */
export type BalanceEvidence = { after: string[]; before: string[] }

/** Proves transactions of a block to a reader who knows only the block's hash. */
export type BlockEvidence = {
  number: number
  /** The RLP of the block's header, as hex. */
  header: string
  /** The RLP of the parent's header, as hex; null if the request has no accounts. */
  parentHeader: string | null
  inclusions: Map<Hash, Inclusion>
  balances: Map<string, BalanceEvidence>
}

/**
 * Read access to one chain. Self-proving data (headers, transactions, receipts, account proofs) is
 * accepted from any node. All other data, such as which block is canonical, needs a quorum. Methods
 * throw ChainError if no acceptable answer comes. Hashes and addresses are lower-case.
 */
export type ChainClient = {
  chainId: number
  /** Throws `wrong_chain` if no node serves the configured chain. */
  assertChainId(): Promise<void>
  /** Reads the newest and the final block. `finalizedNumber` is null if no block is final. */
  heads(): Promise<Heads>
  /**
   * Reads the blocks `from` to `to` in one batch. Each block is the parent of the next block.
   *
   * @throws ChainError `block_missing` if a block does not exist
   */
  blocks(from: number, to: number): Promise<Block[]>
  /** Reads headers by block number in one batch. An entry is null if a quorum lacks the block. */
  headers(numbers: readonly number[]): Promise<(Header | null)[]>
  headerAt(number: number): Promise<Header | null>
  /** Reads a block by its hash. Null if no node has the block. */
  blockByHash(hash: Hash): Promise<Block | null>
  /** Reads blocks by hash from one node. Throws `block_missing` if no node has all the blocks. */
  blocksByHash(hashes: readonly Hash[]): Promise<Block[]>
  /** Reads the blocks' receipts from one node. Throws `block_missing` if no node has all blocks. */
  receipts(blocks: readonly Block[]): Promise<Map<Hash, Receipt[]>>
  /**
   * Finds the blocks of transactions by quorum, 100 transactions in a batch. An entry is null if a
   * quorum does not know the transaction. Leaves out transactions on which the nodes do not agree.
   * Throws ChainError if the nodes agree on no transaction at all.
   */
  findTransactions(hashes: readonly Hash[]): Promise<Map<Hash, TransactionLocation | null>>
  /**
   * Reads accounts at a block, 100 in a batch, with proofs against the block's stateRoot
   * (`eth_getProof`, EIP-1186). An entry is null if no node has the method or the block's state.
   */
  accountProofs(block: Header, accounts: readonly string[]): Promise<(AccountState | null)[]>
  /**
   * Reads the calls within transactions. A trace is null if no node has it or, with `agreed`, if
   * fewer nodes than a quorum have it. Throws `no_agreement` if traces contradict each other. A
   * trace has no proof, so callers compare its amounts with proven balances.
   */
  callTraces(
    txHashes: readonly Hash[],
    options?: { agreed: boolean },
  ): Promise<(CallFrame | null)[]>
  /**
   * Runs `eth_call` at a block, by quorum, 100 in a batch. A result is null for a revert.
   */
  callAt(
    block: { hash: Hash; number: number },
    calls: readonly { to: string; data: string }[],
  ): Promise<(string | null)[]>
  /** Reads mined or pending transactions. Returns null for each one that a quorum does not know. */
  transactionsByHash(hashes: readonly Hash[]): Promise<(PooledTransaction | null)[]>
  /** Each account's nonce (the number of transactions that it sent) at a block, by quorum. */
  transactionCounts(
    block: { hash: Hash; number: number },
    addresses: readonly string[],
  ): Promise<number[]>
  evidence(request: EvidenceRequest): Promise<BlockEvidence>
  /** Reads the shortest way from a proven block down to an earlier one, or to itself. */
  descent(from: ProvenBlock, to: { number: number; hash: Hash }): Promise<Descent>
  nodes(): NodeStatus[]
  /** Asks these nodes last until they answer well. `faults` has the reasons by node. */
  distrust(faults: Readonly<Record<string, string>>): void
  stats(): RpcStats
  close(): Promise<void>
}
