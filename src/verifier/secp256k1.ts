import { secp256k1 } from '@noble/curves/secp256k1'
import { demand, fromHex, keccakHex } from './bytes.ts'

/**
 * Recovers the address whose key made an ECDSA signature (SEC 1, section 4.1.6).
 *
 * @param hash the signed hash, as `0x` hex
 * @param parity 0 if the y coordinate of the signature's point is even, 1 if it is odd
 * @throws Refusal if the signature is invalid
 */
export const recoverAddress = (hash: string, r: bigint, s: bigint, parity: bigint): string => {
  const order = secp256k1.Point.CURVE().n
  const inRange = r > 0n && r < order && s > 0n && s < order && (parity === 0n || parity === 1n)
  demand(inRange, 'A signature is malformed.')
  const key = recoverKey(hash, new secp256k1.Signature(r, s, Number(parity)))
  demand(key !== null, 'A signature names no point of the curve.')
  return `0x${keccakHex(key.slice(1)).slice(26)}`
}

const recoverKey = (
  hash: string,
  signature: InstanceType<typeof secp256k1.Signature>,
): Uint8Array | null => {
  try {
    return signature.recoverPublicKey(fromHex(hash)).toBytes(false)
  } catch {
    return null
  }
}
