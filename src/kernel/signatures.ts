/** EIP-712 data as wallets take it (`eth_signTypedData_v4`). `types` may name `EIP712Domain`. */
export type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>
  readonly primaryType?: string
  readonly message: Readonly<Record<string, unknown>>
}

/** How a signature was found to be good, and at which block a contract said so. */
export type SignatureProof = {
  readonly method: 'ecdsa' | 'eip1271' | 'eip6492'
  /** Null for a key's own signature, which no block can take back. */
  readonly blockNumber: number | null
}

/** Who says that they hold an account: `address` lower-case or with its checksum. */
export type SignatureClaim = { chainId: number; address: string; signature: string }

/**
 * Checks signatures of accounts, be they keys or contracts. Null is "not a good signature", for
 * whatever reason. Throws DomainError `unavailable` where only the account's contract could tell
 * and its chain cannot be asked now.
 */
export type SignatureVerifier = {
  /** A text under EIP-191, version 0x45 (`personal_sign`). */
  verifyMessage(claim: SignatureClaim & { message: string }): Promise<SignatureProof | null>
  /** Typed data under EIP-712. */
  verifyTypedData(claim: SignatureClaim & { typedData: TypedData }): Promise<SignatureProof | null>
}
