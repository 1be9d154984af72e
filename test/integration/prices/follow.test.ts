import { describe, expect, onTestFinished, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import type { PriceTable } from '../../../src/kernel/money/prices.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createReadPricesJob } from '../../../worker/jobs/read-prices.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { startHalf } from '../../support/halves.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { RpcFault, type RpcServer, serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil, type Signed, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { deployFeed, priceBlock, roundId } from '../../support/test-feed.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'

const ETHER = 10n ** 18n

type Feed = { pair: string; address: string; heartbeatSeconds: number; slackSeconds?: number }
type Setting = {
  chain: TestChain
  feeds: Feed[]
  sequencerFeed?: { address: string; graceSeconds: number }
  prices?: PriceTable
  nodes?: number
}

/** A worker whose chain has this number of nodes, and a campaign in USDC. */
const setUp = async ({ chain, feeds, sequencerFeed, prices = {}, nodes = 1 }: Setting) => {
  const servers: RpcServer[] = []
  for (let index = 0; index < nodes; index++) {
    servers.push(await serveRpc((method, params) => chain.call(method, params)))
  }
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.close()))
  })
  const metrics = createTestMetrics()
  const settings = { ...TEST_CHAIN, feeds, ...(sequencerFeed ? { sequencerFeed } : {}) }
  const world = await createWorld({ metrics, prices, chains: [settings] })
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const account = address('campaign')
  const campaignId = await createTestCampaign(world.ctx, { creator, account })
  const sync = createChainSync(world.ctx, {
    ...settings,
    name: 'test',
    rpc: servers.map((server) => server.url),
    startBlock: 0,
  })
  const followOnly = () => syncChain(sync, new AbortController().signal)
  const readPrices = () => createReadPricesJob(sync).run()
  const follow = async () => {
    await followOnly()
    await readPrices()
  }
  const record = ({ hash, from }: Signed) =>
    recordGift(world.as(donor), campaignId, { hash, from }, '1', 'ETH')
  /**
   * Sends ether to the campaign, and mines a block. Returns the donation's id and the block's
   * number.
   */
  const give = async (index: number, ether = '1') => {
    const signed = await chain.send(await chain.signEther(index, account, ether))
    const id = await record(signed)
    return { id, block: await chain.mine() }
  }
  return {
    world,
    metrics,
    servers,
    account,
    sync,
    follow,
    followOnly,
    readPrices,
    record,
    give,
    view: (id: string) => getDonation(world.as(donor), id),
    /** Makes all mined blocks final, and settles their donations. */
    finish: async () => {
      await chain.mine(3)
      await follow()
    },
    due: () => world.ctx.sql`update donation set next_check_at = null where status = 'confirming'`,
    unpriced: () => metrics.value('fundproof_donations_unpriced', { chain: TEST_CHAIN.id }),
  }
}

const ethUsd = async (chain: TestChain) => {
  const feed = await deployFeed(chain, 'ETH / USD', 8)
  return { feed, setting: { pair: 'ETH/USD', address: feed.address, heartbeatSeconds: 3_600 } }
}

const PAR = { 'USDC/USD': '1' }

/** A worker and a campaign on a chain whose feed has a first answer. */
const setUpFed = async (answer: bigint, prices: PriceTable = PAR) => {
  const chain = await startTestChain()
  const { feed, setting } = await ethUsd(chain)
  await feed.write('transmit', answer)
  return { chain, feed, setting, world: await setUp({ chain, feeds: [setting], prices }) }
}

