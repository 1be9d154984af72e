import { crc32, deflateSync } from 'node:zlib'

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64'))

/** Images of 16 by 9 pixels, as libjpeg-turbo, libpng and libwebp write them. */
export const IMAGES = {
  'baseline JPEG': bytesOf(
    '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqm' +
      'x5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk' +
      'pKSkpKSkpKT/wAARCAAJABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABAAB/8QAJhAAAQIEAwkAAAAA' +
      'AAAAAAAAAQIDAAQREgUxQRMhIjVRcXKBsf/EABQBAQAAAAAAAAAAAAAAAAAAAAD/xAAWEQEBAQAAAAAAAAAAAAAA' +
      'AAAAESH/2gAMAwEAAhEDEQA/AMQEtm1lKAQrcGG7zTueE+onaXHa23IVWjzhUQD0QMtMoRNcmmPEfRBcK0gTK//Z',
  ),
  'progressive JPEG': bytesOf(
    '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqm' +
      'x5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk' +
      'pKSkpKSkpKT/wgARCAAJABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAwAB/8QAFAEBAAAAAAAAAAAA' +
      'AAAAAAAAAP/aAAwDAQACEAMQAAAByQj/xAAZEAABBQAAAAAAAAAAAAAAAAAAAQIDMTP/2gAIAQEAAQUCoUdjEf/E' +
      'ABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQMBAT8Bf//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQIBAT8Bf//E' +
      'ABkQAAIDAQAAAAAAAAAAAAAAAAABAiGhEP/aAAgBAQAGPwKsReslz//EABwQAAEEAwEAAAAAAAAAAAAAAAEAETFR' +
      'ECGh4f/aAAgBAQABPyENoIm7xSg4N3FyYf/aAAwDAQACAAMAAAAQ8//EABYRAQEBAAAAAAAAAAAAAAAAABEAIf/a' +
      'AAgBAwEBPxAxv//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQIBAT8Qf//EAB4QAAIBAwUAAAAAAAAAAAAAAAER' +
      'ACExQVFxgaGx/9oACAEBAAE/EBIhIoDq3NXEVsyRCAOg2xadJ6JjP//Z',
  ),
  PNG: bytesOf(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAJCAIAAAC0SDtlAAAACXBIWXMAAAPoAAAD6AG1e1JrAAABMUlEQVQYlWNg' +
      'YOcTlVHWMrSwd/MNiU7KLCiva+2ZPGvhivXb9h45fenmg+fvvv5h5hKUkFfTNbF28mQICI9LzSmuauzonzZ3yepN' +
      'Ow8cP3f1zuNXH3/8Z+MVkVbSNDC3c/UJjkrMyC+rbemeNJNhwfJ1W/ccPnXxxv1nb7/8ZuIUEJdT1TG2cvTwD4tN' +
      'yS6qbGjvmzpn8aqNO/YfO3vl9qOXDB++/2PlEZZS1NA3s3XxDopMSM8rrWnumjhj/rK1W3YfOnnh+r2nbz7/YuTg' +
      'F5NV0TayZHBw9wuNSc4qrKhv650ye9HKDdv3HT1z+dbDF++//WXhFpJUUNcztXH2CoyIT8stqW7qZJgwfd7SNZt3' +
      'HTxx/trdJ68//SQUCAzooUAoEBjQQ4FQIDCghwKhQAAAK63UmTLZqQwAAAAASUVORK5CYII=',
  ),
  'palette PNG': bytesOf(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAJAgMAAABGREShAAAADFBMVEUmLDN5ZmypsKPX3uX9IrSMAAAACXBIWXMA' +
      'AAPoAAAD6AG1e1JrAAAAOElEQVQImQEtANL/AABWv0AAVq+AVgCvgFavAMAVr8AAFa/QFQCr0BWrAOAVq/AABWvw' +
      'BQBr9AVqfyQRUGNXuRQAAAAASUVORK5CYII=',
  ),
  'lossy WebP': bytesOf(
    'UklGRnwAAABXRUJQVlA4IHAAAADwAQCdASoQAAkABABoJaAAD4QttJEoP8AA/VN3z/BXjBNVMi5WHS0mkjjpf+vM' +
      '7zpIErwnFnQT3gH7PWGWD+84gbIDPdj/Kx3GfvgBFBQ3B78ArEnWfG/fOc9s2f9ypc95MmXrLH5wsrw/Lg6Xvn4A',
  ),
  'lossless WebP': bytesOf('UklGRioAAABXRUJQVlA4TB4AAAAvDwACAM1lRP8DRNo2cArma/4NHZ1P/hzEBLCscQ8='),
  'WebP with alpha': bytesOf(
    'UklGRqAAAABXRUJQVlA4WAoAAAAQAAAADwAACAAAQUxQSAoAAAABB9C/iAhERP8DVlA4IHAAAADwAQCdASoQAAkA' +
      'BABoJaAAD4QttJEoP8AA/VN3z/BXjBNVMi5WHS0mkjjpf+vM7zpIErwnFnQT3gH7PWGWD+84gbIDPdj/Kx3GfvgB' +
      'FBQ3B78ArEnWfG/fOc9s2f9ypc95MmXrLH5wsrw/Lg6Xvn4A',
  ),
} as const

export const ANIMATED_WEBP = bytesOf(
  'UklGRkABAABXRUJQVlA4WAoAAAACAAAADwAACAAAQU5JTQYAAAD/////AABBTk1GhgAAAAAAAAAAAA8AAAgAAGQA' +
    'AAJWUDggbgAAAPABAJ0BKhAACQAEAGglAAHwhbaSJQlMAAD9U3fP8FeME1UyLlYdLSaSOOl/68zvOkgSvCcWdBPe' +
    'Afs9YZYP7ziBsgM92P8rHcZ++AEUFDcHvwCsSdZ8b985z2zZ/3Klz3kyZessfnCylEkHAAAAQU5NRoYAAAAAAAAA' +
    'AAAPAAAIAABkAAAAVlA4IG4AAAD0AQCdASoQAAkAAABoJYwAD4TvvITXy0AA4dzzw+Wu44xg8eHb8rHLXccI8eel' +
    '/xFPWsi8FNarV7PGWOfJOUrKB71aOfD4l/XDX+83LeXKw/hjawuW+diyLEwsglcfb06XvLB+Mhu98Mh6ZvpAAA==',
)

/** Makes a PNG chunk with its checksum. */
export const chunk = (name: string, data: Uint8Array = new Uint8Array()): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.byteLength)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A PNG whose header has this size. Its pixel data are those of one row. */
export const pngOf = (
  { width = 16, height = 9, depth = 8, colour = 2 },
  ...others: Buffer[]
): Uint8Array<ArrayBuffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const data = chunk('IDAT', deflateSync(Buffer.alloc(49)))
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), ...others, data, chunk('IEND')]),
  )
}

/** A PNG with exactly this number of bytes. */
export const pngOfBytes = (bytes: number): Uint8Array<ArrayBuffer> => {
  const rest = bytes - pngOf({}).byteLength - chunk('tEXt').byteLength
  return pngOf({}, chunk('tEXt', Buffer.alloc(rest, 'x')))
}
