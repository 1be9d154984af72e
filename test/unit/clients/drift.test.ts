import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EMITTERS } from '../../../clients/generate/emitters.ts'
import { readModel } from '../../../clients/generate/read-model.ts'

const ROOT = join(import.meta.dirname, '../../..')
const model = readModel()

test.each(EMITTERS)('$folder is what `npm run clients` writes', ({ folder, emit }) => {
  const files = emit(model)
  const there = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, folder).length + 1))
  expect(there.toSorted()).toEqual(Object.keys(files).toSorted())
  for (const [path, text] of Object.entries(files)) {
    expect(readFileSync(join(ROOT, folder, path), 'utf8'), `${path}: run npm run clients`).toBe(
      text,
    )
  }
})
