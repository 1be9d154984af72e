import { expect, test } from 'vitest'
import { address, blockHash, CHAIN_ID, txHash } from '../../support/chain-facts.ts'
import { ACCOUNT, createSettledWorld } from './support/settled-world.ts'

test('credits exactly what arrived, once its block is final, and not before', async () => {
  const world = await createSettledWorld()
  const id = await world.record('a')
  expect(await world.read(id)).toMatchObject({
    status: 'pending',
    confirmation: { reason: 'waiting_for_transaction', confirmations: 0 },
  })
  await world.block(1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_001n }])
  expect(await world.finalise(0)).toBe(0)
  expect(await world.read(id)).toMatchObject({
    status: 'confirming',
    confirmation: { reason: 'waiting_for_finality', confirmations: 1, blockNumber: 1 },
    transaction: { logPosition: null },
  })
  expect(await world.raised()).toBe('0')
  expect(await world.finalise(1)).toBe(1)
  expect(await world.read(id)).toMatchObject({
    status: 'completed',
    amount: { value: '10.000001', currency: 'USDC' },
    declaredAmount: { value: '10', currency: 'USDC' },
    confirmedAmount: { value: '10.000001', currency: 'USDC' },
    discrepancy: true,
    confirmation: null,
    transaction: { logPosition: 0 },
  })
  expect(await world.raised()).toBe('10000001')
  expect(await world.events()).toEqual(['donation.completed'])
})

test('converts another asset at the configured price and keeps both amounts', async () => {
  const world = await createSettledWorld()
  const id = await world.record('a', '0.5', 'ETH')
  await world.finalBlock(1, [{ tx: 'a', to: ACCOUNT, wei: 500_000_000_000_000_001n }])
  expect(await world.read(id)).toMatchObject({
    confirmedAmount: { value: '0.500000000000000001', currency: 'ETH' },
    creditedAmount: { value: '1250', currency: 'USDC' },
    transaction: { logPosition: 'native' },
  })
  expect(await world.raised()).toBe('1250000000')
  const perAsset = await world.ctx.sql`
    select asset_id, count(*)::int as entries from ledger_entry group by asset_id order by asset_id`
  expect(perAsset).toHaveLength(2)
})

test('crosses several milestones and the target with one gift, each exactly once', async () => {
  const world = await createSettledWorld({ target: '100', milestones: ['30', '30', '40'] })
  await world.record('a')
  await world.record('b')
  await world.finalBlock(1, [{ tx: 'a', to: ACCOUNT, usdc: 65_000_000n }])
  expect(await world.events()).toEqual([
    'donation.completed',
    'campaign.milestone.reached',
    'campaign.milestone.reached',
  ])
  await world.finalBlock(2, [{ tx: 'b', to: ACCOUNT, usdc: 65_000_000n }])
  expect((await world.events()).slice(3)).toEqual([
    'donation.completed',
    'campaign.milestone.reached',
    'campaign.funded',
  ])
})

test('a reorganisation before finality leaves no trace in the money', async () => {
  const world = await createSettledWorld()
  const id = await world.record('a')
  await world.block(1, [])
  await world.block(2, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  expect(await world.undo(2, 1)).toEqual({ waiting: 1, reversed: 0 })
  expect((await world.read(id)).status).toBe('pending')
  await world.finalBlock(2, [], 'other', 'main')
  expect(await world.raised()).toBe('0')
  await world.block(3, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n, position: 4 }], 'other')
  await world.finalise(3)
  expect((await world.read(id)).status).toBe('completed')
  expect(await world.raised()).toBe('10000000')
  expect(await world.events()).toEqual(['donation.completed'])
})

test('a reorganisation after finality reverses the credit and its thresholds, and can be made good', async () => {
  const world = await createSettledWorld({ target: '10', milestones: ['10'] })
  const id = await world.record('a')
  await world.finalBlock(1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  for (const round of [1, 2]) {
    const branch = round === 1 ? 'main' : 'branch1'
    expect(await world.undo(1, 0, branch)).toEqual({ waiting: 0, reversed: 1 })
    expect(await world.read(id)).toMatchObject({ status: 'reversed' })
    expect(await world.raised()).toBe('0')
    await world.block(1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }], `branch${round}`, 'main')
    await world.finalise(1)
    expect(await world.read(id)).toMatchObject({ status: 'completed' })
    expect(await world.raised()).toBe('10000000')
  }
  const once = ['donation.completed', 'campaign.milestone.reached', 'campaign.funded']
  const back = ['donation.reversed', 'campaign.threshold.reverted', 'campaign.threshold.reverted']
  expect(await world.events()).toEqual([...once, ...back, ...once, ...back, ...once])
})

