import { expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { createAssetCatalogue } from '../../../src/kernel/money/assets.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  startChain,
  txHash,
} from '../../support/chain-facts.ts'
import { recordDonation } from '../../support/donate.ts'
import { eventTypes } from '../../support/event-types.ts'
import { finalise } from '../../support/finalise.ts'
import { undoBlocks } from '../../support/undo-blocks.ts'
import {
  createTestCampaign,
  createUser,
  createWorld,
  TEST_CHAIN,
  type World,
} from '../../support/world.ts'

const ACCOUNT = address('campaign')
const DONOR = address('donor')

const setUp = async (input: { target?: string; milestones?: string[]; currency?: string } = {}) => {
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, { creator, account: ACCOUNT, ...input })
  await startChain(world.ctx)
  const record = async (tx: string, value = '10', currency = 'USDC', extra = {}) =>
    (
      await recordDonation(world.as(donor), {
        campaignId,
        amount: { value, currency },
        transaction: { txHash: txHash(tx), ledgerAddress: DONOR, ...extra },
      })
    ).donation
  return { world, creator, donor, campaignId, record }
}

const raised = async ({ ctx }: World, campaignId: string): Promise<string> => {
  const [row] = await ctx.sql<{ raised: string }[]>`
    select raised from campaign_total where campaign_id = ${campaignId}`
  return row?.raised ?? 'none'
}

const expectBalanced = async ({ ctx }: World): Promise<void> => {
  expect((await checkLedger(ctx.pool)).differences).toEqual([])
}

test('credits exactly what arrived, once its block is final, and not before', async () => {
  const { world, donor, campaignId, record } = await setUp()
  const { id } = await record('a')
  expect(await getDonation(world.as(donor), id)).toMatchObject({
    status: 'pending',
    confirmation: { reason: 'waiting_for_transaction', confirmations: 0 },
  })
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_001n }])
  expect(await finalise(world.ctx, 0)).toBe(0)
  expect(await getDonation(world.as(donor), id)).toMatchObject({
    status: 'confirming',
    confirmation: { reason: 'waiting_for_finality', confirmations: 1, blockNumber: 1 },
    transaction: { logPosition: null },
  })
  expect(await raised(world, campaignId)).toBe('0')
  expect(await finalise(world.ctx, 1)).toBe(1)
  expect(await getDonation(world.as(donor), id)).toMatchObject({
    status: 'completed',
    amount: { value: '10.000001', currency: 'USDC' },
    declaredAmount: { value: '10', currency: 'USDC' },
    confirmedAmount: { value: '10.000001', currency: 'USDC' },
    discrepancy: true,
    confirmation: null,
    transaction: { logPosition: 0 },
  })
  expect(await raised(world, campaignId)).toBe('10000001')
  expect(await eventTypes(world.ctx)).toEqual(['donation.completed'])
  await expectBalanced(world)
})

test('converts another asset at the configured price and keeps both amounts', async () => {
  const { world, donor, campaignId, record } = await setUp()
  const { id } = await record('a', '0.5', 'ETH')
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, wei: 500_000_000_000_000_001n }])
  await finalise(world.ctx, 1)
  expect(await getDonation(world.as(donor), id)).toMatchObject({
    confirmedAmount: { value: '0.500000000000000001', currency: 'ETH' },
    creditedAmount: { value: '1250', currency: 'USDC' },
    transaction: { logPosition: 'native' },
  })
  expect(await raised(world, campaignId)).toBe('1250000000')
  const perAsset = await world.ctx.sql`
    select asset_id, count(*)::int as entries from ledger_entry group by asset_id order by asset_id`
  expect(perAsset).toHaveLength(2)
  await expectBalanced(world)
})

test('crosses several milestones and the target with one gift, each exactly once', async () => {
  const { world, record } = await setUp({ target: '100', milestones: ['30', '30', '40'] })
  await record('a')
  await record('b')
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 65_000_000n }])
  await finalise(world.ctx, 1)
  expect(await eventTypes(world.ctx)).toEqual([
    'donation.completed',
    'campaign.milestone.reached',
    'campaign.milestone.reached',
  ])
  await applyBlock(world.ctx, 2, [{ tx: 'b', to: ACCOUNT, usdc: 65_000_000n }])
  await finalise(world.ctx, 2)
  expect((await eventTypes(world.ctx)).slice(3)).toEqual([
    'donation.completed',
    'campaign.milestone.reached',
    'campaign.funded',
  ])
})

