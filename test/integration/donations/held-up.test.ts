import { expect, test } from 'vitest'
import { recordTransfers } from '../../../src/domain/blocks/chain/record-transfers.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { createAssetCatalogue } from '../../../src/kernel/money/assets.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  minedAt,
  startChain,
  txHash,
} from '../../support/chain-facts.ts'
import { finalise } from '../../support/finalise.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { undoBlocks } from '../../support/undo-blocks.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'

const ACCOUNT = address('campaign')
const DONOR = address('donor')

const setUp = async () => {
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaign = (account: string, currency = 'USDC') =>
    createTestCampaign(world.ctx, { creator, account, currency })
  await startChain(world.ctx)
  const record = (campaignId: string, tx: string, value = '10', currency = 'USDC') =>
    recordGift(world.as(donor), campaignId, { hash: txHash(tx), from: DONOR }, value, currency)
  const statusOf = async (id: string) => (await getDonation(world.as(donor), id)).status
  return { world, campaign, record, statusOf }
}

test('a claim that failed more than once comes back when its block is undone, once', async () => {
  const { world, campaign, record, statusOf } = await setUp()
  const campaignId = await campaign(ACCOUNT)
  const place = { blockNumber: 1, blockHash: blockHash(1), minedAt: minedAt(1) }
  const reverted = {
    transfers: [],
    transactions: [
      { ...place, txHash: txHash('a'), reverted: true, unknownTokenRecipients: [], returned: [] },
    ],
  }
  await applyBlock(world.ctx, 1, [])
  const ids: string[] = []
  for (let time = 0; time < 2; time++) {
    ids.push(await record(campaignId, 'a'))
    await recordTransfers(world.ctx, CHAIN_ID, reverted)
    await finalise(world.ctx, 1)
  }
  expect(await Promise.all(ids.map(statusOf))).toEqual(['failed', 'failed'])
  await undoBlocks(world.ctx, 1, 0)
  expect((await Promise.all(ids.map(statusOf))).toSorted()).toEqual(['failed', 'pending'])
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }], 'other', 'main')
  await finalise(world.ctx, 1)
  expect((await Promise.all(ids.map(statusOf))).toSorted()).toEqual(['completed', 'failed'])
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
})

test('a donation in an asset that is configured no more waits, and holds no other up', async () => {
  const { world, campaign, record, statusOf } = await setUp()
  const usd = await campaign(ACCOUNT, 'USD')
  const usdc = await campaign(address('other'))
  const gone = await record(usd, 'gone')
  const fine = await record(usdc, 'fine')
  await applyBlock(world.ctx, 1, [
    { tx: 'gone', to: ACCOUNT, usdc: 10_000_000n },
    { tx: 'fine', to: address('other'), usdc: 10_000_000n },
  ])
  const assets = createAssetCatalogue([TEST_CHAIN], {})
  const changed = { ...world.ctx, settings: { ...world.ctx.settings, assets } }
  await finalise(changed, 1)
  expect([await statusOf(gone), await statusOf(fine)]).toEqual(['confirming', 'completed'])
  await world.ctx.sql`update donation set next_check_at = now() where id = ${gone}`
  await finalise(world.ctx, 1)
  expect(await statusOf(gone)).toBe('completed')
})

test('a transfer whose worth exceeds every amount that can be kept waits, and holds no other up', async () => {
  const { world, campaign, record, statusOf } = await setUp()
  const usd = await campaign(ACCOUNT, 'USD')
  const usdc = await campaign(address('other'))
  const giant = await record(usd, 'giant')
  const fine = await record(usdc, 'fine')
  await applyBlock(world.ctx, 1, [
    { tx: 'giant', to: ACCOUNT, usdc: 2n ** 256n - 1n },
    { tx: 'fine', to: address('other'), usdc: 10_000_000n },
  ])
  await finalise(world.ctx, 1)
  expect([await statusOf(giant), await statusOf(fine)]).toEqual(['confirming', 'completed'])
})

test('ten of the largest transfers to one campaign stop nothing', async () => {
  const { world, campaign, record, statusOf } = await setUp()
  const one = await campaign(ACCOUNT)
  const ids: string[] = []
  for (let i = 0; i < 10; i++) ids.push(await record(one, `t${i}`))
  await applyBlock(
    world.ctx,
    1,
    ids.map((_, i) => ({ tx: `t${i}`, to: ACCOUNT, usdc: 2n ** 256n - 1n })),
  )
  await finalise(world.ctx, 1)
  expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['completed']))
})
