import { crc32 } from 'node:zlib'

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
type ImageType = (typeof IMAGE_TYPES)[number]

/** The types of stored covers. Uploads have no SVG, which can contain scripts and links. */
export const COVER_TYPES = [...IMAGE_TYPES, 'image/svg+xml'] as const
export type CoverType = (typeof COVER_TYPES)[number]

/** Width and height are in pixels. */
type Size = { width: number; height: number }
type ImageFacts = Size & { type: ImageType }

/** The most pixels of a side and of the whole image. A browser needs four bytes per pixel. */
const MAX_SIDE = 10_000
const MAX_PIXELS = 25_000_000

/**
 * Reads the type and the size of a still image, and checks that no part of the file is missing and
 * that no data follows the image. Does not decode pixels.
 *
 * @returns undefined if the bytes are no still JPEG, PNG or WebP image, or the image is too large
 */
export const readImage = (bytes: Uint8Array): ImageFacts | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const type of IMAGE_TYPES) {
    const size = readWith(READERS[type], file)
    if (size) return isSane(size) ? { type, ...size } : undefined
  }
  return undefined
}

const isSane = ({ width, height }: Size): boolean =>
  Math.min(width, height) > 0 && Math.max(width, height) <= MAX_SIDE && width * height <= MAX_PIXELS

type Reader = (file: Buffer) => Size | undefined

/** Returns undefined on a RangeError, which means that a part ends after the end of the file. */
const readWith = (reader: Reader, file: Buffer): Size | undefined => {
  try {
    return reader(file)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** The names of required PNG chunks, and of optional chunks that are not for animation. */
const PNG_CHUNK = /^(?:IHDR|PLTE|IDAT|IEND|(?!acTL|fcTL|fdAT)[a-z][A-Za-z]{3})$/
/** The allowed numbers of bits per sample, for each PNG colour type. */
const PNG_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Checks all chunks of a PNG file and their checksums (ISO/IEC 15948). */
const readPng: Reader = (file) => {
  if (!file.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined
  let size: Size | undefined
  let hasData = false
  for (let at = 8; ; ) {
    const length = file.readUInt32BE(at)
    const name = file.toString('latin1', at + 4, at + 8)
    const next = at + 12 + length
    const checksum = file.readUInt32BE(next - 4)
    if (!PNG_CHUNK.test(name) || crc32(file.subarray(at + 4, next - 4)) !== checksum) {
      return undefined
    }
    if ((name === 'IHDR') !== (at === 8)) return undefined
    if (name === 'IHDR') size = readPngHeader(file.subarray(at + 8, next - 4))
    if (name === 'IDAT') hasData = true
    if (name === 'IEND') return hasData && length === 0 && next === file.length ? size : undefined
    at = next
  }
}

const readPngHeader = (header: Buffer): Size | undefined => {
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.subarray(8)
  const isKnown =
    header.length === 13 &&
    PNG_DEPTHS[colour]?.includes(depth) &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1
  return isKnown ? { width: header.readUInt32BE(0), height: header.readUInt32BE(4) } : undefined
}

const JPEG = { SOI: 0xffd8, EOI: 0xd9, SOS: 0xda }
/** The markers of baseline, extended and progressive images, which browsers can show. */
const JPEG_FRAMES = [0xc0, 0xc1, 0xc2]
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/** Checks a JPEG file from its start marker to its end marker (ITU-T T.81, annex B). */
const readJpeg: Reader = (file) => {
  if (file.readUInt16BE(0) !== JPEG.SOI) return undefined
  let size: Size | undefined
  let hasScan = false
  for (let at = 2; file.readUInt8(at) === 0xff; ) {
    const marker = file.readUInt8(at + 1)
    if (marker === JPEG.EOI) return hasScan && at + 2 === file.length ? size : undefined
    // An 0xff before a marker is a fill byte.
    if (marker === 0xff) at += 1
    else {
      const length = file.readUInt16BE(at + 2)
      if (marker < 0xc0 || isRestart(marker) || marker === 0xd8 || length < 2) return undefined
      if (JPEG_FRAMES.includes(marker)) {
        if (size || length !== 8 + 3 * file.readUInt8(at + 9)) return undefined
        size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
      }
      at += 2 + length
      if (marker === JPEG.SOS) {
        at = endOfScan(file, at)
        hasScan = size !== undefined
      }
    }
  }
  return undefined
}

/** Returns the end of the image data: the first 0xff that neither 0 nor a restart code follows. */
const endOfScan = (file: Buffer, from: number): number => {
  let at = file.indexOf(0xff, from)
  while (at >= 0) {
    const next = file[at + 1] ?? 0
    if (next !== 0 && !isRestart(next)) return at
    at = file.indexOf(0xff, at + 2)
  }
  return file.length
}

/** Checks all chunks of a WebP file, which must contain exactly one image chunk (RFC 9649). */
const readWebp: Reader = (file) => {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined
  }
  if (file.readUInt32LE(4) !== file.length - 8) return undefined
  let canvas: Size | undefined
  let image: Size | undefined
  for (let at = 12; at < file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const length = file.readUInt32LE(at + 4)
    const chunk = file.subarray(at + 8, at + 8 + length)
    if (chunk.length !== length || name.startsWith('ANI') || name === 'ANMF') return undefined
    if (at === 12 && !name.startsWith('VP8')) return undefined
    if (name === 'VP8X') canvas = readCanvas(chunk)
    else if (name.startsWith('VP8')) {
      if (image) return undefined
      image = name === 'VP8L' ? readLossless(chunk) : readLossy(chunk)
    } else if (!canvas) return undefined
    at += 8 + length + (length % 2)
  }
  const agree = !canvas || (canvas.width === image?.width && canvas.height === image.height)
  return agree ? image : undefined
}

const readCanvas = (chunk: Buffer): Size => ({
  width: chunk.readUIntLE(4, 3) + 1,
  height: chunk.readUIntLE(7, 3) + 1,
})

/** Reads the size of a lossy WebP image from its first frame (RFC 6386, section 9.1). */
const readLossy = (chunk: Buffer): Size | undefined => {
  const isKeyFrame = (chunk.readUInt8(0) & 1) === 0 && chunk.readUIntBE(3, 3) === 0x9d012a
  const [width, height] = [chunk.readUInt16LE(6) & 0x3fff, chunk.readUInt16LE(8) & 0x3fff]
  return isKeyFrame ? { width, height } : undefined
}

/** Reads the size of a lossless WebP image: two numbers of 14 bits (RFC 9649, section 3.4). */
const readLossless = (chunk: Buffer): Size | undefined => {
  const bits = chunk.readUInt32LE(1)
  const isKnown = chunk.readUInt8(0) === 0x2f && bits >>> 29 === 0
  return isKnown ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined
}

const READERS: Readonly<Record<ImageType, Reader>> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/webp': readWebp,
}
