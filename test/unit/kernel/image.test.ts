import { expect, test } from 'vitest'
import { readImage } from '../../../src/kernel/formats/image.ts'
import { ANIMATED_WEBP, chunk, IMAGES, pngOf } from '../../support/images.ts'

const text = (...parts: (string | Uint8Array)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
const changed = (image: Uint8Array, at: number, ...bytes: number[]): Uint8Array => {
  const copy = new Uint8Array(image)
  copy.set(bytes, at)
  return copy
}
const { PNG, 'baseline JPEG': JPEG, 'lossy WebP': LOSSY, 'lossless WebP': LOSSLESS } = IMAGES
const ALPHA = IMAGES['WebP with alpha']
const HTML = '<!doctype html><script>alert(1)</script>'

test.each(Object.entries(IMAGES))('knows type and size of a %s', (name, image) => {
  const type = `image/${name.match(/jpeg|png|webp/i)?.[0].toLowerCase()}`
  expect(readImage(image)).toEqual({ type, width: 16, height: 9 })
  // The image is also read from the middle of a larger buffer.
  const inside = Buffer.concat([Buffer.alloc(3), image, Buffer.alloc(3)])
  expect(readImage(inside.subarray(3, -3))).toEqual({ type, width: 16, height: 9 })
})

test.each(Object.entries(IMAGES))(
  'refuses each beginning of a %s, and more than all of it',
  (_, image) => {
    for (let length = 0; length < image.length; length++) {
      expect(readImage(image.subarray(0, length)), String(length)).toBeUndefined()
    }
    for (const more of ['\0', HTML, 'PK\x03\x04', '\xff\xd9']) {
      expect(readImage(text(image, more)), more).toBeUndefined()
    }
    expect(readImage(text(image, image))).toBeUndefined()
  },
)

test('refuses what is another thing, or an image of another kind', () => {
  const others = {
    nothing: '',
    SVG: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    'SVG with a head': '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    HTML,
    PDF: '%PDF-1.7\n',
    GIF: 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02L\x01\0;',
    'GIF and script': 'GIF89a/*\0\0\0*/=alert(1)//;',
    BMP: 'BM\0\0\0\0',
    TIFF: 'II*\0\x08\0\0\0',
    AVIF: '\0\0\0 ftypavif\0\0\0\0avifmif1miaf',
    ICO: '\0\0\x01\0\x01\0',
    ZIP: 'PK\x03\x04',
    script: 'alert(1)',
  }
  for (const [name, bytes] of Object.entries(others)) {
    expect(readImage(text(bytes)), name).toBeUndefined()
  }
  expect(readImage(ANIMATED_WEBP)).toBeUndefined()
  expect(readImage(pngOf({}, chunk('acTL', Buffer.alloc(8))))).toBeUndefined()
})

test('refuses polyglots: the head of an image before a document', () => {
  const heads = [PNG.subarray(0, 8), PNG.subarray(0, 33), JPEG.subarray(0, 2), JPEG.subarray(0, 20)]
  for (const head of [...heads, text('RIFF\x2c\0\0\0WEBP'), LOSSY.subarray(0, 30)]) {
    expect(readImage(text(head, HTML))).toBeUndefined()
  }
  // A script that begins as a JPEG, with its binary parts in comments.
  expect(readImage(text('\xff\xd8\xff\xe0/*JFIF*/=alert(1)/*\xff\xd9*/'))).toBeUndefined()
  const riff = (...chunks: Uint8Array[]) => {
    const body = text('WEBP', ...chunks)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(body.length)
    return text('RIFF', size, body)
  }
  const part = (name: string, data: string) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(data.length)
    return text(name, size, data, data.length % 2 ? '\0' : '')
  }
  expect(readImage(riff(LOSSY.subarray(12)))).toBeDefined()
  expect(readImage(riff(part('junk', HTML), LOSSY.subarray(12)))).toBeUndefined()
  expect(readImage(riff(LOSSY.subarray(12), part('junk', HTML)))).toBeUndefined()
  expect(readImage(riff(LOSSY.subarray(12), LOSSLESS.subarray(12)))).toBeUndefined()
  expect(readImage(riff(part('VP8 ', HTML)))).toBeUndefined()
  expect(readImage(riff(part('VP8L', '/')))).toBeUndefined()
  expect(readImage(riff(part('VP8X', '\0'.repeat(10))))).toBeUndefined()
})

