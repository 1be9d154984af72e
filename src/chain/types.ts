/** `0x` and 64 lower-case hex digits. An address in this file is `0x` and 40 such digits. */
export type Hash = string

/**
 * The part of a block that the block's own header proves.
 *
 * - `transactions-root`: the transactions rebuild transactionsRoot, and each encoding contains or
 *   hashes to the transaction's hash. A receipt belongs to the hash at the same index.
 * - `receipts-root`: the node sent only hashes, a type that this version cannot encode, or an
 *   unsigned transaction. receiptsRoot still proves logs, status and order. It does not prove
 *   transaction hashes, on which a quorum agrees, and native payments, which are not reported.
 */
export type Proof = 'transactions-root' | 'receipts-root'

/** A header whose RLP hashes to `hash`. `timestamp` is in seconds. */
export type Header = {
  number: number
  hash: Hash
  parentHash: Hash
  timestamp: number
  gasUsed: number
  /** The base fee in wei per gas; absent before the London fork (EIP-1559). */
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
  /** The type of the transaction. */
  type?: number
  gasUsed?: number
  /** OP stack: the fee for data on L1, in wei. No root of the block proves this fee. */
  l1Fee?: bigint
  /** OP stack: the operator fee since Isthmus, in wei. No root of the block proves this fee. */
  operatorFee?: bigint
  /** EIP-4844: the price in wei per blob gas. No root of the block proves this price. */
  blobGasPrice?: bigint
}

/**
 * A payment to a watched account. `position` is the index of the log in its receipt (a reorg does
 * not change this index), NATIVE_POSITION for the transaction's own value, or an internalPosition
 * for a payment by a call. `token` is null for the native currency.
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
 * Watched accounts and tokens (lower-case addresses). Immutable, so a change needs a new list. From
 * block `nativeLogsFrom` on, the chain logs each native transfer (EIP-7708).
 */
export type WatchList = {
  accounts: ReadonlySet<string>
  /** The watched accounts that are escrow contracts. Their own events explain all they pay. */
  escrows?: ReadonlySet<string>
  tokens: ReadonlySet<string>
  nativeLogsFrom?: number
}

/** Transactions that donations claim. `get` returns the recipients of the claimed payments. */
export type Claims = {
  has(txHash: Hash): boolean
  get?(txHash: Hash): ReadonlySet<string> | undefined
}

/**
 * The effects of a claimed transaction, to explain why no payment was found.
 *
 * - `unknownTokenRecipients`: watched accounts to which an unwatched contract logged a Transfer.
 * - `valueUnproven`: the transaction may hold a native payment that the block does not prove.
 */
export type ClaimOutcome = {
  txHash: Hash
  reverted: boolean
  unknownTokenRecipients: string[]
  valueUnproven: boolean
}

/** `finalizedHash` is null if no block is final, or if the finality rule is a depth in blocks. */
export type Heads = {
  latest: { number: number; hash: Hash; parentHash: Hash; timestamp: number }
  finalizedNumber: number | null
  finalizedHash: Hash | null
}

export type TransactionLocation = { blockNumber: number; blockHash: Hash }

/**
 * A transaction that a node knows, mined or not. The encoding proves `hash`. The signature or, for
 * a rollup's own type, the encoding proves `from`. `nonce` is null if the encoding does not prove
 * the nonce, or if the nonce is not a safe integer.
 */
export type PooledTransaction = { hash: Hash; from: string; nonce: number | null }

/** An unchecked object of a node's answer. The readers of rpc/read.ts check its fields. */
export type RpcObject = Readonly<Record<string, unknown>>

/**
 * A call within a transaction, and its inner calls in the order of execution. `value` is the wei
 * that moves from `from` to `to`: 0 for DELEGATECALL, CALLCODE and STATICCALL, which move no wei.
 */
export type CallFrame = {
  from: string
  to: string | null
  value: bigint
  failed: boolean
  calls: CallFrame[]
}

/** A transaction's index, and the trie nodes (root first) that prove its receipt and encoding. */
export type Inclusion = {
  index: number
  receipt: string[]
  /** Null if the transaction's encoding does not prove its hash. */
  transaction: string[] | null
}