describe.skipIf(!hasAnvil)('a donation that a feed of its chain prices', () => {
  test('is credited at the price of its block, also if the price is another when it is final', async () => {
    const chain = await startTestChain()
    const { feed, setting } = await ethUsd(chain)
    const usdc = await deployFeed(chain, 'USDC / USD', 8)
    const world = await setUp({
      chain,
      feeds: [setting, { pair: 'USDC/USD', address: usdc.address, heartbeatSeconds: 86_400 }],
    })
    await world.follow()
    await feed.send('transmit', 2_500_12345678n)
    await usdc.send('transmit', 99980000n)
    const { id, block } = await world.give(1, '1.5')
    await feed.write('transmit', 9_999_00000000n)
    await world.finish()
    const expected = (15n * 10n ** 17n * 2_500_12345678n * 10n ** 6n) / (99980000n * ETHER)
    const [row] = await world.world.ctx.sql`select credited_amount from donation`
    expect(row?.creditedAmount).toBe(expected.toString())
    const at = await priceBlock(chain, block)
    const step = { method: 'block', roundId: roundId(1, 1).toString(), decimals: 8 }
    expect(await world.view(id)).toMatchObject({
      status: 'completed',
      price: '2500.62358149629925',
      priceSource: [
        {
          ...step,
          pair: 'ETH/USD',
          inverse: false,
          feed: toChecksumAddress(feed.address),
          answer: '250012345678',
          updatedAt: at.minedAt.toISOString(),
        },
        {
          ...step,
          pair: 'USDC/USD',
          inverse: true,
          feed: toChecksumAddress(usdc.address),
          answer: '99980000',
        },
      ],
    })
    expect((await checkLedger(world.world.ctx.pool)).differences).toEqual([])
    expect(world.unpriced()).toBe(0)
  })

  test('is read once for all donations of its block', async () => {
    const { chain, world } = await setUpFed(2_000_00000000n)
    await world.follow()
    for (let index = 1; index <= 5; index++) {
      await world.record(await chain.send(await chain.signEther(index, world.account, '1')))
    }
    await world.finish()
    const rows = await world.world.ctx.sql`select distinct status, price from donation`
    expect(rows).toEqual([{ status: 'completed', price: '2000' }])
    expect(world.servers[0]?.calls.filter(({ method }) => method === 'eth_call')).toHaveLength(3)
    expect(await world.world.ctx.sql`select 1 from chain_price`).toHaveLength(1)
  })

  test('waits while the feed fails, and is then credited at the price of its block', async () => {
    const { chain, feed, world } = await setUpFed(2_000_00000000n)
    await world.follow()
    await feed.write('setFailing', true)
    const { id } = await world.give(1)
    const token = await chain.send(await chain.signToken(2, world.account, 7_000_000n))
    const other = await world.record(token)
    await world.finish()
    expect(await world.view(id)).toMatchObject({
      status: 'confirming',
      confirmation: { reason: 'price_unavailable', nextCheckAt: expect.any(Date) },
    })
    expect(await world.view(other)).toMatchObject({ status: 'completed', price: null })
    expect(world.unpriced()).toBe(1)
    await feed.write('setFailing', false)
    await chain.call('evm_increaseTime', [60])
    await feed.write('transmit', 3_000_00000000n)
    await world.due()
    await world.finish()
    expect(await world.view(id)).toMatchObject({
      status: 'completed',
      creditedAmount: { value: '2000', currency: 'USDC' },
      priceSource: [{ method: 'round', roundId: roundId(1, 1).toString() }, { method: 'fixed' }],
    })
    expect(world.unpriced()).toBe(0)
    expect((await checkLedger(world.world.ctx.pool)).differences).toEqual([])
  })

  test('whose price is not known for long holds up no other donation', async () => {
    const { chain, world } = await setUpFed(2_000_00000000n)
    await world.follow()
    const [node] = world.servers
    if (!node) throw new Error('There is no node.')
    const answered = Promise.withResolvers<void>()
    node.alter = async (method, _params, result) => {
      if (method === 'eth_call') await answered.promise
      return result
    }
    const { id } = await world.give(1)
    await chain.mine(3)
    await world.followOnly()
    const reading = world.readPrices()
    await waitFor(
      'the price to be asked for',
      () => node.calls.some(({ method }) => method === 'eth_call'),
      Boolean,
    )
    const token = await chain.send(await chain.signToken(2, world.account, 7_000_000n))
    const other = await world.record(token)
    await chain.mine(3)
    await world.followOnly()
    expect((await world.view(other)).status).toBe('completed')
    expect((await world.view(id)).status).toBe('confirming')
    answered.resolve()
    await reading
    expect((await world.view(id)).status).toBe('completed')
  })

  test('is priced by a worker as it is configured', async () => {
    const { chain, setting, world } = await setUpFed(2_345_67890000n)
    const { id } = await world.give(1)
    await chain.mine(3)
    await startHalf('worker', {
      databaseUrl: world.world.url,
      rpcUrl: chain.url,
      env: {
        PRICES: JSON.stringify(PAR),
        CHAINS: JSON.stringify([{ ...servedBy(chain.url), pollIntervalMs: 100, feeds: [setting] }]),
      },
    })
    const done = await waitFor(
      'the worker to settle it',
      () => world.view(id),
      ({ status }) => status === 'completed',
    )
    expect(done).toMatchObject({ price: '2345.6789', priceSource: [{ method: 'block' }, {}] })
  })

  test('never falls back to a configured price of the same pair', async () => {
    const prices = { ...PAR, 'ETH/USD': '2500', 'ETH/USDC': '2500' }
    const { world } = await setUpFed(-1n, prices)
    await world.follow()
    const { id } = await world.give(1)
    await world.finish()
    expect(await world.view(id)).toMatchObject({
      status: 'confirming',
      confirmation: { reason: 'price_unavailable' },
    })
  })

  test('waits where the answer was stale at its block, until more patience is configured', async () => {
    const chain = await startTestChain()
    const { feed, setting } = await ethUsd(chain)
    await feed.write('transmit', 2_000_00000000n)
    const patient = { ...setting, slackSeconds: 0 }
    const world = await setUp({ chain, feeds: [patient], prices: PAR })
    await world.follow()
    await chain.call('evm_increaseTime', [3_700])
    const { id } = await world.give(1)
    await feed.write('transmit', 9_000_00000000n)
    await world.finish()
    expect((await world.view(id)).confirmation?.reason).toBe('price_stale')
    patient.slackSeconds = 1_000
    const sync = createChainSync(world.world.ctx, {
      ...TEST_CHAIN,
      name: 'test',
      rpc: [chain.url],
      feeds: [patient],
    })
    await world.due()
    await chain.mine()
    await createReadPricesJob({ ...sync, owner: world.sync.owner }).run()
    expect(await world.view(id)).toMatchObject({
      status: 'completed',
      creditedAmount: { value: '2000' },
    })
  })

  test('waits where the sequencer was down at its block', async () => {
    const chain = await startTestChain()
    const { feed, setting } = await ethUsd(chain)
    const sequencer = await deployFeed(chain, 'L2 Sequencer Uptime Status Feed', 0)
    await feed.write('transmit', 2_000_00000000n)
    const world = await setUp({
      chain,
      feeds: [setting],
      prices: PAR,
      sequencerFeed: { address: sequencer.address, graceSeconds: 600 },
    })
    await world.follow()
    await sequencer.write('transmit', 1n)
    const down = await world.give(1)
    await sequencer.write('transmit', 0n)
    await chain.call('evm_increaseTime', [700])
    const up = await world.give(2)
    await world.finish()
    expect((await world.view(down.id)).confirmation?.reason).toBe('sequencer_down')
    expect((await world.view(up.id)).status).toBe('completed')
    expect(world.unpriced()).toBe(1)
  })

  test('is priced again where a reorganisation moves it to another block', async () => {
    const { chain, feed, world } = await setUpFed(2_000_00000000n)
    await world.follow()
    const signed = await chain.send(await chain.signEther(1, world.account, '1'))
    const id = await world.record(signed)
    await world.finish()
    expect((await world.view(id)).creditedAmount?.value).toBe('2000')
    const before = (await world.view(id)).transaction?.blockNumber
    await chain.reorg(3, [[signed, 2]])
    await world.follow()
    await feed.write('transmit', 2_200_00000000n)
    await world.finish()
    const after = await world.view(id)
    expect(after.status).toBe('completed')
    expect(after.transaction?.blockNumber).toBe((before ?? 0) + 2)
    const rows = await world.world.ctx.sql<{ blockNumber: number }[]>`
      select block_number from chain_price order by block_number`
    expect(rows.map((row) => row.blockNumber)).toEqual([before, (before ?? 0) + 2])
    expect((await checkLedger(world.world.ctx.pool)).differences).toEqual([])
  })
})

