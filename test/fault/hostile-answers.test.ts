import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkLedger } from '../../src/domain/books/index.ts'
import { address } from '../support/chain-facts.ts'
import { isFull } from '../support/full.ts'
import { type Half, startHalf } from '../support/halves.ts'
import { FLOODS, MALFORMED, serveHostile } from '../support/hostile-node.ts'
import { freePort, scrape } from '../support/metrics-scrape.ts'
import { recordGift } from '../support/recorded-gift.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../support/world.ts'

/**
 * The number of attacks after which a worker is restarted, because it rarely asks a faulty node.
 */
const ATTACKS_PER_WORKER = 8
/**
 * The limit of a worker's memory. 512 MB are for old objects. A worker without load takes 200 MB.
 */
const MOST_MEMORY_MB = 900
const HEAP = '--max-old-space-size=512 --max-semi-space-size=64'
const MOST_LOG_BYTES = 200_000

/** The most memory that a process has used so far. */
const peakOf = ({ pid }: Half): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

const setUp = async () => {
  const chain = await startTestChain()
  const hostile = await serveHostile((method, params) => chain.call(method, params))
  onTestFinished(() => hostile.server.close())
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const account = address('campaign')
  const campaignId = await createTestCampaign(world.ctx, { creator, account })
  let gifts = 0
  return {
    ...{ chain, hostile, world, name: new URL(hostile.server.url).host },
    start: (env: Record<string, string> = {}) => {
      const rpc = [hostile.server.url, chain.url, `${chain.url}/?again`]
      const settings = { name: 'test', rpc, startBlock: 0, pollIntervalMs: 100 }
      const CHAINS = JSON.stringify([{ ...TEST_CHAIN, ...settings }])
      const places = { databaseUrl: world.url, rpcUrl: chain.url }
      return startHalf('worker', { ...places, env: { CHAINS, NODE_OPTIONS: HEAP, ...env } })
    },
    follow: (head: number) =>
      waitFor(
        `block ${head} to be read`,
        () => world.ctx.sql<{ cursor: number }[]>`select cursor_number as cursor from chain_state`,
        ([row]) => (row?.cursor ?? 0) >= head,
        30_000,
      ),
    /** Sends and records a gift, and waits until the gift is credited. */
    async give(worker: Half) {
      const sent = await chain.send(await chain.signToken(1, account, 1_000_000n))
      await recordGift(world.as(donor), campaignId, sent, '1')
      gifts += 1
      await chain.mine(3)
      await waitFor(
        `gift ${gifts} to be credited`,
        async () => {
          if (worker.hasEnded())
            throw new Error(`The worker ended: ${worker.output().slice(-2_000)}`)
          return (await world.ctx.sql<{ raised: string }[]>`select raised from campaign_total`)[0]
        },
        (total) => total?.raised === String(gifts * 1_000_000),
        30_000,
      )
    },
    async kill(worker: Half) {
      worker.kill('SIGKILL')
      await worker.exited
      await world.ctx.sql`update chain_state set lease_until = now()`
    },
    faults: async () =>
      (await world.ctx.sql<{ nodeFaults: object }[]>`select node_faults from chain_state`)[0]
        ?.nodeFaults,
  }
}

describe.skipIf(!hasAnvil)('a worker with a heap of 512 MB, beside two honest nodes', () => {
  test.each([
    ['floods whole blocks, which have the most room', /,true]/, FLOODS],
    ['malforms its heads', /"finalized"/, MALFORMED],
  ])(
    'outlives every answer of a node that %s, names the node, and credits each gift once',
    async (_, about, attacks) => {
      const { chain, hostile, world, name, start, follow, give, kill } = await setUp()
      hostile.about = about
      const names = Object.keys(attacks).filter((_, at) => isFull || at % 2 === 0)
      const peaks: number[] = []
      for (let from = 0; from < names.length; from += ATTACKS_PER_WORKER) {
        const metricsPort = await freePort()
        const some = names.slice(from, from + ATTACKS_PER_WORKER)
        hostile.next = [...some]
        const worker = await start({ METRICS_PORT: String(metricsPort) })
        const attack = async () => {
          await follow(await chain.mine())
          return hostile.next.length
        }
        // After a slow answer, the worker asks this node last for a minute.
        await waitFor('the attacks', attack, (left) => left === 0, 150_000)
        await give(worker)
        const labels = `chain="${TEST_CHAIN.id}",node="${name}"`
        const metrics = [...(await scrape(metricsPort))]
        expect(
          metrics.filter(
            ([key]) => key.startsWith('fundproof_node_faults_total') && key.includes(labels),
          ),
        ).not.toEqual([])
        const output = worker.output()
        expect(output).toContain(`"node":"${name}"`)
        expect(output.length).toBeLessThan(MOST_LOG_BYTES)
        expect(output.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/)
        peaks.push(peakOf(worker))
        await kill(worker)
      }
      console.log('peaks of memory in MB:', peaks.map(Math.round).join(', '))
      expect(Math.max(...peaks)).toBeLessThan(MOST_MEMORY_MB)
      expect(hostile.made).toEqual(names)
      expect(await world.ctx.sql`select id from ledger_entry`).toHaveLength(peaks.length)
      expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
    },
    300_000,
  )

  test('that is killed while a node is at fault knows that node at once', async () => {
    const { hostile, name, start, give, kill, faults } = await setUp()
    const first = await start()
    await give(first)
    hostile.next = new Array(1_000).fill('a list of empty objects')
    await waitFor('the fault to be stored', faults, (stored) => Object.hasOwn(stored ?? {}, name))
    await kill(first)
    // The node is honest from now on, so the new worker knows of its fault only from the database.
    hostile.next = []
    const second = await start()
    const line = await waitFor(
      'the worker to name the node',
      () => second.lines.find((one) => one.includes(`"node":"${name}"`)),
      Boolean,
    )
    expect(JSON.parse(line ?? '{}')).toMatchObject({ state: 'cooldown', reason: 'too_large' })
    await give(second)
  }, 120_000)
})