test('a reorganisation before finality leaves no trace in the money', async () => {
  const { world, donor, campaignId, record } = await setUp()
  const { id } = await record('a')
  await applyBlock(world.ctx, 1, [])
  await applyBlock(world.ctx, 2, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  const undone = await undoBlocks(world.ctx, 2, 1)
  expect(undone).toEqual({ waiting: 1, reversed: 0 })
  expect((await getDonation(world.as(donor), id)).status).toBe('pending')
  await applyBlock(world.ctx, 2, [], 'other', 'main')
  await finalise(world.ctx, 2)
  expect(await raised(world, campaignId)).toBe('0')
  await applyBlock(
    world.ctx,
    3,
    [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n, position: 4 }],
    'other',
  )
  await finalise(world.ctx, 3)
  expect((await getDonation(world.as(donor), id)).status).toBe('completed')
  expect(await raised(world, campaignId)).toBe('10000000')
  expect(await eventTypes(world.ctx)).toEqual(['donation.completed'])
  await expectBalanced(world)
})

test('a reorganisation after finality reverses the credit and its thresholds, and can be made good', async () => {
  const { world, donor, campaignId, record } = await setUp({ target: '10', milestones: ['10'] })
  const { id } = await record('a')
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await finalise(world.ctx, 1)
  for (const round of [1, 2]) {
    const branch = round === 1 ? 'main' : 'branch1'
    const undone = await undoBlocks(world.ctx, 1, 0, branch)
    expect(undone).toEqual({ waiting: 0, reversed: 1 })
    expect(await getDonation(world.as(donor), id)).toMatchObject({ status: 'reversed' })
    expect(await raised(world, campaignId)).toBe('0')
    await expectBalanced(world)
    await applyBlock(
      world.ctx,
      1,
      [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }],
      `branch${round}`,
      'main',
    )
    await finalise(world.ctx, 1)
    expect(await getDonation(world.as(donor), id)).toMatchObject({ status: 'completed' })
    expect(await raised(world, campaignId)).toBe('10000000')
    await expectBalanced(world)
  }
  const once = ['donation.completed', 'campaign.milestone.reached', 'campaign.funded']
  const back = ['donation.reversed', 'campaign.threshold.reverted', 'campaign.threshold.reverted']
  expect(await eventTypes(world.ctx)).toEqual([...once, ...back, ...once, ...back, ...once])
})

test('fails, at finality and not before, whatever brought the campaign nothing, and says why', async () => {
  const { world, donor, campaignId, record } = await setUp()
  const other = address('somebody else')
  const wrong = await record('wrong')
  const reverted = await record('reverted')
  const foreign = await record('foreign')
  const mismatch = await record('mismatch', '10', 'USDC', { ledgerAddress: other })
  const position = await record('position', '10', 'USDC', { logPosition: 7 })
  await applyBlock(world.ctx, 1, [
    { tx: 'wrong', to: other },
    { tx: 'mismatch', to: ACCOUNT, usdc: 10_000_000n },
    { tx: 'position', to: ACCOUNT, usdc: 10_000_000n },
  ])
  const { recordTransfers } = await import('../../../src/domain/blocks/index.ts')
  const place = { blockNumber: 1, blockHash: blockHash(1), minedAt: new Date() }
  await recordTransfers(world.ctx, CHAIN_ID, {
    transfers: [],
    transactions: [
      {
        ...place,
        txHash: txHash('reverted'),
        reverted: true,
        unknownTokenRecipients: [],
        returned: [],
      },
      {
        ...place,
        txHash: txHash('foreign'),
        reverted: false,
        unknownTokenRecipients: [ACCOUNT],
        returned: [],
      },
    ],
  })
  const statusOf = async (id: string) => (await getDonation(world.as(donor), id)).status
  expect(await statusOf(wrong.id)).toBe('confirming')
  await finalise(world.ctx, 1)
  for (const [donation, reason] of [
    [wrong, 'wrong_recipient'],
    [reverted, 'transaction_reverted'],
    [foreign, 'unknown_token'],
    [mismatch, 'ledger_address_mismatch'],
    [position, 'no_such_transfer'],
  ] as const) {
    expect(await getDonation(world.as(donor), donation.id)).toMatchObject({
      status: 'failed',
      reason,
    })
  }
  expect(await raised(world, campaignId)).toBe('0')
  expect(await eventTypes(world.ctx)).toEqual(Array(5).fill('donation.failed'))
})

