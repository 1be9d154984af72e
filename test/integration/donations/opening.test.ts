import { describe, expect, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import { applyBlocks, matchLateDonations } from '../../../src/domain/blocks/index.ts'
import { changeCampaign, proveAccount } from '../../../src/domain/campaigns/index.ts'
import {
  announceDeposits,
  challengeDeposit,
  claimDeposit,
  ListOwnDeposits,
  listOwnDeposits,
} from '../../../src/domain/donations/index.ts'
import { applyBlock, blockHash, CHAIN_ID, minedAt } from '../../support/chain-facts.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createUser } from '../../support/world.ts'
import { createOpeningWorld, gift, OPENED } from './support/opening-world.ts'
import { ACCOUNT, DONOR } from './support/settled-world.ts'

describe('a payment to a campaign that opens while block 2 is the newest one known', () => {
  test.each([
    ['in block 2', 2, 2, 5, 'transfer_before_campaign'],
    ['in block 2, of a chain whose clock is ahead', 2, 1, 0, 'transfer_before_campaign'],
    ['in block 3', 3, 2, 5, 'completed'],
    ['in block 3, of a chain whose clock is 30 seconds behind', 3, 5, 6, 'completed'],
    ['in block 3, of a chain whose clock is a minute behind', 3, 8, 0, 'completed'],
    ['in block 3, of a chain whose clock is an hour behind', 3, 302, 0, 'completed'],
    ['in block 2, of a chain whose clock is an hour behind', 2, 302, 0, 'transfer_before_campaign'],
  ])('%s', async (_, block, clockBlock, seconds, outcome) => {
    const world = await createOpeningWorld()
    await world.block(1, [])
    await world.block(2, [])
    world.setClock(clockBlock, seconds)
    const campaignId = await world.create()
    const id = await world.record('a', campaignId)
    await world.block(3, [])
    await world.lookUp(block, 'a')
    await world.finalise(3)
    expect(await world.outcomeOf(id)).toBe(outcome)
    const before = outcome !== 'completed'
    expect(await world.deposits(campaignId)).toEqual([{ block, before, claimed: !before }])
    expect(await world.balance('custody', campaignId)).toBe('10000000')
    expect(await world.balance('unclaimed', campaignId)).toBe(before ? '10000000' : '0')
    expect(await world.differences()).toEqual([])
  })
})

test.each(['created', 'changed', 'proven'])(
  'a campaign that opens by being %s counts from the next block, by a clock 30 seconds behind',
  async (way) => {
    const world = await createOpeningWorld()
    const { creatorContext: creator } = world
    await world.block(1, [])
    world.setClock(1, 40)
    const waiting = { ...creator, settings: { ...creator.settings, requireAccountProof: true } }
    const id =
      way === 'created'
        ? await world.create()
        : await world.create(way === 'proven' ? 'active' : 'draft', waiting)
    if (way === 'changed') await changeCampaign(creator, id, { status: 'active' })
    if (way === 'proven') {
      await proveAccount(waiting, id, { account: OPENED, chainId: CHAIN_ID })
    }
    const donation = await world.record('a', id)
    await world.finalBlock(2, [{ ...gift('a'), claimed: true }])
    expect(await world.outcomeOf(donation)).toBe('completed')
  },
)

test('while no worker follows the chain, only the clock says what came after an opening', async () => {
  const world = await createOpeningWorld()
  await world.block(1, [])
  await world.ctx.sql`update chain_state set updated_at = updated_at - interval '61 seconds'`
  world.setClock(8)
  const campaignId = await world.create()
  await world.block(2, [gift('old')])
  await world.finalBlock(3, [gift('new')])
  expect(await world.deposits(campaignId)).toEqual([
    { block: 3, before: false, claimed: false },
    { block: 2, before: true, claimed: false },
  ])
})

test('while blocks are known that are not read, only the clock says what came after an opening', async () => {
  const world = await createOpeningWorld()
  await applyBlocks(world.ctx, {
    chainId: CHAIN_ID,
    after: { number: 0, hash: blockHash(0) },
    blocks: [{ number: 1, hash: blockHash(1), parentHash: blockHash(0), minedAt: minedAt(1) }],
    observed: { transfers: [], transactions: [] },
    headNumber: 3,
  })
  world.setClock(4)
  const campaignId = await world.create()
  await world.block(2, [])
  await world.block(3, [gift('old')])
  await world.finalBlock(4, [gift('new')])
  expect(await world.deposits(campaignId)).toEqual([
    { block: 4, before: false, claimed: false },
    { block: 3, before: true, claimed: false },
  ])
})

test('an opening that waits for the chain counts after the block that is read meanwhile', async () => {
  const world = await createOpeningWorld()
  world.setClock(1, 5)
  let opening: Promise<string> | undefined
  await withTransaction(world.ctx, async (ctx) => {
    await applyBlock(ctx, 1, [gift('old')])
    opening = world.create()
    await waitFor(
      'the opening to wait',
      () => world.ctx.sql`
        select from pg_locks
        where locktype = 'tuple' and relation = 'chain_state'::regclass
          and database = (select oid from pg_database where datname = current_database())`,
      (rows) => rows.length > 0,
    )
  })
  const campaignId = (await opening) ?? ''
  await world.finalBlock(2, [gift('new')])
  expect(await world.deposits(campaignId)).toEqual([
    { block: 2, before: false, claimed: false },
    { block: 1, before: true, claimed: false },
  ])
})

test('what a draft has received is a deposit of its campaign once it opens, and no gift for anybody', async () => {
  const world = await createOpeningWorld()
  const campaignId = await world.create('draft')
  await world.block(1, [gift('early')])
  await world.finalBlock(2, [gift('late')])
  expect(await world.entries()).toEqual([])
  world.setClock(2, 5)
  await changeCampaign(world.creatorContext, campaignId, { status: 'active' })
  await world.finalBlock(3, [gift('gift')])
  expect(await world.deposits(campaignId)).toEqual([
    { block: 3, before: false, claimed: false },
    { block: 2, before: true, claimed: false },
    { block: 1, before: true, claimed: false },
  ])
  expect(await world.balance('custody', campaignId)).toBe('30000000')
  expect(await world.balance('unclaimed', campaignId)).toBe('30000000')
  await world.link()
  const donor = world.world.as(world.donor)
  const own = (await listOwnDeposits(donor, ListOwnDeposits.parse({}))).items
  expect(own.map((one) => one.beforeCampaign)).toEqual([false, true, true])
  const [counting, old] = own
  for (const attempt of [
    () => challengeDeposit(donor, old?.id ?? ''),
    () => claimDeposit(donor, old?.id ?? '', { nonce: null }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'transfer_before_campaign' })
  }
  await claimDeposit(donor, counting?.id ?? '', { nonce: null })
  await world.finalise(3)
  expect(await world.raised(campaignId)).toBe('10000000')
})

test('neither an intent nor a claim of its sender takes what came before the opening', async () => {
  const world = await createOpeningWorld()
  const campaignId = await world.create('draft')
  await world.block(1, [])
  await world.block(2, [gift('early')])
  await changeCampaign(world.creatorContext, campaignId, { status: 'active' })
  // The clock of the chain is ahead, so the block is newer than the intent.
  const intent = await world.intend('10', 'USDC', DONOR, campaignId)
  await matchLateDonations(world.ctx, CHAIN_ID)
  const stranger = await createUser(world.ctx)
  const strange = await world.record('early', campaignId, stranger)
  await world.link()
  await expect(world.record('early', campaignId)).rejects.toMatchObject({
    code: 'transfer_already_claimed',
  })
  await world.lookUp(2, 'early')
  await world.finalise(2)
  expect(await world.outcomeOf(intent)).toBe('pending')
  expect(await world.outcomeOf(strange)).toBe('transfer_before_campaign')
  expect(await world.raised(campaignId)).toBe('0')
  expect(await world.balance('unclaimed', campaignId)).toBe('10000000')
})

test('a creator is notified of unclaimed deposits, and not of those from before the campaign', async () => {
  const world = await createOpeningWorld()
  const campaignId = await world.create('draft')
  await world.block(1, [gift('old')])
  await changeCampaign(world.creatorContext, campaignId, { status: 'active' })
  await world.finalBlock(2, [gift('new')])
  world.clock.advance(2 * 3_600_000)
  await announceDeposits(world.ctx, 10)
  const rows = await world.ctx.sql<{ block: number }[]>`
    select transfer.block_number as block
    from event join chain_transfer transfer on transfer.id = (event.body::jsonb -> 'data' ->> 'depositId')::uuid
    where event.type = 'deposit.unclaimed'`
  expect(rows.map((row) => row.block)).toEqual([2])
})

test.each([40, 600])(
  'each transfer to an account of two campaigns is a deposit of exactly one of them, by a clock %i seconds behind',
  async (seconds) => {
    const world = await createOpeningWorld()
    const first = await world.create('draft')
    await world.block(1, [gift('before')])
    await changeCampaign(world.creatorContext, first, { status: 'active' })
    await world.block(2, [gift('first')])
    await changeCampaign(world.creatorContext, first, { status: 'completed' })
    await world.block(3, [gift('late')])
    world.setClock(3, seconds)
    const second = await world.create()
    await world.finalBlock(4, [gift('second')])
    const blocks = async (id: string) => (await world.deposits(id)).map((one) => one.block)
    expect(await blocks(first)).toEqual([3, 2, 1])
    expect(await blocks(second)).toEqual([4])
    expect(await world.balance('custody', first)).toBe('30000000')
    expect(await world.balance('custody', second)).toBe('10000000')
    expect(await world.differences()).toEqual([])
  },
)

test.each([40, 600])(
  'a payment after the opening counts in each block where a reorganisation leaves it, by a clock %i seconds behind',
  async (seconds) => {
    const world = await createOpeningWorld()
    await world.block(1, [])
    await world.block(2, [])
    world.setClock(2, seconds)
    const campaignId = await world.create()
    const id = await world.record('a', campaignId)
    await world.block(3, [{ ...gift('a'), claimed: true }])
    await world.undo(3, 1)
    await world.block(2, [], 'other', 'main')
    await world.block(3, [], 'other')
    await world.finalBlock(4, [{ ...gift('a'), claimed: true }], 'other')
    expect(await world.outcomeOf(id)).toBe('completed')
  },
)

test('a campaign that opened before its place in the chain was noted counts by the clock alone', async () => {
  const world = await createOpeningWorld()
  const donation = await world.record('a', world.campaignId)
  const late = await world.record('b', world.campaignId)
  await world.ctx.sql`update campaign set created_at = ${minedAt(2)}`
  await world.block(1, [{ tx: 'a', to: ACCOUNT, usdc: 1n }])
  await world.finalBlock(2, [{ tx: 'b', to: ACCOUNT, usdc: 1n }])
  expect(await world.outcomeOf(donation)).toBe('transfer_before_campaign')
  expect(await world.outcomeOf(late)).toBe('completed')
})
