import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { build, type Metafile, stop } from 'esbuild'
import { keepText } from '../edge/answer/kept-text.ts'
import type { Outcome } from '../edge/answer/outcome.ts'
import type { PageRoute } from '../edge/page-route.ts'

const ENTRIES = join(import.meta.dirname, 'client/entries')
const STYLES = join(import.meta.dirname, 'styles/app.css')
const ICON = join(import.meta.dirname, 'layout/icon.svg')
const PLACE = '/assets'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
}
/** Types that are compressed already. */
const PACKED = ['.woff2', '.png']

/** A name has a hash of the content, so browsers may keep a file for ever. */
const CACHE = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** The scripts, styles, fonts and images of the pages. */
export type Assets = {
  /** Returns the path of a file by its name without hash, such as `live.js`. */
  pathOf(name: string): string
  readonly routes: readonly PageRoute[]
}

let bundled: Promise<Assets> | undefined

/**
 * Bundles the browser code and the styles in memory, once in a process. Equal sources give equal
 * names, so all processes of one version serve the same files.
 */
export const bundleAssets = (): Promise<Assets> => {
  bundled ??= bundle()
  return bundled
}

const bundle = async (): Promise<Assets> => {
  const entries = readdirSync(ENTRIES).filter((file) => /\.tsx?$/.test(file))
  const sources = [STYLES, ICON, ...entries.map((file) => join(ENTRIES, file))]
  const built = await Promise.all(sources.map(bundleOne))
  // Ends the process of the bundler, which has no more work.
  await stop()
  const outputFiles = built.flatMap((one) => one.outputFiles)
  const outputs: Metafile['outputs'] = Object.assign(
    {},
    ...built.map((one) => one.metafile.outputs),
  )
  const names = namesOf(outputs)
  return {
    pathOf(name) {
      const path = names.get(name)
      if (path === undefined) throw new Error(`There is no asset ${name}.`)
      return path
    },
    routes: outputFiles.map(({ path, contents }) => {
      const file = `${PLACE}/${basename(path)}`
      const answer = answerOf(file, Buffer.from(contents))
      return {
        method: 'get',
        path: file,
        name: 'asset',
        answer: async ({ limits }, req) => {
          limits.countNothing()
          return answer(req)
        },
      }
    }),
  }
}

/**
 * Bundles one entry. Entries share no files, because most pages have one script, and one file is
 * smaller than several. What a click loads is a file of its own.
 */
const bundleOne = (source: string) =>
  build({
    entryPoints: [source],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.woff2': 'file', '.svg': 'copy', '.png': 'copy' },
    outdir: PLACE,
    publicPath: PLACE,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
  })

/** The path of each file by the name of its source with the ending of the output. */
const namesOf = (outputs: Metafile['outputs']): Map<string, string> => {
  const names = new Map<string, string>()
  for (const [output, { entryPoint, inputs }] of Object.entries(outputs)) {
    const isCode = ['.js', '.css'].includes(extname(output))
    const source = entryPoint ?? (isCode ? undefined : Object.keys(inputs)[0])
    if (source === undefined) continue
    const name = basename(source, extname(source)) + extname(output)
    names.set(name, `${PLACE}/${basename(output)}`)
  }
  return names
}

type Request = { header(name: string): string | undefined }

const answerOf = (file: string, bytes: Buffer<ArrayBuffer>): ((req: Request) => Outcome) => {
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  if (PACKED.includes(extname(file))) {
    const outcome = { status: 200, text: null, bytes, headers: { ...CACHE, 'Content-Type': type } }
    return () => outcome
  }
  const kept = keepText(type, bytes.toString(), CACHE, ['br', 'gzip'])
  return (req) => ({ text: null, ...kept((name) => req.header(name)) })
}
