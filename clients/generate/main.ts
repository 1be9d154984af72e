import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFilesIn } from './emitter.ts'
import { EMITTERS } from './emitters.ts'
import { readModel } from './read-model.ts'
import { SAMPLES_FILE, samplesText } from './samples.ts'

/** `npm run clients`: writes the generated files of all client libraries, and their samples. */
const ROOT = join(import.meta.dirname, '../..')

const model = readModel()
for (const { folder, emit } of EMITTERS) {
  const at = join(ROOT, folder)
  const files = Object.entries(emit(model))
  mkdirSync(at, { recursive: true })
  for (const path of generatedFilesIn(at)) rmSync(join(at, path))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    writeFileSync(join(at, path), text)
  }
  console.log(`${folder}: ${files.length} generated files`)
}

writeFileSync(join(ROOT, SAMPLES_FILE), samplesText(model))
console.log(SAMPLES_FILE)
