/** EIP-712 data for wallets (`eth_signTypedData_v4`). `types` may contain `EIP712Domain`. */
export type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { name: string; type: string }[]>>
  readonly primaryType?: string
  readonly message: Readonly<Record<string, unknown>>
}

/** The method of a valid signature, and the block at which a contract confirmed the signature. */
export type SignatureProof = {
  readonly method: 'ecdsa' | 'eip1271' | 'eip6492'
  /** Null for a signature by a private key, because such a signature needs no block. */
  readonly blockNumber: number | null
}

/** A signature and its expected signer. `address` is in lower case or has an EIP-55 checksum. */
type SignatureClaim = { chainId: number; address: string; signature: string }

/**
 * Checks signatures of accounts with a key and of contract accounts. Returns null for an invalid
 * signature. Throws DomainError `unavailable` if only the account's contract can decide and its
 * chain cannot be read now.
 */
export type SignatureVerifier = {
  /** Checks the signature of a text (EIP-191, version 0x45: `personal_sign`). */
  verifyMessage(claim: SignatureClaim & { message: string }): Promise<SignatureProof | null>
  /** Checks the signature of typed data (EIP-712). */
  verifyTypedData(claim: SignatureClaim & { typedData: TypedData }): Promise<SignatureProof | null>
}