/** Makes a node report one hundredth of the price of each feed. */
const lieOfPrices = (node: RpcServer | undefined) => {
  if (!node) return
  node.alter = (method, _params, result) => {
    if (method !== 'eth_call' || typeof result !== 'string' || result.length !== 322) return result
    const answer = BigInt(`0x${result.slice(66, 130)}`) / 100n
    return result.slice(0, 66) + answer.toString(16).padStart(64, '0') + result.slice(130)
  }
}

/** Makes a node delete the states of all blocks except its newest ones. */
const forgetState = (node: RpcServer, chain: TestChain, kept: number) => {
  node.alter = async (method, params, result) => {
    if (method !== 'eth_call') return result
    const { blockHash } = params[1] as { blockHash: string }
    const block = await chain.call<{ number: string }>('eth_getBlockByHash', [blockHash, false])
    if (Number(block.number) > (await chain.head()) - kept) return result
    throw new RpcFault(-32000, 'missing trie node 8b1604e0 (path )')
  }
}

describe.skipIf(!hasAnvil)('the nodes that are asked for a price', () => {
  test.each([0, 1, 2])('cannot move it where one of three lies (%i)', async (liar) => {
    const chain = await startTestChain()
    const { feed, setting } = await ethUsd(chain)
    await feed.write('transmit', 2_000_00000000n)
    const world = await setUp({ chain, feeds: [setting], prices: PAR, nodes: 3 })
    lieOfPrices(world.servers[liar])
    await world.follow()
    const { id } = await world.give(1)
    await world.finish()
    expect(await world.view(id)).toMatchObject({
      status: 'completed',
      creditedAmount: { value: '2000' },
    })
  })

  test('make it wait where they do not agree, and no other donation', async () => {
    const chain = await startTestChain()
    const { feed, setting } = await ethUsd(chain)
    await feed.write('transmit', 2_000_00000000n)
    const world = await setUp({ chain, feeds: [setting], prices: PAR, nodes: 2 })
    lieOfPrices(world.servers[0])
    await world.follow()
    const { id } = await world.give(1)
    const token = await chain.send(await chain.signToken(2, world.account, 7_000_000n))
    const other = await world.record(token)
    await world.finish()
    expect((await world.view(id)).confirmation?.reason).toBe('price_unavailable')
    expect((await world.view(other)).status).toBe('completed')
    for (const server of world.servers) server.alter = undefined
    await world.due()
    await world.finish()
    expect(await world.view(id)).toMatchObject({
      status: 'completed',
      creditedAmount: { value: '2000' },
    })
  })

  test('need no old state: the rounds of the feed tell, across its phases', async () => {
    const chain = await startTestChain()
    const { feed, setting } = await ethUsd(chain)
    await feed.write('transmit', 2_000_00000000n)
    const world = await setUp({ chain, feeds: [setting], prices: PAR, nodes: 2 })
    for (const server of world.servers) forgetState(server, chain, 3)
    await world.follow()
    const first = await world.give(1)
    await chain.call('evm_increaseTime', [60])
    const time = (await priceBlock(chain, await chain.mine())).minedAt.getTime() / 1_000
    await feed.write('setRound', roundId(2, 1), 2_100_00000000n, time, time)
    const second = await world.give(2)
    await chain.call('evm_increaseTime', [60])
    await feed.write('setRound', roundId(2, 2), 9_000_00000000n, time + 60, time + 60)
    await world.finish()
    const step = (phase: number, round: number) => [
      { method: 'round', roundId: roundId(phase, round).toString() },
      { method: 'fixed' },
    ]
    expect(await world.view(first.id)).toMatchObject({
      creditedAmount: { value: '2000' },
      priceSource: step(1, 1),
    })
    expect(await world.view(second.id)).toMatchObject({
      creditedAmount: { value: '2100' },
      priceSource: step(2, 1),
    })
  })
})
