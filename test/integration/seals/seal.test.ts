import { expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import type { Context } from '../../../src/db/context.ts'
import { checkSeals, getLedgerHead, listSealKeys } from '../../../src/domain/books/index.ts'
import { addSealKey } from '../../../src/domain/books/seal/seal-keys.ts'
import { createSealLedgerJob } from '../../../worker/jobs/seal-ledger.ts'
import { newFolder } from '../../support/new-folder.ts'
import { createSealWorld } from './support/seal-world.ts'

const clean = async (ctx: Context) => (await checkSeals(ctx.pool)).differences

test('puts every entry of every campaign under a signed head, each chained to the one before', async () => {
  const world = await createSealWorld()
  const first = await world.donate(['a', 'b'])
  await world.seal()
  await world.donate(['c'])
  await world.seal()
  const head = await getLedgerHead(world.ctx, world.campaignId)
  expect(head).toMatchObject({ campaignId: world.campaignId, seq: 2, entries: first.length + 1 })
  expect(await checkSeals(world.ctx.pool)).toEqual({
    seals: 2,
    sealed: 3,
    unsealed: 0,
    differences: [],
  })
})

test('seals nothing twice, and leaves no seal without entries', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  await world.seal()
  await world.seal()
  await Promise.all([world.seal(), world.seal(), world.seal()])
  expect(await checkSeals(world.ctx.pool)).toMatchObject({ seals: 1, sealed: 1, differences: [] })
})

test('seals an entry that was committed after entries with greater ids', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  const late = createDatabase({ url: world.url, max: 1 })
  let commit = (): void => {}
  const committing = new Promise<void>((resolve) => {
    commit = resolve
  })
  let written = (): void => {}
  const isWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const writing = late.begin(async (sql) => {
    await world.writeEntry(sql)
    written()
    await committing
  })
  await isWritten
  await world.donate(['b'])
  await world.seal()
  expect(await checkSeals(world.ctx.pool)).toMatchObject({ sealed: 2, unsealed: 0 })
  commit()
  await writing
  await late.end()
  await world.seal()
  expect(await checkSeals(world.ctx.pool)).toMatchObject({
    seals: 2,
    sealed: 3,
    unsealed: 0,
    differences: [],
  })
})

test('does not wait for settling, and settling does not wait for it', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  // Holds the same locks as a settling transaction (chain and campaign total), and an uncommitted
  // entry.
  const settling = createDatabase({ url: world.url, max: 1 })
  await settling
    .begin(async (sql) => {
      await sql`select from chain_state for update`
      await sql`update campaign_total set raised = raised + 1`
      await world.writeEntry(sql)
      await world.seal()
      expect(await checkSeals(world.ctx.pool)).toMatchObject({ sealed: 1 })
      throw new Error('undone')
    })
    .catch((error: Error) => expect(error.message).toBe('undone'))
  await settling.end()
  expect(await clean(world.ctx)).toEqual([])
})

test('splits a long backlog into seals that a proof can read whole', async () => {
  const world = await createSealWorld()
  await world.writeEntries(2_500)
  await world.seal()
  expect(await checkSeals(world.ctx.pool)).toEqual({
    seals: 3,
    sealed: 2_500,
    unsealed: 0,
    differences: [],
  })
  expect(await getLedgerHead(world.ctx, world.campaignId)).toMatchObject({ seq: 3, entries: 2_500 })
})

test('old seals are checked with old keys after a rotation', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  await world.seal()
  world.clock.advance(1_000)
  await addSealKey(world.ctx)
  await world.donate(['b'])
  await world.seal()
  const keys = await listSealKeys(world.ctx)
  expect(keys).toHaveLength(2)
  expect(await world.ctx.sql`select distinct key_id from ledger_seal`).toHaveLength(2)
  expect((await getLedgerHead(world.ctx, world.campaignId)).keyId).toBe(keys[0]?.kid)
  expect(await clean(world.ctx)).toEqual([])
})

test('makes a new key by itself after a year', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  await world.seal()
  world.clock.advance(366 * 24 * 3_600_000)
  await world.donate(['b'])
  await world.seal()
  expect(await listSealKeys(world.ctx)).toHaveLength(2)
  expect(await clean(world.ctx)).toEqual([])
})

test('refuses to seal with a key that another SECRET closed', async () => {
  const world = await createSealWorld()
  await world.donate(['a'])
  await world.seal()
  await world.donate(['b'])
  const other = { ...world.ctx, secrets: world.otherSecrets }
  await expect(createSealLedgerJob(other, newFolder()).run()).rejects.toThrow(
    /SECRET is not the SECRET/,
  )
})

test.each([
  'update ledger_seal set seq = seq + 1',
  'delete from ledger_seal',
  'truncate ledger_seal cascade',
  "update sealed_entry set leaf = ''",
  'delete from sealed_entry',
  'truncate sealed_entry',
  "update seal_key set private_sealed = ''",
  'delete from seal_key',
])('refuses the service and the owner alike: %s', async (statement) => {
  const world = await createSealWorld()
  await world.donate(['a'])
  await world.seal()
  await expect(world.ctx.pool.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  await expect(owner.unsafe(statement)).rejects.toMatchObject({ code: '23001' })
  await owner.end()
})
