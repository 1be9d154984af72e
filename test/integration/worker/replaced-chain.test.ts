import { describe, expect, test } from 'vitest'
import { createCollectors } from '../../../src/domain/service/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign, createWorld } from '../../support/world.ts'
import { nodeBefore } from '../chain/support/payments.ts'
import { createTestPages } from '../pages/support/test-pages.ts'

describe.skipIf(!hasAnvil)('a chain that another chain with its id replaces', () => {
  test('is halted in log, metric and pages until its nodes show the old chain again', async () => {
    const chain = await startTestChain()
    const other = await startTestChain({ timestamp: 1_700_000_000 })
    const node = await nodeBefore(chain, 'traces')
    const { ctx, visit, signIn } = await createTestPages()
    const campaign = { creator: await signIn(), account: address('campaign') }
    const id = await createTestCampaign(ctx, campaign)
    await ctx.sql`update campaign set slug = 'clean-water' where id = ${id}`
    const sync = createChainSync(ctx, servedBy(node.url))
    const follow = () => syncChain(sync, new AbortController().signal)
    const facts = async () => {
      const chains = createCollectors(ctx).find(({ name }) => name === 'chains')
      const samples = (await chains?.read()) ?? []
      const metric = samples.find(([name]) => name === 'fundproof_chain_halted')?.[2]
      const page = (await visit('/c/clean-water')).html.includes('This chain is paused.')
      return [metric, page, (await visit('/status')).html.includes('Stopped')]
    }
    await chain.mine(5)
    await follow()
    expect(await facts()).toEqual([0, false, false])
    await other.mine(20)
    node.handler = (method, params) => other.call(method, params)
    await expect(follow()).rejects.toThrow('settlement halted')
    expect(await facts()).toEqual([1, true, true])
    node.handler = (method, params) => chain.call(method, params)
    await chain.mine()
    await follow()
    expect(await facts()).toEqual([0, false, false])
  })
})

test.skipIf(!hasAnvil)(
  'a chain waits for nodes that sync again from below its oldest stored block, and then goes on',
  async () => {
    const [chain, { ctx }] = await Promise.all([startTestChain(), createWorld()])
    const nodes = [await startFaultProxy(chain.url), await startFaultProxy(chain.url)]
    const urls = nodes.map(({ url }) => url)
    const sync = createChainSync(ctx, { ...servedBy(...urls), startBlock: 6 })
    const follow = () => syncChain(sync, new AbortController().signal)
    const state = async () =>
      (await ctx.sql`select cursor_number, halted_at is not null as halted from chain_state`)[0]
    await chain.mine(10)
    await follow()
    const before = await state()
    for (const node of nodes) node.set({ kind: 'stale', at: 3 })
    await expect(follow()).rejects.toMatchObject({ code: 'block_missing', retryable: true })
    expect(await state()).toEqual({ ...before, halted: false })
    for (const node of nodes) node.heal()
    await chain.mine()
    await follow()
    expect(await state()).toEqual({ cursorNumber: await chain.head(), halted: false })
  },
)