test('never credits a transfer that is older than the campaign', async () => {
  const { world, donor, record, campaignId } = await setUp()
  await world.ctx.sql`update campaign set created_at = '2100-01-01' where id = ${campaignId}`
  const { id } = await record('a')
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await finalise(world.ctx, 1)
  expect(await getDonation(world.as(donor), id)).toMatchObject({
    status: 'failed',
    reason: 'transfer_before_campaign',
  })
})

test('gives two claims on one transaction a transfer each, and the third none', async () => {
  const { world, donor, record, campaignId } = await setUp()
  const any = await record('batch')
  const second = await record('batch', '20', 'USDC', { logPosition: 3 })
  const same = await record('batch', '20', 'USDC', { logPosition: 3 })
  const late = await record('batch', '5', 'USDC', { logPosition: 'native' })
  expect(same.id).toBe(second.id)
  await applyBlock(world.ctx, 1, [
    { tx: 'batch', to: ACCOUNT, usdc: 10_000_000n, position: 1 },
    { tx: 'batch', to: ACCOUNT, usdc: 20_000_000n, position: 3 },
  ])
  await finalise(world.ctx, 1)
  expect((await getDonation(world.as(donor), any.id)).confirmedAmount?.value).toBe('10')
  expect((await getDonation(world.as(donor), second.id)).confirmedAmount?.value).toBe('20')
  expect((await getDonation(world.as(donor), late.id)).reason).toBe('no_such_transfer')
  expect(await raised(world, campaignId)).toBe('30000000')
  await expectBalanced(world)
})

test('a donation without a price stays final but unconverted, and holds nobody up', async () => {
  const { world, donor, record, campaignId } = await setUp()
  const bare = createAssetCatalogue([TEST_CHAIN], {})
  const eth = await record('eth', '1', 'ETH')
  await applyBlock(world.ctx, 1, [{ tx: 'eth', to: ACCOUNT, wei: 10n ** 18n }])
  const unpriced = { ...world.ctx, settings: { ...world.ctx.settings, assets: bare } }
  await finalise(unpriced, 1)
  expect(await getDonation(world.as(donor), eth.id)).toMatchObject({
    status: 'confirming',
    confirmation: { reason: 'price_unavailable' },
  })
  await record('usdc')
  await applyBlock(world.ctx, 2, [{ tx: 'usdc', to: ACCOUNT, usdc: 1n }])
  await finalise(world.ctx, 2)
  expect(await raised(world, campaignId)).toBe('1')
  await world.ctx.sql`update donation set next_check_at = now() where id = ${eth.id}`
  await finalise(world.ctx, 2)
  expect(await raised(world, campaignId)).toBe('2500000001')
  await expectBalanced(world)
})

test('tells the donor and the creator what was credited, reached and taken back, each in their language', async () => {
  const { world, creator, donor, record } = await setUp({ target: '10', milestones: ['10'] })
  await world.ctx.sql`update app_user set lang = 'de' where id = ${donor.userId}`
  await record('a')
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await finalise(world.ctx, 1)
  await undoBlocks(world.ctx, 1, 0)
  const of = async (userId: string) =>
    world.ctx.sql<{ type: string; title: string }[]>`
      select type, title from notification where user_id = ${userId} order by id`
  expect(await of(donor.userId)).toEqual([
    { type: 'donation_completed', title: 'Ihre Spende ist angekommen' },
    { type: 'donation_reversed', title: 'Ihre Spende wurde storniert' },
  ])
  expect((await of(creator.userId)).map((row) => row.type)).toEqual([
    'donation_completed',
    'milestone_reached',
    'campaign_funded',
    'donation_reversed',
  ])
})
