import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EMITTERS } from './emitters.ts'
import { readModel } from './read-model.ts'

/** `npm run clients`: writes the generated files of all client libraries. */
const ROOT = join(import.meta.dirname, '../..')

const model = readModel()
for (const { folder, emit } of EMITTERS) {
  const files = Object.entries(emit(model))
  rmSync(join(ROOT, folder), { recursive: true, force: true })
  for (const [path, text] of files) {
    const file = join(ROOT, folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  console.log(`${folder}: ${files.length} files`)
}
