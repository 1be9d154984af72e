import { expect, test } from 'vitest'
import { advanceFinality } from '../../../src/domain/blocks/index.ts'
import {
  checkLedger,
  countUnpriced,
  listNeededPrices,
  postponeUnpriced,
  prunePrices,
  recordPrices,
} from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import type { FeedPrice, PriceFailureReason, PriceTable } from '../../../src/kernel/money/prices.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  minedAt,
  startChain,
  txHash,
} from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { finalise } from '../../support/finalise.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { undoBlocks } from '../../support/undo-blocks.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'

const ETHER = 10n ** 18n
const FEED = address('feed')

const setUp = async (
  currencies: string[],
  {
    feeds = ['ETH/USD'],
    prices = { 'USDC/USD': '1' },
  }: { feeds?: string[]; prices?: PriceTable } = {},
) => {
  const clock = createFakeClock(minedAt(1_000))
  const world = await createWorld({
    clock,
    prices,
    chains: [{ ...TEST_CHAIN, feeds: feeds.map((pair) => ({ pair })) }],
  })
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaigns = new Map<string, string>()
  for (const [index, currency] of currencies.entries()) {
    const account = address(`campaign ${index}`)
    const id = await createTestCampaign(world.ctx, { creator, account, currency })
    campaigns.set(account, id)
  }
  await startChain(world.ctx)
  const record = (index: number, tx: string, currency = 'ETH') =>
    recordGift(
      world.as(donor),
      campaigns.get(address(`campaign ${index}`)) ?? '',
      { hash: txHash(tx), from: address('donor') },
      '1',
      currency,
    )
  const answered = (
    pair: string,
    number: number,
    answer: bigint,
    branch = 'main',
    method: FeedPrice['method'] = 'block',
  ): FeedPrice => ({
    pair,
    blockNumber: number,
    blockHash: blockHash(number, branch),
    price: String(Number(answer) / 1e8),
    feed: FEED,
    roundId: '18446744073709551617',
    answer: answer.toString(),
    decimals: 8,
    updatedAt: new Date('2026-01-01T00:00:00Z'),
    method,
  })
  const view = (id: string) => getDonation(world.as(donor), id)
  const needed = async () =>
    (await listNeededPrices(world.ctx, CHAIN_ID, 100)).map(
      ({ pair, block }) => `${pair} ${block.number}`,
    )
  const { ctx } = world
  const settle = (number: number) => finalise(ctx, number)
  return { world, ctx, clock, record, settle, answered, view, needed }
}

test('a donation waits for the price of its block, and is credited at it exactly', async () => {
  const { ctx, record, settle, answered, view, needed } = await setUp(['USD'])
  const id = await record(0, 'a')
  await applyBlock(ctx, 1, [{ tx: 'a', to: address('campaign 0'), wei: (3n * ETHER) / 2n }])
  expect(await needed()).toEqual([])
  await settle(1)
  expect(await view(id)).toMatchObject({ status: 'confirming', price: null })
  expect(await needed()).toEqual(['ETH/USD 1'])
  await recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, 2_500_12345678n)])
  expect(await needed()).toEqual([])
  await settle(1)
  expect(await view(id)).toMatchObject({
    status: 'completed',
    creditedAmount: { value: '3750.18518517', currency: 'USD' },
    price: '2500.12345678',
    priceSource: [
      {
        pair: 'ETH/USD',
        inverse: false,
        price: '2500.12345678',
        method: 'block',
        feed: toChecksumAddress(FEED),
        roundId: '18446744073709551617',
        answer: '250012345678',
        decimals: 8,
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
  })
  expect(await countUnpriced(ctx, CHAIN_ID)).toBe(0)
  expect((await checkLedger(ctx.pool)).differences).toEqual([])
})

test('a batch of which half has no price settles the other half', async () => {
  const { ctx, record, settle, answered, view } = await setUp(['USD', 'USDC', 'ETH'])
  const ids: string[] = []
  for (let number = 1; number <= 4; number++) {
    for (let index = 0; index < 3; index++) ids.push(await record(index, `${number}/${index}`))
    await applyBlock(
      ctx,
      number,
      [0, 1, 2].map((index) => ({
        tx: `${number}/${index}`,
        to: address(`campaign ${index}`),
        wei: ETHER,
      })),
    )
  }
  await recordPrices(ctx, CHAIN_ID, [
    answered('ETH/USD', 1, 2_000_00000000n),
    answered('ETH/USD', 3, 2_600_00000000n),
  ])
  await settle(4)
  const views = await Promise.all(ids.map(view))
  expect(views.map((one) => one.creditedAmount?.value ?? one.confirmation?.reason)).toEqual([
    ...['2000', '2000', '1'],
    ...['waiting_for_finality', 'waiting_for_finality', '1'],
    ...['2600', '2600', '1'],
    ...['waiting_for_finality', 'waiting_for_finality', '1'],
  ])
  expect((await checkLedger(ctx.pool)).differences).toEqual([])
})

