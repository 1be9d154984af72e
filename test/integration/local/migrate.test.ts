import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { newId } from '../../../src/kernel/ids.ts'
import { withDatabase } from '../../support/database.ts'

const FOLDER = join(import.meta.dirname, '../../../src/db/migrations')

/** A database as a version of this software left it that knew only the first migrations. */
const createOldDatabase = async (migrations: number): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(FOLDER, folder, { recursive: true })
  const journalFile = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: unknown[] }
  const entries = journal.entries.slice(0, migrations)
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries }))
  const name = `test_old_${newId().replaceAll('-', '')}`
  const server = inject('postgresUrl')
  const admin = postgres(server, { max: 1, onnotice: () => {} })
  await admin.unsafe(`CREATE DATABASE ${name}`)
  const sql = postgres(withDatabase(server, name), { max: 1, onnotice: () => {} })
  onTestFinished(async () => {
    await admin.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end({ timeout: 1 })
  })
  await runMigrations(drizzle(sql), { migrationsFolder: folder })
  await sql.end({ timeout: 1 })
  return withDatabase(server, name)
}

test('transfers of an earlier version say afterwards what showed them', async () => {
  const url = await createOldDatabase(2)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`
    insert into asset (id, chain_id, kind, address, symbol, decimals)
    values ('ether', 1, 'native', null, 'ETH', 18)`
  for (const [position, tx] of [
    [-1, '0xaa'],
    [3, '0xbb'],
  ] as const) {
    await sql`
      insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                                  amount, seen_at)
      values (${newId()}, 1, ${tx}, ${position}, 'ether', '0x01', '0x02', 5, now())`
  }
  await migrate(url)
  const rows = await sql`select position, source from chain_transfer order by position`
  await sql.end({ timeout: 1 })
  expect([...rows]).toEqual([
    { position: -1, source: 'value' },
    { position: 3, source: 'log' },
  ])
})
