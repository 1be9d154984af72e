import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** A thread that draws SVG as PNG. It knows only the fonts of the pages, on every machine. */

const bytesOf = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(name)))

const FONTS = '@fontsource-variable/source-serif-4/files/source-serif-4'
const font = {
  fontBuffers: ['latin', 'latin-ext'].map((part) => bytesOf(`${FONTS}-${part}-wght-normal.woff2`)),
  defaultFontFamily: 'Source Serif 4',
  loadSystemFonts: false,
}

await initWasm(bytesOf('@resvg/resvg-wasm/index_bg.wasm'))

parentPort?.on('message', (svg: string) => {
  const drawing = new Resvg(svg, { font })
  const image = drawing.render()
  parentPort?.postMessage(image.asPng())
  // WebAssembly has no garbage collection.
  image.free()
  drawing.free()
})
