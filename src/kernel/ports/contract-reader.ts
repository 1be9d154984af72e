/** A call without value. `to` is an address, `data` hex bytes. */
type PlainCall = { readonly to: string; readonly data: string }

/** The result of calls that a node ran one after the other, as transactions would. */
export type Simulation = {
  /** The number of the block after which the calls ran. */
  readonly block: number
  /** Whether all calls succeeded. */
  readonly ok: boolean
  /** The gas of all calls together; null if a call failed. */
  readonly gas: number | null
}

/** The EIP-712 domain in which a token checks authorizations (ERC-3009). */
export type TokenDomain = {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: string
}

type Account = { readonly chainId: number; readonly address: string }

/**
 * Reads contracts at the newest block, by quorum. The answers have no proof, so they may advise a
 * caller, but never decide about money. No method throws: a node that does not answer gives null.
 */
export type ContractReader = {
  /** The Keccak-256 of the code of each account; null for an account without code. */
  codeHashes(asked: {
    chainId: number
    addresses: readonly string[]
  }): Promise<(string | null)[] | null>
  /** Whether an account is a wallet. The answer is kept for 15 seconds. See `readIsWallet`. */
  isWallet(account: Account): Promise<boolean | null>
  /** Whether an account has code. */
  hasCode(account: Account): Promise<boolean | null>
  /**
   * The data that a call returns; `0x` if the account has no code. Null if the call reverts or no
   * node answers.
   */
  view(asked: { chainId: number; to: string; data: string }): Promise<string | null>
  /** Runs calls of `from`, which is the zero address by default. */
  simulate(asked: {
    chainId: number
    calls: readonly PlainCall[]
    from?: string | undefined
  }): Promise<Simulation | null>
  /** Reads and remembers the domain of a token. Null also if the token has no ERC-3009. */
  tokenDomain(token: Account): Promise<TokenDomain | null>
  /** The domain of a token if it was read before; otherwise null. Asks no node. */
  knownTokenDomain(token: Account): TokenDomain | null
}