test('fails, at finality and not before, a transaction that brought the campaign nothing, and says why', async () => {
  const world = await createSettledWorld()
  const other = address('another account')
  const wrong = await world.record('wrong')
  const reverted = await world.record('reverted')
  const foreign = await world.record('foreign')
  const mismatch = await world.claim('mismatch', { ledgerAddress: other })
  const position = await world.claim('position', { logPosition: 7 })
  await world.block(1, [
    { tx: 'wrong', to: other },
    { tx: 'mismatch', to: ACCOUNT, usdc: 10_000_000n },
    { tx: 'position', to: ACCOUNT, usdc: 10_000_000n },
  ])
  const { recordTransfers } = await import('../../../src/domain/blocks/chain/record-transfers.ts')
  const place = { blockNumber: 1, blockHash: blockHash(1), minedAt: new Date() }
  const none = { reverted: false, unknownTokenRecipients: [], returned: [] }
  await recordTransfers(world.ctx, CHAIN_ID, {
    transfers: [],
    transactions: [
      { ...place, ...none, txHash: txHash('reverted'), reverted: true },
      { ...place, ...none, txHash: txHash('foreign'), unknownTokenRecipients: [ACCOUNT] },
    ],
  })
  const statusOf = async (id: string) => (await world.read(id)).status
  expect(await statusOf(wrong)).toBe('confirming')
  await world.finalise(1)
  for (const [donation, reason] of [
    [wrong, 'wrong_recipient'],
    [reverted, 'transaction_reverted'],
    [foreign, 'unknown_token'],
    [mismatch, 'ledger_address_mismatch'],
    [position, 'no_such_transfer'],
  ] as const) {
    expect(await world.read(donation)).toMatchObject({
      status: 'failed',
      reason,
    })
  }
  expect(await world.raised()).toBe('0')
  expect(await world.events()).toEqual(Array(5).fill('donation.failed'))
})

test('never credits a transfer that is older than the campaign', async () => {
  const world = await createSettledWorld()
  await world.ctx.sql`update campaign set created_at = '2100-01-01' where id = ${world.campaignId}`
  const id = await world.record('a')
  await world.finalBlock(1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  expect(await world.read(id)).toMatchObject({
    status: 'failed',
    reason: 'transfer_before_campaign',
  })
})

test('gives two claims on one transaction a transfer each, and the third none', async () => {
  const world = await createSettledWorld()
  const any = await world.record('batch')
  const second = await world.claim('batch', { logPosition: 3 }, '20')
  const same = await world.claim('batch', { logPosition: 3 }, '20')
  const late = await world.claim('batch', { logPosition: 'native' }, '5')
  expect(same).toBe(second)
  await world.finalBlock(1, [
    { tx: 'batch', to: ACCOUNT, usdc: 10_000_000n, position: 1 },
    { tx: 'batch', to: ACCOUNT, usdc: 20_000_000n, position: 3 },
  ])
  expect((await world.read(any)).confirmedAmount?.value).toBe('10')
  expect((await world.read(second)).confirmedAmount?.value).toBe('20')
  expect((await world.read(late)).reason).toBe('no_such_transfer')
  expect(await world.raised()).toBe('30000000')
})

test('a donation without a price stays final but unconverted, and holds no other up', async () => {
  const world = await createSettledWorld()
  const eth = await world.record('eth', '1', 'ETH')
  await world.block(1, [{ tx: 'eth', to: ACCOUNT, wei: 10n ** 18n }])
  await world.finalise(1, world.unpriced)
  expect(await world.read(eth)).toMatchObject({
    status: 'confirming',
    confirmation: { reason: 'price_unavailable' },
  })
  await world.record('usdc')
  await world.finalBlock(2, [{ tx: 'usdc', to: ACCOUNT, usdc: 1n }])
  expect(await world.raised()).toBe('1')
  await world.ctx.sql`update donation set next_check_at = now() where id = ${eth}`
  await world.finalise(2)
  expect(await world.raised()).toBe('2500000001')
})

test('tells the donor and the creator what was credited, reached and taken back, each in their language', async () => {
  const world = await createSettledWorld({ target: '10', milestones: ['10'] })
  await world.ctx.sql`update app_user set lang = 'de' where id = ${world.donor.userId}`
  await world.record('a')
  await world.finalBlock(1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await world.undo(1, 0)
  const of = async (userId: string) =>
    world.ctx.sql<{ type: string; title: string }[]>`
      select type, title from notification where user_id = ${userId} order by id`
  expect(await of(world.donor.userId)).toEqual([
    { type: 'donation_completed', title: 'Ihre Spende ist angekommen' },
    { type: 'donation_reversed', title: 'Ihre Spende wurde zurückgenommen' },
  ])
  expect((await of(world.creator.userId)).map((row) => row.type)).toEqual([
    'donation_completed',
    'milestone_reached',
    'campaign_funded',
    'donation_reversed',
  ])
})
