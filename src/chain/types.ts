/** `0x` and 64 lower-case hex digits. Addresses are `0x` and 40 lower-case hex digits. */
export type Hash = string

/**
 * How much of a block its own header proves.
 *
 * - `transactions-root`: the transactions rebuild the header's transactionsRoot and each hash is
 *   the keccak of its transaction. Receipts belong to these hashes by their index.
 * - `receipts-root`: the node gave only hashes, or a transaction of a type that we cannot encode.
 *   receiptsRoot still proves logs, status and order. Transaction hashes are not proven, and native
 *   payments (`to`, `value`) neither, so they are not reported.
 */
export type Proof = 'transactions-root' | 'receipts-root'

/** A header whose RLP hashes to `hash`. `timestamp` is in seconds. */
export type Header = {
  number: number
  hash: Hash
  parentHash: Hash
  timestamp: number
  gasUsed: number
  /** EIP-1559, in wei per gas; absent before that fork. */
  baseFeePerGas?: bigint
  logsBloom: string
  stateRoot: Hash
  receiptsRoot: Hash
  transactionsRoot: Hash
}

/** `raw` is the node's object, kept to recover the sender; null if the node gave only the hash. */
export type ChainTransaction = {
  hash: Hash
  to: string | null
  value: bigint
  raw: RpcObject | null
}

export type Block = Header & { transactions: ChainTransaction[]; proof: Proof }

export type Log = { address: string; topics: string[]; data: string }

export type Receipt = {
  txHash: Hash
  succeeded: boolean
  logs: Log[]
  gasUsed?: number
  /** OP stack: the fee for data on L1, in wei; no root covers it. */
  l1Fee?: bigint
  /** EIP-4844, in wei per blob gas; no root covers it. */
  blobGasPrice?: bigint
}

/**
 * A payment to a watched account. `position` is the log's index within its receipt (a reorg does
 * not change it), NATIVE_POSITION, or an internalPosition. `token` is null for the native currency.
 */
export type Transfer = {
  txHash: Hash
  position: number
  sender: string
  recipient: string
  token: string | null
  amount: bigint
}

/**
 * Lower-case addresses. Immutable: a change needs a new list. From block `nativeLogsFrom` on, the
 * chain logs each transfer of its native currency (EIP-7708).
 */
export type WatchList = {
  accounts: ReadonlySet<string>
  tokens: ReadonlySet<string>
  nativeLogsFrom?: number
}

/** Transactions that donations claim, and the accounts that each of them is claimed to pay. */
export type Claims = {
  has(txHash: Hash): boolean
  get?(txHash: Hash): ReadonlySet<string> | undefined
}

/**
 * What a claimed transaction did, so that a failure can be explained.
 *
 * - `unknownTokenRecipients`: watched accounts in Transfer-shaped logs of unwatched contracts.
 * - `valueUnproven`: it may carry a native payment that the block's proof does not cover.
 */
export type ClaimOutcome = {
  txHash: Hash
  reverted: boolean
  unknownTokenRecipients: string[]
  valueUnproven: boolean
}

/** `finalizedHash` is null if finality is a depth. */
export type Heads = {
  latest: { number: number; hash: Hash; parentHash: Hash; timestamp: number }
  finalizedNumber: number | null
  finalizedHash: Hash | null
}

export type TransactionLocation = { blockNumber: number; blockHash: Hash }

/**
 * A transaction that a node knows, mined or not. `from` is recovered from its signature; its
 * encoding proves its hash. `nonce` is null above the safe integers: no account gets that far.
 */
export type PooledTransaction = { hash: Hash; from: string; nonce: number | null }

/** An unchecked object of a node's answer. The readers of rpc/read.ts check its fields. */
export type RpcObject = Readonly<Record<string, unknown>>

/**
 * A call within a transaction, and its inner calls in the order of execution. `value` is the wei
 * that moves from `from` to `to`: 0 for DELEGATECALL, CALLCODE and STATICCALL, which move none.
 */
export type CallFrame = {
  from: string
  to: string | null
  value: bigint
  failed: boolean
  calls: CallFrame[]
}

/** A transaction's index in its block, and the trie nodes that prove it, from the root down. */
export type Inclusion = {
  index: number
  receipt: string[]
  /** Null if the block's transactions cannot be encoded. */
  transaction: string[] | null
}
