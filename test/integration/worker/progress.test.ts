import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readProgress } from '../../../src/domain/blocks/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createWatchProgressJob } from '../../../worker/jobs/watch-progress.ts'
import { startChain } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createWorld, TEST_CHAIN } from '../../support/world.ts'

const CHAIN = { id: TEST_CHAIN.id, pollIntervalMs: 1_000 }
const { signal } = new AbortController()

/**
 * A world, a function that sets the age of a chain's last progress, and one that returns whether
 * the chain is stalled.
 */
const setUp = async () => {
  const { ctx } = await createWorld()
  const age = async (hours: number) => {
    await ctx.sql`update chain_state set updated_at = now() - make_interval(hours => ${hours})`
  }
  const isStalled = async (chain = CHAIN) => (await readProgress(ctx, [chain]))[0]?.isStalled
  return { ctx, age, isStalled }
}

test('a chain is stalled when no worker has got on for two minutes, or three polls', async () => {
  const { ctx, age, isStalled } = await setUp()
  expect(await readProgress(ctx, [CHAIN])).toMatchObject([{ idleMs: null, isStalled: false }])
  await startChain(ctx)
  expect(await isStalled()).toBe(false)
  await age(1)
  expect(await isStalled()).toBe(true)
  expect(await isStalled({ ...CHAIN, pollIntervalMs: 2_400_000 })).toBe(false)
})

test("a chain whose last progress lies in the future is stalled: the database's clock was ahead", async () => {
  const { ctx, age, isStalled } = await setUp()
  await startChain(ctx)
  await age(-80)
  expect(await isStalled()).toBe(true)
})

test('that no worker makes progress is logged once, and once that one does again', async () => {
  const { ctx, age } = await setUp()
  const lines: { level: number; msg: string; chainId: number }[] = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) })
  const job = createWatchProgressJob({ ...ctx, log }, [CHAIN])
  await job.run()
  await startChain(ctx)
  await job.run()
  expect(lines).toEqual([])
  await age(1)
  await job.run()
  expect(lines).toEqual([])
  await job.run()
  await job.run()
  expect(lines).toMatchObject([
    {
      level: 50,
      chainId: CHAIN.id,
      idleSeconds: 3_600,
      msg: 'no worker makes progress on the chain',
    },
  ])
  await age(0)
  await job.run()
  await job.run()
  expect(lines.map(({ msg }) => msg).slice(1)).toEqual(['the chain makes progress again'])
})

test.skipIf(!hasAnvil)(
  'a pass is progress where the chain has no new block, and none where it fails',
  async () => {
    const { ctx, age, isStalled } = await setUp()
    const chain = await startTestChain()
    const input = servedBy(chain.url)
    const sync = createChainSync(ctx, input)
    await syncChain(sync, signal)
    await age(1)
    await syncChain(sync, signal)
    expect(await isStalled()).toBe(false)
    await age(1)
    const away = createChainSync(ctx, { ...input, rpc: ['http://127.0.0.1:9'] })
    await expect(syncChain({ ...away, owner: sync.owner }, signal)).rejects.toThrow()
    expect(await isStalled()).toBe(true)
  },
)

test.skipIf(!hasAnvil)('a worker that does not hold the lease makes no progress', async () => {
  const { ctx, age, isStalled } = await setUp()
  const chain = await startTestChain()
  const input = servedBy(chain.url)
  await syncChain(createChainSync(ctx, input), signal)
  await age(1)
  expect(await syncChain(createChainSync(ctx, input), signal)).toBe('elsewhere')
  expect(await isStalled()).toBe(true)
})