test('refuses broken parts: checksums, lengths, orders, unknown chunks', () => {
  const [signature, header] = [PNG.subarray(0, 8), PNG.subarray(8, 33)]
  const [data, end] = [chunk('IDAT', Buffer.alloc(4)), chunk('IEND')]
  const png = (...parts: Uint8Array[]) => readImage(text(signature, ...parts))
  expect(png(header, data, end)).toBeDefined()
  expect(png(header, end)).toBeUndefined()
  expect(png(data, header, end)).toBeUndefined()
  expect(png(header, header, data, end)).toBeUndefined()
  expect(png(header, chunk('HTML'), data, end)).toBeUndefined()
  expect(png(header, chunk('a<b>'), data, end)).toBeUndefined()
  expect(png(header, data, chunk('IEND', Buffer.alloc(1)))).toBeUndefined()
  expect(png(chunk('IHDR', Buffer.alloc(12)), data, end)).toBeUndefined()
  expect(readImage(changed(PNG, 17, 1))).toBeUndefined()
  expect(readImage(changed(PNG, 33, 0xff, 0xff, 0xff, 0xff))).toBeUndefined()
  for (const wrong of [{ depth: 3 }, { depth: 4 }, { colour: 1 }, { colour: 7 }]) {
    expect(readImage(pngOf(wrong))).toBeUndefined()
  }
  const markers = [...JPEG.keys()].filter(
    (at) => JPEG[at - 1] === 0xff && [0xdb, 0xc0, 0xc4, 0xda].includes(JPEG[at] ?? 0),
  )
  expect(markers.length).toBeGreaterThan(4)
  for (const at of markers) {
    // The changed segment has no length, is longer than the file, or has an unknown marker.
    expect(readImage(changed(JPEG, at + 1, 0, 0)), String(at)).toBeUndefined()
    expect(readImage(changed(JPEG, at + 1, 0xff, 0xff)), String(at)).toBeUndefined()
    expect(readImage(changed(JPEG, at, 0x01)), String(at)).toBeUndefined()
  }
})

test('refuses sizes that no browser should be given', () => {
  const png = (width: number, height: number) => readImage(pngOf({ width, height }))
  expect(png(10_000, 2_500)).toMatchObject({ width: 10_000, height: 2_500 })
  for (const [width, height] of [
    [0, 9],
    [16, 0],
    [10_001, 1],
    [1, 10_001],
    [10_000, 2_501],
    [5_001, 5_000],
    [2 ** 31, 2 ** 31],
    [2 ** 32 - 1, 1],
  ] as const) {
    expect(png(width, height), `${width} ${height}`).toBeUndefined()
  }
  const frame = JPEG.findIndex((byte, at) => byte === 0xff && JPEG[at + 1] === 0xc0)
  expect(readImage(changed(JPEG, frame + 5, 0xff, 0xff, 0xff, 0xff))).toBeUndefined()
  expect(readImage(changed(JPEG, frame + 5, 0, 0))).toBeUndefined()
  expect(readImage(changed(LOSSY, 26, 0xff, 0x3f))).toBeUndefined()
  expect(readImage(changed(LOSSLESS, 21, 0xff, 0xff, 0xff))).toBeUndefined()
  // The size of the WebP canvas differs from the size of its image.
  expect(readImage(changed(ALPHA, 24, 16))).toBeUndefined()
  expect(readImage(changed(ALPHA, 24, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))).toBeUndefined()
})

test('takes time in proportion to the number of bytes, for any bytes', () => {
  const size = 500_000
  const many = Buffer.concat(Array(Math.floor(size / 12)).fill(chunk('tEXt')))
  const files = [
    pngOf({}, many),
    text(JPEG.subarray(0, -2), Buffer.alloc(size, 0xff)),
    text(JPEG.subarray(0, -2), Buffer.alloc(size, '\xff\0', 'latin1')),
    text('\xff\xd8', Buffer.alloc(size, '\xff\xfe\0\x02', 'latin1')),
  ]
  const began = performance.now()
  for (const file of files) readImage(file)
  expect(performance.now() - began).toBeLessThan(2_000)
})