test('two feeds and an inverse convert exactly, and all are kept', async () => {
  const { ctx, record, settle, answered, view } = await setUp(['ETH', 'USDC'], {
    feeds: ['ETH/USD', 'USDC/USD'],
    prices: {},
  })
  const inverse = await record(0, 'inverse', 'USDC')
  const cross = await record(1, 'cross')
  const wei = 1_234567890123456789n
  await applyBlock(ctx, 1, [
    { tx: 'inverse', to: address('campaign 0'), usdc: 10_000_001n },
    { tx: 'cross', to: address('campaign 1'), wei },
  ])
  const [eth, usdc] = [2_500_12345678n, 99980000n]
  await recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, eth), answered('USDC/USD', 1, usdc)])
  await settle(1)
  const rows = await ctx.sql<{ id: string; creditedAmount: string }[]>`
    select id, credited_amount from donation`
  const credited = new Map(rows.map((row) => [row.id, BigInt(row.creditedAmount)]))
  expect(credited.get(cross)).toBe((wei * eth * 10n ** 6n) / (usdc * ETHER))
  expect(credited.get(inverse)).toBe((10_000_001n * usdc * ETHER) / (eth * 10n ** 6n))
  const legs = async (id: string) =>
    (await view(id)).priceSource?.map((leg) => `${leg.inverse ? '1/' : ''}${leg.pair}`)
  expect(await legs(cross)).toEqual(['ETH/USD', '1/USDC/USD'])
  expect(await legs(inverse)).toEqual(['USDC/USD', '1/ETH/USD'])
  expect((await view(cross)).price).toBe('2500.62358149629925')
})

test('a configured price stands in for no feed, and beside one where it has none', async () => {
  const { ctx, record, settle, answered, view } = await setUp(['USD', 'USDC'], {
    prices: { 'ETH/USD': '1', 'ETH/USDC': '2', 'USDC/USD': '0.5' },
  })
  const usd = await record(0, 'usd')
  const usdc = await record(1, 'usdc')
  await applyBlock(ctx, 1, [
    { tx: 'usd', to: address('campaign 0'), wei: ETHER },
    { tx: 'usdc', to: address('campaign 1'), wei: ETHER },
  ])
  await settle(1)
  expect((await view(usd)).status).toBe('confirming')
  await recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, 3_000_00000000n)])
  await settle(1)
  expect((await view(usd)).creditedAmount?.value).toBe('3000')
  expect(await view(usdc)).toMatchObject({
    creditedAmount: { value: '6000' },
    price: '6000',
    priceSource: [
      { pair: 'ETH/USD', method: 'block' },
      { pair: 'USDC/USD', method: 'fixed', price: '0.5', inverse: true },
    ],
  })
})

test('a list of prices is read at the time of the block', async () => {
  const { ctx, record, settle, view, needed } = await setUp(['USD'], {
    feeds: [],
    prices: {
      'ETH/USD': [
        [minedAt(2).toISOString(), '2500'],
        [minedAt(4).toISOString(), '2600.5'],
      ],
    },
  })
  const ids: string[] = []
  for (let number = 1; number <= 4; number++) {
    ids.push(await record(0, `t${number}`))
    await applyBlock(ctx, number, [{ tx: `t${number}`, to: address('campaign 0'), wei: ETHER }])
  }
  await settle(4)
  expect(await needed()).toEqual([])
  const views = await Promise.all(ids.map(view))
  expect(views.map((one) => one.price)).toEqual([null, '2500', '2500', '2600.5'])
  expect(views[0]?.confirmation?.reason).toBe('price_unavailable')
  expect(views[1]?.priceSource).toBeNull()
})

