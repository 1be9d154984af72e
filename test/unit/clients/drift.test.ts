import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFilesIn } from '../../../clients/generate/emitter.ts'
import { EMITTERS } from '../../../clients/generate/emitters.ts'
import { readModel } from '../../../clients/generate/read-model.ts'
import { SAMPLES_FILE, samplesText } from '../../../clients/generate/samples.ts'

const ROOT = join(import.meta.dirname, '../../..')
const model = readModel()

test.each(EMITTERS)('$folder is what `npm run clients` writes', ({ folder, emit }) => {
  const files = emit(model)
  const there = generatedFilesIn(join(ROOT, folder))
  expect(there.toSorted()).toEqual(Object.keys(files).toSorted())
  for (const [path, text] of Object.entries(files)) {
    expect(readFileSync(join(ROOT, folder, path), 'utf8'), `${path}: run npm run clients`).toBe(
      text,
    )
  }
})

test('the samples in the document are what `npm run clients` writes', () => {
  expect(readFileSync(join(ROOT, SAMPLES_FILE), 'utf8')).toBe(samplesText(model))
})
