import { keccak_256 } from '@noble/hashes/sha3'

/** What a proof says that cannot be so, in one sentence for a person. Never leaves this room. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Throws Refusal with `why` unless `holds`. */
export function demand(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Refusal(why)
}

const HEX = /^0x(?:[0-9a-f]{2})*$/

/** Bytes from `0x` and lower-case hex digits, two for each byte. Throws Refusal. */
export const fromHex = (text: string): Uint8Array => {
  demand(HEX.test(text), 'A value is not lower-case hex data.')
  return Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
}

/** Bytes as `0x` and lower-case hex digits. */
export const toHex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`

/** Keccak-256 (not SHA3-256: the padding of the original submission), as `0x` hex. */
export const keccakHex = (bytes: Uint8Array): string => toHex(keccak_256(bytes))

/** A big-endian integer without leading zeros, as RLP writes them; of at most `maxBytes`. Throws Refusal. */
export const toInteger = (bytes: Uint8Array, maxBytes = 32): bigint => {
  demand(bytes.length <= maxBytes, 'An integer is too long.')
  demand(bytes.length === 0 || bytes[0] !== 0, 'An integer has a leading zero.')
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes))
}

/** A big-endian word of the EVM, 32 bytes. Throws Refusal. */
export const toWord = (bytes: Uint8Array): bigint => {
  demand(bytes.length === 32, 'A word is not 32 bytes long.')
  return BigInt(toHex(bytes))
}
