import { Signature } from 'ethers'

/**
 * The signature of a key with the last byte 27 or 28, which is all that the contract takes. Wallets
 * also write 0 and 1, or a number that contains the chain (EIP-155).
 */
export const toKeySignature = (signature: string): string => Signature.from(signature).serialized
