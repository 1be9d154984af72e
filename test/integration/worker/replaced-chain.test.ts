import { describe, expect, test } from 'vitest'
import { createCollectors } from '../../../src/domain/stats/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign } from '../../support/world.ts'
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
