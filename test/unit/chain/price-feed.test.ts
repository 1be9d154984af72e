import { describe, expect, test } from 'vitest'
import { ChainError } from '../../../src/chain/errors.ts'
import type { FeedSource } from '../../../src/chain/prices/feed-rounds.ts'
import { readPriceFeeds } from '../../../src/chain/prices/price-feed.ts'
import { ChainConfig } from '../../../src/config/config.ts'
import { hasAnvil, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { deployFeed, priceBlock, roundId, timeOf } from '../../support/test-feed.ts'

const HOUR = 3_600
const GONE = `0x${'de'.repeat(20)}`

/** The state of the chain as one honest node answers. `alter` replaces the block that is read. */
const sourceOf = (
  chain: TestChain,
  alter: (block: { number: number; hash: string }) => { hash: string } = (block) => block,
): FeedSource & { asked: number } => {
  const source = {
    asked: 0,
    async callAt(block: { number: number; hash: string }, calls: readonly object[]) {
      source.asked += 1
      const { hash } = alter(block)
      return Promise.all(
        calls.map((call) =>
          chain.call<string>('eth_call', [call, { blockHash: hash }]).catch(() => null),
        ),
      )
    },
    async heads() {
      const { hash, number, minedAt } = await priceBlock(chain, await chain.head())
      const timestamp = minedAt.getTime() / 1_000
      const latest = { number, hash, timestamp, parentHash: hash }
      return { latest, finalizedNumber: null, finalizedHash: null }
    },
  }
  return source
}

/** A node that has only the state of its newest block, and refuses other blocks. */
const prunedSourceOf = (chain: TestChain) => {
  const source = sourceOf(chain)
  const { callAt } = source
  source.callAt = async (block, calls) => {
    if (block.number !== (await chain.head())) {
      throw new ChainError('rpc_error', 'missing trie node')
    }
    return callAt(block, calls)
  }
  return source
}

const chainOf = (
  feeds: Record<string, unknown>[],
  sequencerFeed?: { address: string; graceSeconds?: number },
) =>
  ChainConfig.parse({
    id: 31337,
    name: 'test',
    rpc: ['http://127.0.0.1:1'],
    feeds: feeds.map((feed) => ({ heartbeatSeconds: HOUR, slackSeconds: 0, ...feed })),
    ...(sequencerFeed === undefined ? {} : { sequencerFeed }),
  })

type Config = ReturnType<typeof chainOf>

/** Returns the price of a pair at a block with its round, or the reason why there is no price. */
const tellAt = async (
  chain: TestChain,
  config: Config,
  source: FeedSource,
  number: number,
  pair = 'ETH/USD',
) => {
  const block = await priceBlock(chain, number)
  const { prices, failures } = await readPriceFeeds(source, config, [{ pair, block }])
  const [price] = prices
  return price ? `${price.price} ${price.method} ${price.roundId}` : failures[0]?.reason
}

/**
 * A chain with a feed of this pair, and a function that reads the feed from a node with all states.
 */
const startFeed = async (pair = 'ETH/USD', decimals = 8, settings: object = {}) => {
  const chain = await startTestChain()
  const feed = await deployFeed(chain, pair.replace('/', ' / '), decimals)
  const config = chainOf([{ pair, address: feed.address, ...settings }])
  const source = sourceOf(chain)
  const priceAt = (block: number) => tellAt(chain, config, source, block, pair)
  const mineAt = async (time: number) => {
    await chain.call('evm_setNextBlockTimestamp', [time])
    return chain.mine()
  }
  return { chain, feed, config, source, priceAt, mineAt }
}

describe.skipIf(!hasAnvil)('a price feed', () => {
  test('is read at the block of the donation, not now', async () => {
    const { chain, feed, config, source } = await startFeed()
    const first = await feed.write('transmit', 2_500_00000000n)
    const second = await feed.write('transmit', 2_600_50000000n)
    const block = await priceBlock(chain, first)
    const { prices, failures } = await readPriceFeeds(source, config, [
      { pair: 'ETH/USD', block },
      { pair: 'ETH/USD', block: await priceBlock(chain, second) },
    ])
    expect(failures).toEqual([])
    expect(prices[0]).toEqual({
      pair: 'ETH/USD',
      blockNumber: first,
      blockHash: block.hash,
      price: '2500',
      feed: feed.address,
      roundId: roundId(1, 1).toString(),
      answer: '250000000000',
      decimals: 8,
      updatedAt: block.minedAt,
      method: 'block',
    })
    expect(prices[1]?.price).toBe('2600.5')
    expect(source.asked).toBe(2)
  })

  test('is refused for what cannot be a price, each for its own reason', async () => {
    const chain = await startTestChain()
    const now = await timeOf(chain, await chain.head())
    const max = 2n ** 255n - 1n
    const flaws: [name: string, expected: string, round: unknown[], config?: object][] = [
      ['good', '2500 block 7', [7, 2_500_00000000n, now, now]],
      ['zero', 'price_unavailable', [7, 0n, now, now]],
      ['negative', 'price_unavailable', [7, -1n, now, now]],
      ['least', '-', [7, -(2n ** 255n), now, now]],
      ['largest', `${max / 10n ** 8n}.${max % 10n ** 8n} block 7`, [7, max, now, now]],
      ['never', 'price_unavailable', [7, 5n, now, 0]],
      ['noround', 'price_unavailable', [0, 5n, now, now]],
      ['future', 'price_unavailable', [7, 5n, now, 2n ** 256n - 1n]],
      ['old', 'price_stale', [7, 5n, now - 2 * HOUR, now - 2 * HOUR]],
      ['low', 'price_unavailable', [7, 10_00000000n, now, now], { minAnswer: '10' }],
      ['above', '10.00000001 block 7', [7, 10_00000001n, now, now], { minAnswer: '10' }],
      ['high', 'price_unavailable', [7, 1_01000000n, now, now], { maxAnswer: '1.01' }],
      ['other', 'price_unavailable', [7, 5n, now, now], { description: 'BTC / USD' }],
      ['named', '0.00000005 block 7', [7, 5n, now, now], { description: 'named / USD' }],
    ]
    const feeds: Record<string, unknown>[] = []
    for (const [name, , round, config] of flaws) {
      const feed = await deployFeed(chain, `${name} / USD`, 8)
      await feed.send('setRound', ...round)
      feeds.push({ pair: `${name}/USD`, address: feed.address, ...config })
    }
    feeds.push({ pair: 'gone/USD', address: GONE })
    const block = await priceBlock(chain, await chain.mine())
    const asked = [...flaws.map(([name]) => name), 'gone', 'unknown']
    const { prices, failures } = await readPriceFeeds(
      sourceOf(chain),
      chainOf(feeds),
      asked.map((name) => ({ pair: `${name}/USD`, block })),
    )
    const said = new Map([
      ...prices.map((one) => [one.pair, `${one.price} ${one.method} ${one.roundId}`] as const),
      ...failures.map((one) => [one.pair, one.reason] as const),
    ])
    const expected = flaws.map(([name, answer]) => [
      `${name}/USD`,
      answer === '-' ? 'price_unavailable' : answer,
    ])
    expect([...said].toSorted()).toEqual(
      [
        ...expected,
        ['gone/USD', 'price_unavailable'],
        ['unknown/USD', 'price_unavailable'],
      ].toSorted(),
    )
  })

  test('is believed until its heartbeat and slack are over, to the second', async () => {
    const { chain, feed, priceAt, mineAt } = await startFeed('ETH/USD', 8, { slackSeconds: 60 })
    const at = (await timeOf(chain, await chain.head())) + 1
    await feed.write('setRound', roundId(1, 1), 5n, at, at)
    const last = await mineAt(at + HOUR + 60)
    const late = await mineAt(at + HOUR + 61)
    expect(await priceAt(last)).toContain('0.00000005 block')
    expect(await priceAt(late)).toBe('price_stale')
  })

  test('of other decimals is read in these', async () => {
    const { feed, priceAt } = await startFeed('ETH/BTC', 18)
    const block = await feed.write('transmit', 31_415926535897932n)
    expect(await priceAt(block)).toContain('0.031415926535897932 block')
    await feed.send('setDecimals', 255)
    expect(await priceAt(await feed.write('transmit', 1n))).toBe('price_unavailable')
  })

  test('that failed at the block is asked for its round of that time once it answers again', async () => {
    const { chain, feed, priceAt } = await startFeed()
    await feed.write('transmit', 5n)
    const block = await feed.write('setFailing', true)
    expect(await priceAt(block)).toBe('price_unavailable')
    await feed.write('setFailing', false)
    await chain.call('evm_increaseTime', [10])
    await feed.write('transmit', 6n)
    expect(await priceAt(block)).toBe(`0.00000005 round ${roundId(1, 1)}`)
  })
})

describe.skipIf(!hasAnvil)('a rollup', () => {
  const UP = 0n
  const DOWN = 1n

  test('has prices only while its sequencer is up, and has been for the grace', async () => {
    const { chain, feed, config: carefree, mineAt } = await startFeed()
    const sequencer = await deployFeed(chain, 'L2 Sequencer Uptime Status Feed', 0)
    const config = chainOf([{ pair: 'ETH/USD', address: feed.address }], {
      address: sequencer.address,
      graceSeconds: HOUR,
    })
    const since = await timeOf(chain, await chain.head())
    const at = async (time: number, change: () => Promise<void> = async () => {}) => {
      await change()
      await feed.send('transmit', 5n)
      return mineAt(time)
    }
    const state = (round: number, answer: bigint, time: number) => () =>
      sequencer.send('setRound', roundId(1, round), answer, time, time)
    const unknown = await at(since + 10)
    const down = await at(since + 20, state(1, DOWN, since + 20))
    const stillDown = await at(since + 2 * HOUR)
    const back = since + 3 * HOUR
    const up = await at(back, state(2, UP, back))
    const grace = await at(back + HOUR)
    const caughtUp = await at(back + HOUR + 1)
    const blocks = [unknown, down, stillDown, up, grace, caughtUp]
    const price = expect.stringContaining('0.00000005')
    for (const source of [sourceOf(chain), prunedSourceOf(chain)]) {
      const said = await Promise.all(blocks.map((block) => tellAt(chain, config, source, block)))
      expect(said).toEqual(['price_unavailable', ...Array(4).fill('sequencer_down'), price])
    }
    expect(await tellAt(chain, carefree, sourceOf(chain), down)).toContain('0.00000005 block')
  })
})

describe.skipIf(!hasAnvil)('nodes without the state of the block', () => {
  const setUp = async () => {
    const { chain, feed, config, mineAt } = await startFeed()
    const base = await timeOf(chain, await chain.head())
    const rounds = async (...list: [phase: number, round: number, secondsAfter: number][]) => {
      for (const [phase, round, after] of list) {
        const answer = BigInt(phase * 1_000 + round) * 100_000_000n
        const time = after < 0 ? 0 : base + after
        await feed.send('setRound', roundId(phase, round), answer, time, time)
        await chain.mine()
      }
    }
    /** Mines a block with this time. The chain's clock continues from there. */
    const blockAt = (secondsAfter: number) => mineAt(base + secondsAfter)
    const source = prunedSourceOf(chain)
    const priceAt = (block: number) => tellAt(chain, config, source, block)
    return { chain, feed, config, source, rounds, blockAt, priceAt }
  }

  test('have the price found among the rounds, across phases', async () => {
    const { chain, rounds, blockAt, priceAt } = await setUp()
    const early = await blockAt(1_000)
    const last = await blockAt(1_250)
    const between = await blockAt(2_000)
    const late = await blockAt(3_000)
    await blockAt(9_000)
    await rounds([1, 1, 100], [1, 2, 900], [1, 3, 1_200])
    await rounds([2, 1, 1_300], [2, 2, 2_500], [2, 3, 8_000])
    expect(await priceAt(early)).toBe(`1002 round ${roundId(1, 2)}`)
    expect(await priceAt(last)).toBe(`1003 round ${roundId(1, 3)}`)
    expect(await priceAt(between)).toBe(`2001 round ${roundId(2, 1)}`)
    expect(await priceAt(late)).toBe(`2002 round ${roundId(2, 2)}`)
    expect(await priceAt(await chain.head())).toBe(`2003 block ${roundId(2, 3)}`)
  })

  test('take the phase that was fresh, where a new one had begun early', async () => {
    const { rounds, blockAt, priceAt } = await setUp()
    const block = await blockAt(2 * HOUR)
    await blockAt(4 * HOUR)
    // Phase 2 had its first round long before its aggregator became the current one.
    await rounds([1, 1, 10], [1, 2, 2 * HOUR - 5], [2, 1, 20], [2, 2, 3 * HOUR])
    expect(await priceAt(block)).toBe(`1002 round ${roundId(1, 2)}`)
    // The early round, now the only one of phase 2, is not the answer, because phase 1 has a newer
    // round.
    await rounds([2, 1, 20])
    expect(await priceAt(block)).toBe(`1002 round ${roundId(1, 2)}`)
  })

  test('pass over rounds that were never completed', async () => {
    const { rounds, blockAt, priceAt } = await setUp()
    const block = await blockAt(1_000)
    await blockAt(2_000)
    await rounds([1, 1, 10], [1, 2, -1], [1, 4, 500], [1, 5, -1], [1, 6, 1_500])
    expect(await priceAt(block)).toBe(`1004 round ${roundId(1, 4)}`)
  })

  test('have no price where no round was before, and a stale one where it is too old', async () => {
    const { rounds, blockAt, priceAt } = await setUp()
    const before = await blockAt(50)
    const after = await blockAt(101 + HOUR)
    await blockAt(9_000)
    await rounds([1, 1, 100], [1, 2, 8_000])
    expect(await priceAt(before)).toBe('price_unavailable')
    expect(await priceAt(after)).toBe('price_stale')
  })

  test('have the price found in a hundred rounds, in few questions', async () => {
    const { chain, feed, source, blockAt, priceAt } = await setUp()
    const block = await blockAt(1_000)
    const start = await timeOf(chain, block)
    for (let round = 1; round <= 100; round++) {
      const time = start - 505 + round * 10
      await feed.send('setRound', roundId(1, round), BigInt(round), time, time)
    }
    await blockAt(2_000)
    expect(await priceAt(block)).toContain(` round ${roundId(1, 50)}`)
    expect(source.asked).toBeLessThanOrEqual(7)
  })

  test('are found out where they answer with their newest state', async () => {
    const { chain, config, rounds, blockAt } = await setUp()
    const block = await blockAt(1_000)
    await blockAt(2_000)
    await rounds([1, 1, 900], [1, 2, 1_900])
    const { hash } = await priceBlock(chain, await chain.head())
    const source = sourceOf(chain, () => ({ hash }))
    expect(await tellAt(chain, config, source, block)).toBe(`1001 round ${roundId(1, 1)}`)
  })
})
