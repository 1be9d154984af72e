/** EIP-712 data for wallets (`eth_signTypedData_v4`). `types` may contain `EIP712Domain`. */
export type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>
  readonly primaryType?: string
  readonly message: Readonly<Record<string, unknown>>
}

/** The method of a valid signature, and the block at which a contract confirmed it. */
export type SignatureProof = {
  readonly method: 'ecdsa' | 'eip1271' | 'eip6492'
  /** Null for a key's signature, which does not depend on a block. */
  readonly blockNumber: number | null
}

/** A claim to own an account: `address` lower-case or with its checksum. */
type SignatureClaim = { chainId: number; address: string; signature: string }

/**
 * Checks signatures of accounts (keys and contracts). Null: the signature is invalid, for any
 * reason. Throws DomainError `unavailable` if only the account's contract could decide and its
 * chain cannot be read now.
 */
export type SignatureVerifier = {
  /** A text under EIP-191, version 0x45 (`personal_sign`). */
  verifyMessage(claim: SignatureClaim & { message: string }): Promise<SignatureProof | null>
  /** Typed data under EIP-712. */
  verifyTypedData(claim: SignatureClaim & { typedData: TypedData }): Promise<SignatureProof | null>
}
