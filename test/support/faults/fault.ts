/**
 * The faults of a node. An exchange fault replaces the HTTP answer, and a batch fault the answer to
 * a whole batch. Result faults change single results and can be combined. The fault that was set
 * last sees the results of the others.
 */
export type Fault = ExchangeFault | BatchFault | ResultFault

/** Faults of HTTP and of the connection. */
export type ExchangeFault =
  /** HTTP 429, with `Retry-After` if given. */
  | { kind: 'rate-limit'; retryAfterS?: number }
  /** HTTP 503 or another status, with `Retry-After` if given. */
  | { kind: 'unavailable'; status?: number; retryAfterS?: number }
  /** Accepts the request and never answers. */
  | { kind: 'hang' }
  /** Answers 200, and then sends one byte at a time without end. */
  | { kind: 'trickle'; everyMs?: number }
  /** Cuts the right answer in its middle: as a complete message, or with the connection. */
  | { kind: 'cut-off'; connection?: boolean }
  /** Closes the connection without an answer. */
  | { kind: 'drop' }
  /** A proxy's error page with status 200. */
  | { kind: 'html' }

export type BatchFault =
  /** One error object with the id null instead of the replies. */
  | { kind: 'batch-error'; code?: number; message?: string }
  /** The error of `batch-error` for batches with more calls than this number. */
  | { kind: 'batch-limit'; max: number }
  /** Replies in another order, without one reply, or with one reply twice. */
  | { kind: 'replies'; how: 'reversed' | 'one-missing' | 'one-doubled' }

export type ResultFault =
  /**
   * The node stops at block `at` (default: the head at its next request), also with its final
   * block.
   */
  | { kind: 'stale'; at?: number; finalized?: number }
  /** Moves the head and the final block back by this number of blocks. */
  | { kind: 'backwards'; blocks: number }
  /**
   * The block for `finalized` and `safe`: a number, the head, null, or an error for an unknown tag.
   */
  | { kind: 'finality'; at: number | 'latest' | 'null' | 'unknown' }
  | { kind: 'wrong-chain'; chainId: number }
  /** `[]` instead of logs. */
  | { kind: 'no-logs' }
  /** `[]` instead of receipts. */
  | { kind: 'no-receipts' }
  /** `null` for known data. Default: for transactions and their receipts. */
  | { kind: 'lying-null'; methods?: readonly string[]; hash?: string }
  /** A JSON-RPC error for each call of these methods, for example of a missing method. */
  | { kind: 'rpc-error'; methods: readonly string[]; code?: number; message?: string }
  /** Refuses logs of more blocks than this number, as providers do. */
  | { kind: 'range-limit'; blocks: number }
  /**
   * Receipts with the opposite status, or with Transfers of twice the amount, for one transaction
   * or all.
   */
  | { kind: 'forged-receipt'; change: 'status' | 'amount'; txHash?: string }
  /**
   * An invented Transfer in the receipt of `txHash`, or in the last receipt of each block, with
   * valid log indexes.
   */
  | {
      kind: 'forged-log'
      token: string
      to: string
      amount: bigint
      from?: string
      txHash?: string
    }
  /** Blocks from this number on have a hash that does not fit their header. */
  | { kind: 'forged-hash'; from?: number }
  /** Another result of all `eth_call`s, of those to one contract, or of those with one selector. */
  | { kind: 'forged-call'; result: string; to?: string; selector?: string }
  | ForgedBranch
  /** Any other change: `layer` gets each call, can ask the next layer, and returns the result. */
  | { kind: 'custom'; layer: Layer }

/**
 * Another branch from block `from` on. It is consistent: every hash fits its header, every parent
 * hash its parent, and all roots and blooms fit. Its blocks differ in `extraData`, so in all
 * hashes. With `pay`, one block (default: the first) also contains an invented, signed transaction
 * that pays.
 */
export type ForgedBranch = {
  kind: 'forged-branch'
  from: number
  pay?: {
    to: string
    amount: bigint
    token?: string
    block?: number
    /** Logs of the invented transaction in addition to its payment. */
    logs?: readonly { address: string; topics: readonly string[]; data: string }[]
  }
  /** A value that distinguishes two forged branches. */
  mark?: string
}

/** Asks the next layer, or the node as the last one. Throws RpcFault for a JSON-RPC error. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

export type Layer = (method: string, params: readonly unknown[], ask: Ask) => Promise<unknown>

/** A JSON object in a node's answer. */
export type Json = Record<string, unknown>

export const asJson = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

export const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`
