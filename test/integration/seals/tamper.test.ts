import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { checkSeals, type RememberedHead } from '../../../src/domain/books/index.ts'
import { onOneSnapshot } from '../../../src/domain/books/ranges/run-parts.ts'
import { lastSeals } from '../../../src/domain/books/seal/check-seals.ts'
import { readIssuedSeal } from '../../../src/domain/books/seal/seal-statements.ts'
import { createSealWorld, type SealWorld } from './support/seal-world.ts'
import { restore, SEAL_CHANGES, tamper, threeSeals as worldOfThree } from './support/three-seals.ts'

const threeSeals = async () => {
  const world = await worldOfThree()
  return { ...world, remembered: world.heads.third }
}

const found = async (world: SealWorld & { remembered: RememberedHead | undefined }) => {
  const { differences } = await checkSeals(
    world.ctx.pool,
    world.remembered ? [world.remembered] : [],
  )
  return differences.map(({ what, id }) => `${what} ${id}`)
}

const CHANGES = [
  'amount = amount + 1',
  "kind = 'deposit'",
  'debit_account = credit_account, credit_account = debit_account',
  "asset_id = 'eip155:31337/slip44:60'",
  'donation_id = null',
  'donation_id = (select donation_id from ledger_entry where id = 4)',
  'transfer_id = null',
  'transfer_id = (select transfer_id from ledger_entry where id = 4)',
  'generation = 7',
  'block_number = 1',
  "block_hash = '0x00'",
  'milestone_id = campaign_id',
  'reverses = 1',
  "created_at = created_at + interval '1 millisecond'",
]

test('names the entry in which any column was changed', async () => {
  const world = await threeSeals()
  await tamper(world, [
    ...['ledger_entry_release', 'ledger_entry_reverses'].map(
      (name) => `alter table ledger_entry drop constraint ${name}`,
    ),
    'drop index ledger_entry_once',
    'create table saved as table ledger_entry',
  ])
  for (const change of CHANGES) {
    await tamper(world, [`update ledger_entry set ${change} where id = 3`])
    expect([change, await found(world)]).toEqual([
      change,
      expect.arrayContaining(['sealed entry 3']),
    ])
    await restore(world, 'ledger_entry')
    expect(await found(world)).toEqual([])
  }
})

test('misses no seal that was made after the check had begun', async () => {
  const world = await worldOfThree()
  const { pool } = world.ctx
  const issued = await readIssuedSeal(pool)
  const { differences } = await onOneSnapshot(pool, 1, async ([sql = pool]) => {
    await sql`select from ledger_seal`
    await world.writeEntry(pool)
    await world.seal()
    return lastSeals([], issued).run(sql, {})
  })
  expect(await readIssuedSeal(pool)).toBeGreaterThan(issued)
  expect(differences).toEqual([])
})

test('names the entry that was given to another campaign', async () => {
  const world = await threeSeals()
  await tamper(world, ['update ledger_entry set campaign_id = gen_random_uuid() where id = 3'])
  expect(await found(world)).toEqual([
    'sealed entry 3',
    'campaign of sealed entry 3',
    'account of entry 3',
  ])
})

test.each([
  ["tx_hash = sha256('other')", 'chain_transfer'],
  ['position = 5', 'chain_transfer'],
  ["recipient = substr(sha256('other'), 1, 20)", 'chain_transfer'],
])('names the entries whose transfer has another %s', async (change, table) => {
  const world = await threeSeals()
  await tamper(world, [
    `update ${table} set ${change} where id = (select transfer_id from ledger_entry where id = 3)`,
  ])
  expect(await found(world)).toEqual(['sealed entry 3'])
})

test('names the entries whose accounts were turned into others', async () => {
  const world = await threeSeals()
  await tamper(world, ["update ledger_account set kind = 'released' where kind = 'held'"])
  expect(await found(world)).toEqual([1, 2, 3, 4, 5].map((id) => `sealed entry ${id}`))
  const other = await threeSeals()
  await tamper(other, ['update ledger_account set campaign_id = gen_random_uuid()'])
  expect(await found(other)).toContain('account of entry 3')
})

