/** From this size on, Node's hex decoder is faster than the loop below (measured). */
const NATIVE_FROM_BYTES = 48

/**
 * Decodes the digits after `0x` into `size` bytes. Returns false if a character is no hex digit.
 * Rejects non-ASCII texts first, because Node's decoder reads U+0130 as "0", for example.
 */
export const decodeHex = (text: string, into: Buffer, offset: number, size: number): boolean => {
  if (size >= NATIVE_FROM_BYTES) {
    const isAscii = Buffer.byteLength(text) === text.length
    return isAscii && into.write(text.slice(2), offset, size, 'hex') === size
  }
  let seen = 0
  for (let i = 0; i < size; i += 1) {
    const high = digitAt(text, 2 + 2 * i)
    const low = digitAt(text, 3 + 2 * i)
    seen |= high | low
    into[offset + i] = (high << 4) | low
  }
  return seen >= 0
}

/** The value of a hex digit, or -1 for any other character. */
export const digitAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 0x20
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}
