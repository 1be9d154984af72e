import { keccak_256 } from '@noble/hashes/sha3'
import { sha256 as sha256Of } from '@noble/hashes/sha256'

/** The reason why a proof is invalid, in one sentence for a person. */
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
  const bytes = new Uint8Array(text.length / 2 - 1)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = 16 * digitAt(text, 2 * at + 2) + digitAt(text, 2 * at + 3)
  }
  return bytes
}

/** The value of a hex digit. The codes of 0 to 9 begin at 48, the codes of a to f at 97. */
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

/** The bytes of a non-negative integer, big-endian, without leading zeros; no bytes for 0. */
export const bytesOfInteger = (value: bigint | number): Uint8Array => {
  const digits = value === 0 || value === 0n ? '' : value.toString(16)
  return fromHex(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
}

export const concat = (parts: readonly Uint8Array[]): Uint8Array => {
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

/** Decodes base64url (RFC 4648, section 5). Null if the text is not the canonical encoding. */
export const fromBase64url = (text: string): Uint8Array | null => {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
  return toBase64url(bytes) === text ? bytes : null
}

/** SHA-256 (FIPS 180-4). */
export const sha256 = (bytes: Uint8Array): Uint8Array => sha256Of(bytes)

/** Keccak-256 as `0x` hex. SHA3-256 is different, because it uses another padding. */
export const keccakHex = (bytes: Uint8Array): string => toHex(keccak_256(bytes))

/** Reads an RLP integer of at most `maxBytes` bytes. Throws Refusal, also for leading zeros. */
export const toInteger = (bytes: Uint8Array, maxBytes = 32): bigint => {
  demand(bytes.length <= maxBytes, 'An integer is too long.')
  demand(bytes.length === 0 || bytes[0] !== 0, 'An integer has a leading zero.')
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes))
}

/** Reads a big-endian word of the EVM, 32 bytes. Throws Refusal. */
export const toWord = (bytes: Uint8Array): bigint => {
  demand(bytes.length === 32, 'A word is not 32 bytes long.')
  return BigInt(toHex(bytes))
}
