import { expect, test } from 'vitest'
import { checkSince, checkSlice, type SignedHead } from '../../../src/domain/books/index.ts'
import { USDC_ASSET } from '../../support/chain-facts.ts'
import { createSealWorld, type SealWorld } from './support/seal-world.ts'
import { keepHead, restore, SEAL_CHANGES, tamper, threeSeals } from './support/three-seals.ts'

const found = async (world: SealWorld, kept: SignedHead): Promise<string[]> => {
  const { differences } = await checkSince(world.ctx.pool, { kept, others: [] }, checkSlice)
  return differences.map(({ what, id }) => `${what} ${id}`)
}

test('finds nothing from any head where nothing was changed, and counts what is new', async () => {
  const world = await threeSeals()
  await world.donate(['f'])
  const from = async (kept: SignedHead) =>
    checkSince(world.ctx.pool, { kept, others: [] }, checkSlice)
  const { first, second, third } = world.heads
  const nothing = { differences: [], unsealed: 1, isCut: false }
  expect(await from(first)).toEqual({ sealId: 1, aboveEntry: 2, seals: 3, sealed: 5, ...nothing })
  expect(await from(second)).toEqual({ sealId: 2, aboveEntry: 3, seals: 2, sealed: 3, ...nothing })
  expect(await from(third)).toEqual({ sealId: 3, aboveEntry: 5, seals: 1, sealed: 2, ...nothing })
})

test('finds an entry that was changed after the head or in its seal, and none from before it', async () => {
  const world = await threeSeals()
  await tamper(world, ['update ledger_entry set amount = amount + 1 where id = 3'])
  const { first, second, third } = world.heads
  expect(await found(world, first)).toContain('sealed entry 3')
  expect(await found(world, second)).toContain('sealed entry 3')
  expect(await found(world, third)).toEqual([])
})

test('names the newer seal of which any column was written over', async () => {
  const world = await threeSeals()
  await tamper(world, ['create table saved as table ledger_seal'])
  for (const [change, what] of SEAL_CHANGES) {
    await tamper(world, [`update ledger_seal set ${change} where seq = 2`])
    const names = await found(world, world.heads.first)
    expect([change, names]).toEqual([change, expect.arrayContaining([expect.stringMatching(what)])])
    await restore(world, 'ledger_seal')
  }
  expect(await found(world, world.heads.first)).toEqual([])
})

test('names the last seal before the head by what the seal of the head follows', async () => {
  const world = await threeSeals()
  const other = `'0x${'11'.repeat(32)}'`
  await tamper(world, [
    `update ledger_seal set head = ${other}, global_head = ${other} where seq = 1`,
  ])
  expect(await found(world, world.heads.second)).toEqual([
    `previous head of seal 2 of campaign ${world.campaignId}`,
    `previous global head of seal 2 of campaign ${world.campaignId}`,
  ])
  await tamper(world, ['delete from ledger_seal where seq = 1'])
  expect(await found(world, world.heads.second)).toContain(
    `position of seal among all seals 2 of campaign ${world.campaignId}`,
  )
})

test('names newer entries and seals that were removed', async () => {
  const world = await threeSeals()
  await tamper(world, ['delete from ledger_entry where id = 4'])
  expect(await found(world, world.heads.second)).toContain('sealed entry 4')
  await tamper(world, ['delete from ledger_seal where seq = 3'])
  expect(await found(world, world.heads.second)).toEqual([
    'seal of sealed entry 4',
    'seal of sealed entry 5',
    'newest seal of all campaigns',
  ])
})

test('names an entry that was put between newer ones, before and after it is sealed itself', async () => {
  const world = await threeSeals()
  await tamper(world, [
    'delete from sealed_entry where entry_id = 4',
    'delete from ledger_entry where id = 4',
    `insert into ledger_entry
       (id, kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
     overriding system value
     select 4, kind, debit_account, credit_account, asset_id, 99, campaign_id, created_at
     from ledger_entry where id = 5`,
  ])
  const old = "created_at = created_at - interval '1 hour'"
  await tamper(world, [`update ledger_entry set ${old} where id = 4`])
  expect(await found(world, world.heads.second)).toContain(
    'entry inserted between sealed entries 4',
  )
  await world.seal()
  expect(await found(world, world.heads.second)).toContain(
    'entry inserted between sealed entries 4',
  )
  // The inserted entry is also found since the newest head, because it lies before the seal of that
  // head.
  const newest = await keepHead(world)
  expect(await found(world, newest)).toContain('entry inserted between sealed entries 4')
})

