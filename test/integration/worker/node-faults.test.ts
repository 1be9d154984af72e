import { expect, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createProveChainJob } from '../../../worker/jobs/prove-chain.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createWorld } from '../../support/world.ts'

test.skipIf(!hasAnvil)(
  'a worker that begins again asks the nodes last that were at fault, and forgets a fault that is cleared',
  async () => {
    const [chain, { ctx }] = await Promise.all([startTestChain(), createWorld()])
    const broken = await startFaultProxy(chain.url)
    const chainConfig = { ...servedBy(broken.url, chain.url), quorum: 1 }
    const begin = async (cooldownMs: number) => {
      await ctx.sql`update chain_state set lease_until = now()`
      const cooldown = { firstMs: cooldownMs, longestMs: cooldownMs }
      return createChainSync(ctx, chainConfig, { cooldown })
    }
    const follow = (sync: ReturnType<typeof createChainSync>) =>
      syncChain(sync, new AbortController().signal)
    const stored = async () => (await ctx.sql`select node_faults from chain_state`)[0]?.nodeFaults
    const name = new URL(broken.url).host

    broken.set({ kind: 'html' })
    const first = await begin(60_000)
    await follow(first)
    await follow(first)
    expect(await stored()).toEqual({ [name]: 'bad_response' })

    const second = await begin(60_000)
    const before = broken.requests
    await createProveChainJob(second).run()
    expect(second.client.nodes()).toMatchObject([
      { node: name, state: 'cooldown', reason: 'bad_response' },
      { state: 'up', reason: null },
    ])
    expect(broken.requests).toBe(before)

    broken.heal()
    const third = await begin(1)
    await createProveChainJob(third).run()
    const healed = async () => {
      await chain.mine()
      await follow(third)
      return stored()
    }
    await expect.poll(healed).toEqual({})
  },
)
