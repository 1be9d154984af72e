import { sha256 as sha256Of } from '@noble/hashes/sha2'
import { keccak_256 } from '@noble/hashes/sha3'

/** Thrown if a proof is invalid. The message says why, in one sentence for a person. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Throws Refusal with the message `why` if `holds` is false. */
export function demand(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Refusal(why)
}

const HEX = /^0x(?:[0-9a-f]{2})*$/

/** Decodes `0x` and pairs of lower-case hex digits. Throws Refusal if `text` has another form. */
export const fromHex = (text: string): Uint8Array => {
  demand(HEX.test(text), 'A value is not lower-case hex data.')
  const bytes = new Uint8Array(text.length / 2 - 1)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = 16 * digitAt(text, 2 * at + 2) + digitAt(text, 2 * at + 3)
  }
  return bytes
}

/** The value of the hex digit at an index. `0` has the character code 48, and `a` has 97. */
const digitAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < 97 ? code - 48 : code - 87
}

/** Bytes as `0x` and lower-case hex digits. */
export const toHex = (bytes: Uint8Array): string => {
  let text = '0x'
  for (const byte of bytes) text += HEX_OF_BYTE[byte]
  return text
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The big-endian bytes of a non-negative integer, without leading zeros. 0 gives no bytes. */
export const bytesOfInteger = (value: bigint | number): Uint8Array => {
  const digits = value === 0 || value === 0n ? '' : value.toString(16)
  return fromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
}

export const concat = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Decodes base64url (RFC 4648, section 5). Returns null if the encoding is not canonical. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
  return toBase64url(bytes) === text ? bytes : null
}

/** Computes the SHA-256 hash (FIPS 180-4). */
export const sha256 = (bytes: Uint8Array): Uint8Array => sha256Of(bytes)

/** Computes Keccak-256 as `0x` hex. SHA3-256 is another hash, because its padding differs. */
export const keccakHex = (bytes: Uint8Array): string => toHex(keccak_256(bytes))

/** Reads an RLP integer. Throws Refusal for more than `maxBytes` bytes and for leading zeros. */
export const toInteger = (bytes: Uint8Array, maxBytes = 32): bigint => {
  demand(bytes.length <= maxBytes, 'An integer is too long.')
  demand(bytes.length === 0 || bytes[0] !== 0, 'An integer has a leading zero.')
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes))
}

/** Reads a big-endian word of the EVM. Throws Refusal unless the word has 32 bytes. */
export const toWord = (bytes: Uint8Array): bigint => {
  demand(bytes.length === 32, 'A word is not 32 bytes long.')
  return BigInt(toHex(bytes))
}
