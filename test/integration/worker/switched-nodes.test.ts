import { describe, expect, test } from 'vitest'
import { createSyncChainJob } from '../../../worker/jobs/sync-chain.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { type Fault, startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'
import { serveNode, threeProxies } from '../support/served-chain.ts'

/** A node whose chain a test can replace by another chain. */
const serveSwitched = async (chain: TestChain) => {
  const behind = { chain }
  const server = await serveNode((method, params) => behind.chain.call(method, params))
  return { url: server.url, switchTo: (other: TestChain) => (behind.chain = other) }
}

/** A longer chain with another id, on which the same account pays much to the campaign. */
const startOtherChain = async () => {
  const other = await startTestChain({ chainId: 31338 })
  await other.send(await other.signToken(1, ACCOUNT, 900_000_000n))
  await other.mine(20)
  return other
}

describe.skipIf(!hasAnvil)('a node that is switched to another chain', () => {
  // The clock moves one minute ahead, or 80 hours back as after the correction of a wrong clock.
  test.each([61_000, -80 * 3_600_000])(
    'is refused when its chain id is asked for again, and nothing of that chain is credited',
    async (ms) => {
      const chain = await startTestChain()
      const node = await serveSwitched(chain)
      const clock = createFakeClock()
      const world = await createChainWorld({ chain, clock, rpc: [node.url] })
      const job = createSyncChainJob(world.sync)
      await job.run()
      await world.give(1)
      await chain.mine(3)
      await job.run()
      node.switchTo(await startOtherChain())
      clock.advance(ms)
      await expect(job.run()).rejects.toMatchObject({ code: 'wrong_chain' })
      // The worker looks up no transaction at this node either.
      await world.record({ hash: `0x${'ab'.repeat(32)}`, from: chain.addressOf(2) })
      await world.due()
      await expect(world.checks.run()).rejects.toMatchObject({ code: 'wrong_chain' })
      expect(
        await world.ctx.sql`select split_part(problem, ':', 1) as problem from chain_state`,
      ).toEqual([{ problem: 'wrong_chain' }])
      expect(await world.raised()).toBe('5000000')
      expect(await world.events()).toEqual(['donation.completed'])
      node.switchTo(chain)
      await world.pay(1, 2_000_000n)
      await expect
        .poll(() =>
          job.run().then(
            () => 'read',
            () => 'refused',
          ),
        )
        .toBe('read')
      expect(await world.raised()).toBe('5000000')
    },
  )

  test('takes nothing back, even before its chain id is asked for again', async () => {
    const chain = await startTestChain({ timestamp: 1_800_000_000 })
    const node = await serveSwitched(chain)
    const clock = createFakeClock()
    const world = await createChainWorld({ chain, clock, rpc: [node.url] })
    const job = createSyncChainJob(world.sync)
    await job.run()
    await world.give(1)
    await chain.mine(3)
    await job.run()
    // Two chains with the same first block, as two forks of one chain have.
    const other = await startTestChain({ chainId: 31338, timestamp: 1_800_000_000 })
    await other.send(await other.signToken(1, ACCOUNT, 900_000_000n))
    await other.mine(20)
    node.switchTo(other)
    await job.run().catch(() => {})
    expect(await world.statuses()).toEqual(['completed'])
    expect(await world.raised()).toBe('5000000')
    expect(await world.ctx.sql`select amount::text from chain_transfer`).toEqual([
      { amount: '5000000' },
    ])
  })

  test('is named and left out while others serve the right one', async () => {
    const chain = await startTestChain()
    const nodes = [
      await serveSwitched(chain),
      await serveSwitched(chain),
      await serveSwitched(chain),
    ]
    const clock = createFakeClock()
    const world = await createChainWorld({ chain, clock, rpc: nodes.map((node) => node.url) })
    const job = createSyncChainJob(world.sync)
    await job.run()
    nodes[0]?.switchTo(await startOtherChain())
    clock.advance(61_000)
    await world.give(1)
    await chain.mine(3)
    await job.run()
    expect(await world.statuses()).toEqual(['completed'])
    expect(await world.raised()).toBe('5000000')
    expect(world.sync.client.nodes().map((node) => node.state)).toEqual(['wrong_chain', 'up', 'up'])
  })
})

describe.skipIf(!hasAnvil)('nodes that do not say the same', () => {
  const FAULTS: [string, Fault][] = [
    ['stands still', { kind: 'stale' }],
    ['goes backwards', { kind: 'backwards', blocks: 4 }],
    ['does not know transactions that others have', { kind: 'lying-null' }],
    ['has no receipts', { kind: 'no-receipts' }],
    ['has receipts with other amounts', { kind: 'forged-receipt', change: 'amount' }],
  ]
  test.each(FAULTS)(
    'of three, one that %s: every gift is credited once, none is taken back',
    async (_, fault) => {
      const chain = await startTestChain()
      const proxies = await threeProxies(chain)
      const world = await createChainWorld({ chain, rpc: proxies.map((proxy) => proxy.url) })
      await world.mineAndFollow(5)
      proxies[0].set(fault)
      for (let gift = 0; gift < 4; gift++) {
        await world.give(1)
        await world.mineAndFollow()
        await world.lookUp()
      }
      await world.mineAndFollow(3)
      expect(await world.statuses()).toEqual(Array(4).fill('completed'))
      expect(await world.raised()).toBe('20000000')
      expect(await world.events()).toEqual(Array(4).fill('donation.completed'))
    },
  )

  test('a receipt of a block that the chain has dropped credits nothing', async () => {
    const chain = await startTestChain()
    const node = await startFaultProxy(chain.url)
    const world = await createChainWorld({ chain, rpc: [node.url] })
    await world.follow()
    const gift = await world.pay(1)
    await chain.mine()
    const receipt = await chain.call<{ blockHash: string }>('eth_getTransactionReceipt', [
      gift.hash,
    ])
    const { blockHash } = receipt
    const orphaned = new Map<string, unknown>([
      ['eth_getBlockByHash', await chain.call('eth_getBlockByHash', [blockHash, true])],
      ['eth_getBlockReceipts', await chain.call('eth_getBlockReceipts', [blockHash])],
    ])
    await chain.reorg(1)
    await world.mineAndFollow(3)
    // The node still has the old branch, so block, receipt and their proof are valid but no longer
    // canonical.
    node.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        if (method === 'eth_getTransactionReceipt') return receipt
        return params[0] === blockHash ? orphaned.get(method) : ask(method, params)
      },
    })
    await world.record(gift)
    await world.lookUp()
    expect(await world.donations()).toEqual([['pending', 'waiting_for_transaction']])
    node.heal()
    await chain.send(gift)
    await world.mineAndFollow(3)
    expect(await world.statuses()).toEqual(['completed'])
    expect(await world.raised()).toBe('5000000')
  })
})