test('names the seal when an entry was changed with its leaf', async () => {
  const world = await threeSeals()
  await tamper(world, [
    'update ledger_entry set amount = amount + 1 where id = 3',
    `update sealed_entry set leaf = '0x${'11'.repeat(32)}' where entry_id = 3`,
  ])
  expect(await found(world)).toContain(`root of seal 2 of campaign ${world.campaignId}`)
})

test('names what was turned into something that cannot even be read', async () => {
  const world = await threeSeals()
  await tamper(world, [
    "update sealed_entry set leaf = 'nonsense' where entry_id = 1",
    "update ledger_entry set created_at = 'infinity' where id = 3",
    "update ledger_seal set sealed_at = 'infinity' where seq = 3",
    "update seal_key set public_jwk = '{}'",
  ])
  expect(await found(world)).toEqual(
    expect.arrayContaining([
      'sealed entry 1',
      `root of seal 1 of campaign ${world.campaignId}`,
      'sealed entry 3',
      `head of seal 3 of campaign ${world.campaignId}`,
      `signature of seal 2 of campaign ${world.campaignId}`,
    ]),
  )
})

test('names an entry that was removed', async () => {
  const world = await threeSeals()
  await tamper(world, ['delete from ledger_entry where id = 4'])
  expect(await found(world)).toContain('sealed entry 4')
})

test('names the seal when an entry was removed with its place in it', async () => {
  const world = await threeSeals()
  await tamper(world, [
    'delete from ledger_entry where id = 4',
    'delete from sealed_entry where entry_id = 4',
  ])
  expect(await found(world)).toEqual(
    expect.arrayContaining([
      `number of entries of seal 3 of campaign ${world.campaignId}`,
      `root of seal 3 of campaign ${world.campaignId}`,
    ]),
  )
})

test('names an entry that was put between sealed ones, before and after it is sealed itself', async () => {
  const world = await threeSeals()
  await tamper(world, [
    'delete from sealed_entry where entry_id = 2',
    'delete from ledger_entry where id = 2',
    // An inserted entry with the same time as its neighbours.
    `insert into ledger_entry
       (id, kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
     overriding system value
     select 2, kind, debit_account, credit_account, asset_id, 99, campaign_id, created_at
     from ledger_entry where id = 1`,
  ])
  expect(await found(world)).toContain('entry inserted between sealed entries 2')
  await world.seal()
  expect(await found(world)).toContain('entry inserted between sealed entries 2')
})

test('names the seal when an entry was slipped into it', async () => {
  const world = await threeSeals()
  await world.writeEntry(world.ctx.sql)
  await tamper(world, [
    `insert into sealed_entry (entry_id, seal_id, position, leaf)
     select max(id), 2, 1, '0x${'11'.repeat(32)}' from ledger_entry`,
  ])
  expect(await found(world)).toEqual(
    expect.arrayContaining([
      'sealed entry 6',
      `number of entries of seal 2 of campaign ${world.campaignId}`,
      `root of seal 2 of campaign ${world.campaignId}`,
    ]),
  )
})

test('names the newest entries when they were cut off without their seals', async () => {
  const world = await threeSeals()
  await tamper(world, ['delete from ledger_entry where id > 3'])
  expect(await found(world)).toEqual(expect.arrayContaining(['sealed entry 4', 'sealed entry 5']))
})

/** Removes the proofs too, because a donation's proof is requested when the donation is sealed. */
const NO_PROOFS =
  'delete from donation_proof where donation_id in (select donation_id from ledger_entry where id > 3)'
const CUT_OFF = [
  NO_PROOFS,
  'delete from ledger_entry where id > 3',
  'delete from sealed_entry where entry_id > 3',
  'delete from ledger_seal where seq = 3',
]

