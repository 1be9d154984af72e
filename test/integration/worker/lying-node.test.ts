import { describe, expect, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { renamedTransactionLayer } from '../../support/faults/renamed-transaction.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createUser, TOKEN } from '../../support/world.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'
import { threeProxies } from '../support/served-chain.ts'

/** A campaign, and a sync that reads its chain from three nodes. */
const setUp = async (
  settings: { donationExpiryMs?: number } = {},
  config: { proof?: 'receipts-root' } = {},
) => {
  const chain = await startTestChain()
  const nodes = await threeProxies(chain)
  const rpc = nodes.map(({ url }) => url)
  const world = await createChainWorld({ chain, rpc, settings, config })
  const state = async () => ({
    statuses: await world.statuses(),
    raised: await world.raised(),
    seen: (await world.ctx.sql`select tx_hash from chain_transfer`).length,
  })
  return { ...world, nodes, state }
}

describe.skipIf(!hasAnvil)('three nodes, of which one lies', () => {
  test('a payment that one node invents, on a chain that proves itself, credits nothing', async () => {
    const { chain, nodes, follow, give, state, mineAndFollow } = await setUp()
    await follow()
    nodes[0].set({
      kind: 'forged-branch',
      from: (await chain.head()) + 1,
      pay: { to: ACCOUNT, amount: 900_000_000n, token: TOKEN },
    })
    await give(1)
    await mineAndFollow(4)
    expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000', seen: 1 })
  })

  test('the same payment is credited where the lying node is the only one: so the quorum is what refuses it', async () => {
    const { chain, nodes, world, state } = await setUp()
    const alone = createChainSync(world.ctx, servedBy(nodes[0].url))
    nodes[0].set({
      kind: 'forged-branch',
      from: (await chain.head()) + 1,
      pay: { to: ACCOUNT, amount: 900_000_000n, token: TOKEN },
    })
    await chain.mine(4)
    await syncChain(alone, new AbortController().signal)
    expect((await state()).seen).toBe(1)
  })

  test('forged receipts of one node change no amount', async () => {
    const { nodes, follow, give, state, sync, mineAndFollow } = await setUp()
    await follow()
    nodes[0].set({ kind: 'forged-receipt', change: 'amount' })
    await give(1)
    await mineAndFollow(4)
    expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000', seen: 1 })
    expect(sync.client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'forged' })
  })

  test('a hash that one node invents for a payment credits nothing where only receipts are proven', async () => {
    const setup = await setUp({}, { proof: 'receipts-root' })
    const { nodes, follow, record, give, ctx, state, sync, mineAndFollow, lookUp } = setup
    await follow()
    const paid = await give(1)
    const invented = `0x${'ab'.repeat(32)}`
    await record({ hash: invented, from: paid.from }, { user: await createUser(ctx) })
    nodes[0].set({ kind: 'custom', layer: renamedTransactionLayer(paid.hash, invented) })
    await mineAndFollow(4)
    expect(await state()).toEqual({
      statuses: ['completed', 'pending'],
      raised: '5000000',
      seen: 1,
    })
    expect(sync.client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'outvoted' })
    nodes[0].heal()
    await lookUp()
    await createReconcileJob(sync, { everyMs: 0 }).run()
    await follow()
    expect(await state()).toMatchObject({ raised: '5000000', seen: 1 })
  })

  test('a node that calls too much final makes nothing final', async () => {
    const { nodes, follow, give, state, mineAndFollow } = await setUp()
    await follow()
    nodes[0].set({ kind: 'finality', at: 'latest' })
    await give(1)
    await mineAndFollow()
    expect(await state()).toMatchObject({ statuses: ['confirming'], raised: '0' })
    await mineAndFollow(3)
    expect(await state()).toMatchObject({ statuses: ['completed'] })
  })

  test('with two of three away nothing is read, and all of it once one is back', async () => {
    const { chain, nodes, follow, give, state } = await setUp()
    await follow()
    const [first, second] = nodes
    first.set({ kind: 'drop' })
    second.set({ kind: 'unavailable' })
    await give(1)
    await chain.mine(4)
    await expect(follow()).rejects.toMatchObject({ code: 'no_agreement', retryable: true })
    expect(await state()).toEqual({ statuses: ['pending'], raised: '0', seen: 0 })
    second.heal()
    await expect
      .poll(async () => {
        await follow().catch(() => {})
        return state()
      })
      .toEqual({ statuses: ['completed'], raised: '5000000', seen: 1 })
  })

  test('a donation does not expire by the word of one node', async () => {
    const { chain, nodes, follow, record, state, due, checks } = await setUp({
      donationExpiryMs: 1,
    })
    await follow()
    const methods = ['eth_getTransactionReceipt']
    nodes[1].set({ kind: 'drop' }, { methods })
    nodes[2].set({ kind: 'drop' }, { methods })
    await record({ hash: `0x${'ab'.repeat(32)}`, from: chain.addressOf(1) })
    await due()
    await checks.run().catch(() => {})
    expect(await state()).toMatchObject({ statuses: ['pending'] })
    nodes[1].heal()
    await expect
      .poll(async () => {
        await due()
        await checks.run().catch(() => {})
        return (await state()).statuses
      })
      .toEqual(['expired'])
  })
})