test('names a newer entry in an account of another campaign, and one that waits for its seal for long', async () => {
  const world = await threeSeals()
  await world.donate(['f'])
  await tamper(world, ['update ledger_account set campaign_id = gen_random_uuid()'])
  await world.ctx.sql`update chain_state set updated_at = ${new Date(Date.now() + 10 ** 9)}`
  await tamper(world, ["update ledger_entry set created_at = '2020-01-01' where id = 6"])
  expect(await found(world, world.heads.third)).toEqual(
    expect.arrayContaining(['account of entry 4', 'account of entry 6', 'seal of entry 6']),
  )
})

test('names a newer donation that was sealed again, by the row of its proof', async () => {
  const world = await threeSeals()
  const [donation] = await world.ctx.sql<{ id: string }[]>`
    select donation_id as id from ledger_entry where id = 3`
  await tamper(world, [
    'delete from sealed_entry where entry_id > 2',
    'delete from ledger_seal where seq > 1',
    "select setval('ledger_seal_id_seq', 1)",
  ])
  await world.seal()
  expect(await found(world, world.heads.first)).toContain(`seal of donation ${donation?.id}`)
})

test('finds a ledger that was cut off before the head, and goes no further', async () => {
  const world = await threeSeals()
  await tamper(world, [
    'delete from ledger_entry where id > 3',
    'delete from sealed_entry where entry_id > 3',
    'delete from ledger_seal where seq = 3',
    "select setval('ledger_seal_id_seq', 2)",
  ])
  const { third } = world.heads
  expect(await checkSince(world.ctx.pool, { kept: third, others: [] }, checkSlice)).toMatchObject({
    sealId: null,
    seals: 0,
    differences: [
      { what: 'remembered head of campaign', stored: 'gone', recomputed: third.head },
      { what: 'remembered global head of campaign', stored: 'gone' },
    ],
  })
  await world.donate(['f'])
  await world.seal()
  expect(await found(world, third)).toEqual([
    `remembered head of campaign ${world.campaignId} 3`,
    `remembered global head of campaign ${world.campaignId} 3`,
  ])
})

test('finds that another campaign was rewritten before the head, by the head of all seals', async () => {
  const world = await createSealWorld()
  const [other] = await world.ctx.sql<{ id: string }[]>`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, created_at, updated_at)
    select gen_random_uuid(), creator_id, title, description, status, currency_id, target_amount,
           chain_id, bytes_of('0x00000000000000000000000000000000000000aa'), created_at, updated_at
    from campaign returning id`
  const campaignId = other?.id ?? ''
  await world.ctx.sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    values ('custody', ${campaignId}, ${USDC_ASSET}), ('held', ${campaignId}, ${USDC_ASSET})`
  await world.ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
    select 'donation', min(id), max(id), ${USDC_ASSET}, 1, ${campaignId}, ${world.clock.now()}
    from ledger_account where campaign_id = ${campaignId}`
  await world.donate(['a'])
  await world.seal()
  const kept = await keepHead(world)
  expect(await checkSince(world.ctx.pool, { kept, others: [] }, checkSlice)).toMatchObject({
    sealId: 2,
    differences: [],
  })
  await tamper(world, [
    'update ledger_entry set amount = 2 where id = 1',
    'delete from sealed_entry',
    'delete from ledger_seal',
    "select setval('ledger_seal_id_seq', 1, false)",
  ])
  world.forgetHead()
  await world.seal()
  expect((await keepHead(world)).head).toBe(kept.head)
  expect(await found(world, kept)).toEqual([
    `remembered global head of campaign ${world.campaignId} 1`,
  ])
})

test('compares other kept heads too', async () => {
  const world = await threeSeals()
  const { first, second } = world.heads
  const others = [first, { ...first, head: second.head }]
  const { differences } = await checkSince(world.ctx.pool, { kept: second, others }, checkSlice)
  expect(differences).toEqual([
    {
      what: 'remembered head of campaign',
      id: `${world.campaignId} 1`,
      stored: first.head,
      recomputed: second.head,
    },
  ])
})

test('says that it stopped at the first 1 000 differences', async () => {
  const world = await threeSeals()
  await world.writeEntries(600)
  const { differences, isCut } = await checkSince(
    world.ctx.pool,
    { kept: world.heads.third, others: [] },
    checkSlice,
  )
  expect([differences.length, isCut]).toEqual([1_000, true])
})
