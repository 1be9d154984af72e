import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readVectors } from './vectors/file.ts'
import { RUNNERS } from './vectors/runners.ts'

/**
 * The folder of the vectors that all client libraries run, here by `node --test`, `deno test` or
 * `bun test`.
 */
const FOLDER = process.env.FUNDPROOF_VECTORS ?? join(import.meta.dirname, '../../vectors')

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

test('each file of vectors has a runner, and each runner a file', () => {
  const wanted = Object.keys(RUNNERS).map((name) => `${name}.json`)
  const different = new Set(files).symmetricDifference(new Set(wanted))
  if (different.size > 0) throw new Error(`No pair for ${[...different].join(', ')}.`)
})

for (const name of files.sort()) {
  const file = name.slice(0, -'.json'.length)
  const run = RUNNERS[file]
  const { cases, ...shared } = readVectors(readFileSync(join(FOLDER, name), 'utf8'))
  for (const one of cases) {
    test(`${file} ${one.name}`, () => run?.(one as never, shared as never))
  }
}