test('notices that the newest entries were cut off with their seals', async () => {
  const world = await threeSeals()
  await tamper(world, CUT_OFF)
  expect(await checkSeals(world.ctx.pool)).toMatchObject({
    differences: [{ what: 'newest seal', stored: '2', recomputed: '3' }],
  })
  // A check also notices the loss after later seals.
  world.forgetHead()
  await world.donate(['f'])
  await world.seal()
  expect(await found({ ...world, remembered: undefined })).toEqual([
    `position of seal among all seals 3 of campaign ${world.campaignId}`,
  ])
})

test('a kept head shows the loss even when every trace was cut off', async () => {
  const world = await threeSeals()
  await tamper(world, [...CUT_OFF, "select setval('ledger_seal_id_seq', 2)"])
  expect((await checkSeals(world.ctx.pool)).differences).toEqual([])
  expect(await found(world)).toEqual([`remembered head of campaign ${world.campaignId} 3`])
  // Later seals do not hide the loss either.
  world.forgetHead()
  await world.donate(['f'])
  await world.seal()
  expect(await found(world)).toEqual([`remembered head of campaign ${world.campaignId} 3`])
})

test('notices by the chain of all seals that a whole campaign lost its newest ones', async () => {
  const world = await threeSeals()
  const [other] = await world.ctx.sql<{ id: string }[]>`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, created_at, updated_at)
    select gen_random_uuid(), creator_id, title, description, status, currency_id, target_amount,
           chain_id, bytes_of('0x00000000000000000000000000000000000000aa'), created_at, updated_at
    from campaign returning id`
  const campaignId = other?.id ?? ''
  await world.ctx.sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    select kind, ${campaignId}, asset_id from ledger_account`
  await world.ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
    select 'donation', min(id), max(id), min(asset_id), 1, ${campaignId}, ${world.clock.now()}
    from ledger_account where campaign_id = ${campaignId}`
  await world.seal()
  expect(await found(world)).toEqual([])
  await tamper(world, [
    NO_PROOFS,
    'delete from ledger_entry where id in (4, 5)',
    'delete from sealed_entry where entry_id in (4, 5)',
    'delete from ledger_seal where seq = 3',
  ])
  expect(await found({ ...world, remembered: undefined })).toEqual([
    `position of seal among all seals 1 of campaign ${campaignId}`,
    `previous global head of seal 1 of campaign ${campaignId}`,
  ])
})

test('names the seal in which any column was changed', async () => {
  const world = await threeSeals()
  await tamper(world, ['create table saved as table ledger_seal'])
  for (const [change, what] of SEAL_CHANGES) {
    await tamper(world, [`update ledger_seal set ${change} where seq = 2`])
    const names = await found({ ...world, remembered: undefined })
    expect([change, names]).toEqual([change, expect.arrayContaining([expect.stringMatching(what)])])
    await restore(world, 'ledger_seal')
    expect(await found(world)).toEqual([])
  }
})

test('names the signature of each seal if the stored key was replaced, although every hash fits', async () => {
  const world = await threeSeals()
  await tamper(world, [
    "update seal_key set public_jwk = jsonb_set(public_jwk, '{x}', '\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"')",
  ])
  expect(await found(world)).toEqual(
    [1, 2, 3].map((seq) => `signature of seal ${seq} of campaign ${world.campaignId}`),
  )
})

test.each([
  ['within the hour', 3_600_000],
  ['after a clock that was 80 hours ahead was set back', -80 * 3_600_000],
])('finds an entry that was committed long after its id was given, %s', async (_when, ms) => {
  const world = await createSealWorld()
  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  onTestFinished(() => owner.end())
  await owner`alter table ledger_entry alter column id restart with 50000`
  await world.donate(['a'])
  await world.seal()
  await owner`
    insert into ledger_entry
      (id, kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
    overriding system value
    select 5, kind, debit_account, credit_account, asset_id, 1, campaign_id, created_at
    from ledger_entry`
  await world.seal()
  expect(await checkSeals(world.ctx.pool)).toMatchObject({ sealed: 1, unsealed: 1 })
  world.clock.advance(ms)
  await world.seal()
  expect(await checkSeals(world.ctx.pool)).toMatchObject({
    sealed: 2,
    unsealed: 0,
    differences: [],
  })
})