test('a price that cannot be read is named, and tried again later and later', async () => {
  const { ctx, clock, record, settle, view, needed } = await setUp(['USD', 'USD'])
  const id = await record(0, 'a')
  const other = await record(1, 'b')
  await applyBlock(ctx, 1, [{ tx: 'a', to: address('campaign 0'), wei: ETHER }])
  await applyBlock(ctx, 2, [{ tx: 'b', to: address('campaign 1'), wei: ETHER }])
  await advanceFinality(ctx, CHAIN_ID, { number: 2, hash: null })
  const fail = (reason: PriceFailureReason) =>
    postponeUnpriced(ctx, CHAIN_ID, [
      { pair: 'ETH/USD', blockNumber: 1, blockHash: blockHash(1), reason, why: 'a test says so' },
    ])
  expect(await needed()).toEqual(['ETH/USD 1', 'ETH/USD 2'])
  const waits: number[] = []
  for (let time = 0; time < 10; time++) {
    await fail('price_stale')
    expect(await needed()).toEqual(['ETH/USD 2'])
    const next = (await view(id)).confirmation?.nextCheckAt
    waits.push(((next?.getTime() ?? 0) - clock.now().getTime()) / 1_000)
    clock.set(next ?? new Date(0))
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
  expect((await view(id)).confirmation?.reason).toBe('price_stale')
  await fail('sequencer_down')
  expect((await view(id)).confirmation?.reason).toBe('sequencer_down')
  expect((await view(other)).confirmation?.reason).toBe('waiting_for_finality')
  expect(await countUnpriced(ctx, CHAIN_ID)).toBe(1)
  await settle(2)
  expect((await view(id)).confirmation?.reason).toBe('sequencer_down')
})

test('a donation whose block is replaced has the price of its new block', async () => {
  const { ctx, record, settle, answered, view, needed } = await setUp(['USD'])
  const id = await record(0, 'a')
  const paid = [{ tx: 'a', to: address('campaign 0'), wei: ETHER }]
  await applyBlock(ctx, 1, paid)
  await recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, 2_000_00000000n)])
  await settle(1)
  expect((await view(id)).creditedAmount?.value).toBe('2000')
  await undoBlocks(ctx, 1, 0)
  expect(await view(id)).toMatchObject({ status: 'reversed', price: null, priceSource: null })
  await applyBlock(ctx, 1, paid, 'other', 'main')
  await advanceFinality(ctx, CHAIN_ID, { number: 1, hash: null })
  expect(await needed()).toEqual(['ETH/USD 1'])
  await recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, 2_200_00000000n, 'other', 'round')])
  await settle(1)
  expect(await view(id)).toMatchObject({
    status: 'completed',
    creditedAmount: { value: '2200' },
    priceSource: [{ method: 'round' }],
  })
  expect((await checkLedger(ctx.pool)).differences).toEqual([])
})

test('an answer that makes more than an amount can hold lets its donation wait, and no other', async () => {
  const { ctx, record, settle, answered, view } = await setUp(['USD', 'ETH'])
  const giant = await record(0, 'giant')
  const fine = await record(1, 'fine')
  await applyBlock(ctx, 1, [
    { tx: 'giant', to: address('campaign 0'), wei: ETHER },
    { tx: 'fine', to: address('campaign 1'), wei: ETHER },
  ])
  await recordPrices(ctx, CHAIN_ID, [
    { ...answered('ETH/USD', 1, 1n), answer: (2n ** 255n - 1n).toString(), decimals: 0 },
  ])
  await settle(1)
  expect((await view(giant)).confirmation?.reason).toBe('price_unavailable')
  expect((await view(fine)).status).toBe('completed')
})

test('what was read first of a block stays its price', async () => {
  const { ctx, record, settle, answered, view } = await setUp(['USD'])
  const id = await record(0, 'a')
  await applyBlock(ctx, 1, [{ tx: 'a', to: address('campaign 0'), wei: ETHER }])
  await Promise.all(
    [1n, 2n, 3n].map((one) =>
      recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, one * 100_000_000n)]),
    ),
  )
  const [row] = await ctx.sql<{ answer: string }[]>`select answer from chain_price`
  await recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, 9_00000000n)])
  await settle(1)
  expect((await view(id)).price).toBe(String(Number(row?.answer) / 1e8))
})

test('prices far below the final block are forgotten after a day', async () => {
  const { ctx, clock, answered } = await setUp(['USD'])
  await recordPrices(ctx, CHAIN_ID, [answered('ETH/USD', 1, 1n), answered('ETH/USD', 5_000, 1n)])
  await ctx.sql`update chain_state set finalized_number = 6000`
  expect(await prunePrices(ctx, 100)).toBe(0)
  clock.advance(25 * 3_600_000)
  expect(await prunePrices(ctx, 100)).toBe(1)
  expect(await ctx.sql`select block_number from chain_price`).toEqual([{ blockNumber: 5_000 }])
})
