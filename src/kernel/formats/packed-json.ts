import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Compresses JSON text (RFC 1951), as hex. Hex digits in the text then take half a byte each. */
export const packJson = (value: unknown): string =>
  `0x${deflateRawSync(JSON.stringify(value)).toString('hex')}`

/** Reads what `packJson` made, or plain JSON text as bytes. */
export const unpackJson = (packed: string): unknown => {
  const bytes = Buffer.from(packed.slice(2), 'hex')
  return JSON.parse(String(bytes[0] === BRACE ? bytes : inflateRawSync(bytes)))
}

const BRACE = 0x7b
