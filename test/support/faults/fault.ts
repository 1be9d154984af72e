/**
 * What can be wrong with a node. Faults of the exchange take over the HTTP answer; faults of the
 * batch answer it as a whole; the others change single results and can be laid over each other,
 * the one that was set last outermost.
 */
export type Fault = ExchangeFault | BatchFault | ResultFault

/** Faults of HTTP and of the connection. */
export type ExchangeFault =
  /** HTTP 429, with `Retry-After` where it is given. */
  | { kind: 'rate-limit'; retryAfterS?: number }
  /** HTTP 503, or another status, with `Retry-After` where it is given. */
  | { kind: 'unavailable'; status?: number; retryAfterS?: number }
  /** Takes the request and never answers. */
  | { kind: 'hang' }
  /** Answers 200 and then a byte at a time, for ever. */
  | { kind: 'trickle'; everyMs?: number }
  /** The right answer, broken off in its middle: as a whole message, or with the connection. */
  | { kind: 'cut-off'; connection?: boolean }
  /** Closes the connection without a word. */
  | { kind: 'drop' }
  /** A proxy's error page with status 200. */
  | { kind: 'html' }

export type BatchFault =
  /** One error object with the id null instead of replies. */
  | { kind: 'batch-error'; code?: number; message?: string }
  /** The same for batches of more calls than this. */
  | { kind: 'batch-limit'; max: number }
  /** Replies in another order, one left out, or one doubled. */
  | { kind: 'replies'; how: 'reversed' | 'one-missing' | 'one-doubled' }

export type ResultFault =
  /** Frozen at block `at` (default: where it stands at the next request), and its finality with it. */
  | { kind: 'stale'; at?: number; finalized?: number }
  /** The head and finality fall behind by so many blocks. */
  | { kind: 'backwards'; blocks: number }
  /** What `finalized` and `safe` name: a block, the head, nothing, or no tag that the node knows. */
  | { kind: 'finality'; at: number | 'latest' | 'null' | 'unknown' }
  | { kind: 'wrong-chain'; chainId: number }
  /** `[]` for logs that there are. */
  | { kind: 'no-logs' }
  /** `[]` for receipts that there are. */
  | { kind: 'no-receipts' }
  /** "Not known" for what is known; default: transactions and their receipts. */
  | { kind: 'lying-null'; methods?: readonly string[]; hash?: string }
  /** A JSON-RPC error for each call of these methods, for example a method that it lacks. */
  | { kind: 'rpc-error'; methods: readonly string[]; code?: number; message?: string }
  /** Refuses logs of more blocks than this, as providers do. */
  | { kind: 'range-limit'; blocks: number }
  /** Receipts with the other status, or with Transfers of twice the amount; of one transaction or all. */
  | { kind: 'forged-receipt'; change: 'status' | 'amount'; txHash?: string }
  /** A Transfer that never was, in the receipt of `txHash` or the last of each block, places fitting. */
  | {
      kind: 'forged-log'
      token: string
      to: string
      amount: bigint
      from?: string
      txHash?: string
    }
  /** Blocks from this number on name a hash that their header does not have. */
  | { kind: 'forged-hash'; from?: number }
  /** Another result of `eth_call`s: all, those to one contract, those that begin with a selector. */
  | { kind: 'forged-call'; result: string; to?: string; selector?: string }
  | ForgedBranch
  /** Anything else: sees each call, may ask on, and gives the result. */
  | { kind: 'custom'; layer: Layer }

/**
 * Another chain from block `from` on, consistent in itself: every header hashes to its hash and
 * names the one below, roots and blooms fit. It differs in `extraData`, so in every hash; with `pay`
 * one of its blocks (default: the first) also holds a signed, invented transaction that pays.
 */
export type ForgedBranch = {
  kind: 'forged-branch'
  from: number
  pay?: {
    to: string
    amount: bigint
    token?: string
    block?: number
    /** Logs that the invented transaction writes besides its payment. */
    logs?: readonly { address: string; topics: readonly string[]; data: string }[]
  }
  /** Tells two forged branches apart. */
  mark?: string
}

/** Asks the next layer, at last the node itself. Throws RpcFault for a JSON-RPC error. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

export type Layer = (method: string, params: readonly unknown[], ask: Ask) => Promise<unknown>

/** A node's object. */
export type Json = Record<string, unknown>

export const asJson = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null

export const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`
