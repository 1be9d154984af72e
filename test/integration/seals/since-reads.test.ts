import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, type Database } from '../../../src/db/client.ts'
import {
  checkSeals,
  checkSince,
  checkSlice,
  queueProofs,
  sealEntries,
} from '../../../src/domain/books/index.ts'
import { createSealWorld, type SealWorld } from './support/seal-world.ts'
import { keepHead } from './support/three-seals.ts'

const OLD = 5_000
const PER_SEAL = 10
/**
 * The limit of rows that a check may read: more than the new entries need, and fewer than any large
 * table has.
 */
const MOST_READ = 200
const LARGE = [
  'ledger_entry',
  'ledger_seal',
  'sealed_entry',
  'chain_transfer',
  'donation',
  'donation_proof',
]

/** Inserts old donations with their transfers and entries, in a few statements. */
const writePast = async ({ ctx, campaignId, clock }: SealWorld): Promise<void> => {
  const key = ctx.sql.unsafe('md5(i::text)::uuid')
  const rows = ctx.sql`generate_series(1, ${OLD}::int) as i`
  await ctx.sql`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient, amount,
                                block_number, block_hash, mined_at, seen_at)
    select ${key}, chain_id, bytes_of('0x' || md5(i::text) || md5(i::text)), 0, asset_id, sender, recipient, 1,
           block_number, block_hash, mined_at, seen_at
    from chain_transfer, ${rows}`
  await ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, status, reason, transfer_id,
                          confirmed_amount, credited_amount, block_number, completed_at, expires_at, created_at)
    select ${key}, user_id, campaign_id, chain_id, bytes_of('0x' || md5(i::text) || md5(i::text)),
           ledger_address, declared_asset_id, 1, status, reason, ${key}, 1, 1,
           block_number, completed_at, expires_at, created_at
    from donation, ${rows}`
  await ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, donation_id, transfer_id,
       generation, block_number, block_hash, created_at)
    select 'donation', debit_account, credit_account, asset_id, 1, ${campaignId}, ${key}, ${key}, 0,
           block_number, block_hash, ${clock.now()}
    from ledger_entry, ${rows}`
}

/** Counts the rows of each table that a check reads. */
const rowsRead = async (
  url: string,
  work: (pool: Database) => Promise<unknown>,
): Promise<Map<string, number>> => {
  const pool = createDatabase({ url, max: 1 })
  onTestFinished(() => pool.end({ timeout: 1 }))
  const rows: { table: string; read: number }[] = []
  const begin: Database['begin'] = (mode: unknown, run?: unknown) =>
    pool.begin(mode as string, async (sql) => {
      const answer = await (run as (sql: unknown) => Promise<never>)(sql)
      rows.push(
        ...(await sql<typeof rows>`
          select relname as table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
          from pg_stat_xact_user_tables`),
      )
      return answer
    })
  const get = (target: Database, name: string | symbol) =>
    name === 'begin' ? begin : Reflect.get(target, name)
  await work(new Proxy(pool, { get }))
  return new Map(rows.map(({ table, read }) => [table, read]))
}

test('reads what is new since the head, however large the ledger is', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  await writePast(world)
  for (let after = 0; after <= OLD; after += PER_SEAL) {
    await sealEntries(world.ctx, { after, upTo: after + PER_SEAL }, world.folder, queueProofs)
  }
  await world.donate(['b', 'c'])
  await world.seal()
  const kept = await keepHead(world)
  await world.donate(['d', 'e'])
  await world.seal()
  await world.donate(['f'])

  const all = await rowsRead(world.url, (pool) => checkSeals(pool))
  expect(all.get('ledger_entry')).toBeGreaterThan(OLD)
  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end({ timeout: 1 }))
  for (const statistics of ['none', 'current']) {
    if (statistics === 'current') await owner`analyze`
    const news = await rowsRead(world.url, async (pool) => {
      const checked = await checkSince(pool, { kept, others: [kept] }, checkSlice)
      expect(checked).toMatchObject({ seals: 2, sealed: 4, unsealed: 1, differences: [] })
    })
    expect(news.get('ledger_entry')).toBeGreaterThan(0)
    const tooMany = [...news].filter(([table, read]) => LARGE.includes(table) && read > MOST_READ)
    expect([statistics, tooMany]).toEqual([statistics, []])
  }
})
