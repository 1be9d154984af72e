/** `0x` and 64 lower-case hex digits. Addresses are `0x` and 40 lower-case hex digits. */
export type Hash = string

/**
 * How much of a block its own header proves.
 *
 * - `transactions-root`: the transactions rebuild the header's transactionsRoot and each hash is
 *   the keccak of what it names. Receipts are then tied to these hashes by their index.
 * - `receipts-root`: only hashes were given, or a transaction of a type that we cannot encode.
 *   Logs, status and order are still proven by receiptsRoot; which transaction hash stands at which
 *   index is the node's word, and native payments (`to`, `value`) are not proven, so not reported.
 */
export type Proof = 'transactions-root' | 'receipts-root'

/** A header whose RLP hashes to `hash`. `timestamp` is in seconds. */
export type Header = {
  number: number
  hash: Hash
  parentHash: Hash
  timestamp: number
  gasUsed: number
  /** EIP-1559: in wei for a unit of gas; absent before it. */
  baseFeePerGas?: bigint
  logsBloom: string
  stateRoot: Hash
  receiptsRoot: Hash
  transactionsRoot: Hash
}

/** `raw` is the node's own object, kept to recover the sender; null where only the hash was given. */
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
  /** What a rollup charged for its data on the chain below (OP stack); no root covers it. */
  l1Fee?: bigint
  /** EIP-4844: in wei for a unit of blob gas; no root covers it. */
  blobGasPrice?: bigint
}

/**
 * Money that arrived. `position` is the index of the log within its receipt, which a reorganisation
 * does not change, NATIVE_POSITION, or an internalPosition. `token` is null for the chain's own currency.
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
 * Lower-case addresses. A value: to change what is watched, build another one. From block
 * `nativeLogsFrom` on the chain itself logs each move of its own currency (EIP-7708).
 */
export type WatchList = {
  accounts: ReadonlySet<string>
  tokens: ReadonlySet<string>
  nativeLogsFrom?: number
}

/** Which transactions somebody claims, and the accounts that they are said to have paid. */
export type Claims = {
  has(txHash: Hash): boolean
  get?(txHash: Hash): ReadonlySet<string> | undefined
}

export type Payment = {
  position: number
  recipient: string
  token: string | null
  amount: bigint
}

/**
 * What a claimed transaction did, so that a failure can be explained.
 *
 * - `paid`: its Transfers of watched tokens and its own value, to whomever.
 * - `unknownTokens`: Transfer-shaped logs of other contracts that name a watched account.
 * - `valueUnproven`: it may carry a native payment, but the block's proof does not cover that.
 */
export type ClaimOutcome = {
  txHash: Hash
  status: 'reverted' | 'succeeded'
  paid: Payment[]
  unknownTokens: (Payment & { token: string })[]
  valueUnproven: boolean
}

/** `finalizedHash` is null where finality is a depth: the caller knows its own chain of hashes. */
export type Heads = {
  latest: { number: number; hash: Hash; parentHash: Hash; timestamp: number }
  finalizedNumber: number | null
  finalizedHash: Hash | null
}

export type TransactionLocation = { blockNumber: number; blockHash: Hash }

/**
 * A transaction that a node knows, mined or not. `from` is recovered from its signature, and its hash
 * is proven by its encoding. `nonce` is null where a number does not hold it: an account does not get
 * there, so nothing replaces it.
 */
export type PooledTransaction = { hash: Hash; from: string; nonce: number | null }

/** An object of a node's answer: nothing in it is believed before it is read by one of these. */
export type RpcObject = Readonly<Record<string, unknown>>

/**
 * A call within a transaction, and those that it made, in the order of execution. `value` in wei is
 * what moves from `from` to `to`: 0 for kinds of call that move nothing (DELEGATECALL, CALLCODE and
 * STATICCALL run another's code, or may not pay). `created` for CREATE and CREATE2.
 */
export type CallFrame = {
  from: string
  to: string | null
  value: bigint
  created: boolean
  failed: boolean
  calls: CallFrame[]
}

/** Where a transaction stands in its block, and the trie nodes that prove it, from the root down. */
export type Inclusion = {
  index: number
  receipt: string[]
  /** Null where the block's transactions cannot be encoded. */
  transaction: string[] | null
}
