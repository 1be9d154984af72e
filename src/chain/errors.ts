/**
 * What can go wrong between us and a chain. `*_forged` means: the answer contradicts its own proof;
 * `wrong_hash`: it proves itself, but is not what the quorum of the nodes has; `no_agreement`: too few
 * nodes said the same for any of them to be believed; `unsupported`: it proves itself, but this
 * version cannot use it, and no node is to blame.
 */
export type ChainErrorCode =
  | 'wrong_chain'
  | 'block_missing'
  | 'header_forged'
  | 'header_unverified'
  | 'receipts_forged'
  | 'transactions_forged'
  | 'transactions_unverified'
  | 'unsupported'
  | 'state_forged'
  | 'wrong_hash'
  | 'no_agreement'
  | 'too_large'
  | 'no_batches'
  | 'rate_limited'
  | 'timeout'
  | 'transport'
  | 'rpc_error'
  | 'bad_response'
  | 'closed'

/** Whether asking again later may help without anybody changing anything. */
const RETRYABLE: Readonly<Record<ChainErrorCode, boolean>> = {
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

/** Nothing was learnt from the chain. Never holds a node's full URL, which may carry a key. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly code: ChainErrorCode
  readonly retryable: boolean
  /** How long the node asked us to wait, where it said so. */
  readonly retryAfterMs: number | undefined

  constructor(code: ChainErrorCode, message: string, retryAfterMs?: number) {
    super(message)
    this.code = code
    this.retryable = RETRYABLE[code]
    this.retryAfterMs = retryAfterMs
  }
}
