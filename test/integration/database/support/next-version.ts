import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { MIGRATIONS } from '../../../../src/db/migrate.ts'

const TAG = 'next'

/**
 * Makes a folder of migrations for a made-up next version: the migrations of this version and
 * `next.sql`.
 */
export const nextVersion = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-next-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(MIGRATIONS, folder, { recursive: true })
  cpSync(join(import.meta.dirname, `${TAG}.sql`), join(folder, `${TAG}.sql`))
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { when: number }[] }
  const when = (journal.entries.at(-1)?.when ?? 0) + 1
  const next = { idx: journal.entries.length, version: '7', when, tag: TAG, breakpoints: true }
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, next] }))
  return folder
}
