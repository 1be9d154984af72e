import { readdirSync, readFileSync } from 'node:fs'
import { RUNNERS } from './vectors/runners.ts'

/**
 * Runs the vectors that all client libraries share, by `node`, `deno run -A` or `bun`. Prints a
 * line for each case. Stops with status 1 at the first failure, and at a file without a runner.
 */
const folder = new URL('../../vectors/', import.meta.url)

type File = { about: string; cases: { name: string }[] }

const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
const missing = Object.keys(RUNNERS).filter((name) => !files.includes(`${name}.json`))
if (missing.length > 0) throw new Error(`There are no vectors ${missing.join(', ')}.`)

for (const name of files.sort()) {
  const file = name.slice(0, -'.json'.length)
  const run = RUNNERS[file]
  if (!run) throw new Error(`${name} has no runner.`)
  const {
    about: _,
    cases,
    ...shared
  } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as File
  for (const one of cases) {
    try {
      await run(one as never, shared as never)
    } catch (error) {
      console.error(`not ok ${file} ${one.name}`)
      throw error
    }
    console.log(`ok ${file} ${one.name}`)
  }
}
