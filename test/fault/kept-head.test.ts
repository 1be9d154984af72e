import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { loadSigningKeys } from '../../src/domain/account/index.ts'
import { findLostHead, sealEntries } from '../../src/domain/books/index.ts'
import { createSealLedgerJob } from '../../worker/jobs/seal-ledger.ts'
import { address, startChain, USDC_ASSET } from '../support/chain-facts.ts'
import { newFolder } from '../support/new-folder.ts'
import { startOwnPostgres } from '../support/own-postgres.ts'
import { waitFor } from '../support/wait-for.ts'
import { createContext, createTestCampaign, createUser } from '../support/world.ts'

/** Copies a folder, and keeps the owners of its files. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', '-T', from, to])

/** Starts a Postgres with a campaign that has one seal, and a worker's folder. */
const sealedOnce = async () => {
  const dataDir = newFolder()
  // A transaction without a commit then stays in memory until the kill.
  const settings = { wal_writer_delay: '10s' }
  const postgres = await startOwnPostgres({ dataDir, settings })
  const open = (asAppRole = true) => {
    const pool = createDatabase({ url: postgres.url, max: 2, asAppRole })
    onTestFinished(() => pool.end({ timeout: 1 }))
    return pool
  }
  const { ctx } = await createContext(open())
  await loadSigningKeys(ctx)
  const creator = await createUser(ctx)
  const terms = { creator, account: address('campaign'), target: '5000' }
  const campaignId = await createTestCampaign(ctx, terms)
  await startChain(ctx)
  await ctx.sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    values ('custody', ${campaignId}, ${USDC_ASSET}), ('held', ${campaignId}, ${USDC_ASSET})`
  const folder = newFolder()
  const world = {
    postgres,
    dataDir,
    owner: open(false),
    ctx,
    writeEntry: () => ctx.sql`
      insert into ledger_entry
        (kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
      select 'donation', debit.id, credit.id, ${USDC_ASSET}, 1, ${campaignId}, now()
      from ledger_account debit join ledger_account credit using (campaign_id)
      where debit.kind = 'custody' and credit.kind = 'held'`,
    /** Runs one pass of a worker that has just started. */
    seal: () => createSealLedgerJob(ctx, folder).run(),
    /** Runs a worker that stops after its commit, before it reads the head from the database. */
    sealAndStop: () => sealEntries(ctx, { after: 0, upTo: 10 }, folder, async () => {}),
    keptSeq: (): number => {
      const [name = ''] = readdirSync(folder)
      return JSON.parse(readFileSync(join(folder, name), 'utf8')).seq
    },
    seqs: async () =>
      (await ctx.sql`select seq from ledger_seal order by id`).map(({ seq }) => seq),
  }
  await world.writeEntry()
  await world.seal()
  return world
}

test('a head that a killed Postgres never committed is not lost', async () => {
  const { postgres, owner, ctx, writeEntry, seal, keptSeq, seqs } = await sealedOnce()
  await owner.unsafe(`
    create function hold() returns trigger language plpgsql as $$
      begin perform pg_sleep(600); return null; end $$;
    create constraint trigger hold after insert on ledger_seal
      deferrable initially deferred for each row execute function hold();`)
  await writeEntry()
  const sealing = expect(seal()).rejects.toThrow()
  // The trigger delays the commit, so only the file has the head. It waits for no lock, because
  // the kill could release that before it ends the transaction.
  await waitFor('the head to be kept', keptSeq, (seq) => seq === 2)
  await postgres.killAndRestart()
  await sealing
  await owner`drop function hold() cascade`
  expect(await seqs()).toEqual([1])
  await seal()
  expect(await findLostHead(ctx)).toBeNull()
  expect(await seqs()).toEqual([1, 2])
})

test('a restored Postgres that uses transaction ids again notices that a head is lost', async () => {
  const { postgres, dataDir, ctx, writeEntry, seal, sealAndStop, seqs } = await sealedOnce()
  const backup = newFolder()
  await postgres.stop()
  copy(dataDir, backup)
  await postgres.restart()
  await writeEntry()
  await sealAndStop()
  expect(await seqs()).toEqual([1, 2])
  await postgres.stop()
  rmSync(dataDir, { recursive: true })
  copy(backup, dataDir)
  await postgres.restart()
  for (let count = 0; count < 100; count++) {
    const rolledBack = ctx.pool.begin(async (sql) => {
      await sql`select pg_current_xact_id()`
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
  }
  await writeEntry()
  await seal()
  expect(await findLostHead(ctx)).toMatchObject({ seq: 2 })
  expect(await seqs()).toEqual([1])
})
