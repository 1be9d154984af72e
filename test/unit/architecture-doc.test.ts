import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

test('docs/architecture.md names only files and folders that exist', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
  const named = [...text.matchAll(/`((?:src|worker|test)\/[\w./-]+)`/g)].map(([, path]) => path)
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((path) => !existsSync(join(ROOT, path ?? '')))).toEqual([])
})
