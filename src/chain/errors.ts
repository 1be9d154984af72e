import { foreignText } from '../kernel/formats/foreign-text.ts'

/** Whether a retry may succeed after each error, with the same configuration and software. */
const RETRYABLE = {
  wrong_chain: false,
  block_missing: true,
  header_forged: false,
  header_unverified: false,
  receipts_forged: false,
  transactions_forged: false,
  transactions_unverified: false,
  unsupported: false,
  state_forged: false,
  wrong_hash: true,
  no_agreement: true,
  too_large: false,
  no_batches: false,
  rate_limited: true,
  timeout: true,
  transport: true,
  rpc_error: false,
  bad_response: true,
  closed: false,
}

/**
 * Codes of errors when a chain is read. Some codes need an explanation:
 *
 * - `*_forged`: the answer contradicts its own proof.
 * - `*_unverified`: this version cannot prove the answer.
 * - `wrong_hash`: the node's block is valid, but a quorum agreed on another block of this number.
 * - `no_agreement`: fewer nodes than a quorum gave the same answer.
 * - `unsupported`: the answer is proven, but this version cannot use it. The node is not faulty.
 */
export type ChainErrorCode = keyof typeof RETRYABLE

/** A failed read of the chain. The message never has a node's full URL, which may hold a key. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly code: ChainErrorCode
  readonly retryable: boolean
  /** The waiting time in the node's Retry-After header, if the node sent this header. */
  readonly retryAfterMs: number | undefined

  constructor(code: ChainErrorCode, message: string, retryAfterMs?: number) {
    super(foreignText(message))
    this.code = code
    this.retryable = RETRYABLE[code]
    this.retryAfterMs = retryAfterMs
  }
}
