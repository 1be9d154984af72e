import { describe, expect, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { recordDonation } from '../../support/donate.ts'
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import { renamedTransactionLayer } from '../../support/faults/renamed-transaction.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld, TOKEN } from '../../support/world.ts'

const ACCOUNT = address('campaign')

/** A campaign whose chain is followed through three nodes. */
const setUp = async (
  settings: { donationExpiryMs?: number } = {},
  change: { proof?: 'receipts-root' } = {},
) => {
  const chain = await startTestChain()
  const nodes: [FaultProxy, FaultProxy, FaultProxy] = [
    await startFaultProxy(chain.url),
    await startFaultProxy(chain.url),
    await startFaultProxy(chain.url),
  ]
  const world = await createWorld({ settings })
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, { creator, account: ACCOUNT })
  const sync = createChainSync(world.ctx, {
    ...servedBy(...nodes.map((node) => node.url)),
    ...change,
  })
  const checks = createCheckDonationsJob(sync)
  const follow = () => syncChain(sync, new AbortController().signal)
  const record = (txHash: string, from: string, as = donor) =>
    recordDonation(world.as(as), {
      campaignId,
      amount: { value: '5', currency: 'USDC' },
      transaction: { txHash, ledgerAddress: from },
    })
  const pay = async () => {
    const paid = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await record(paid.hash, paid.from)
    return paid
  }
  const thief = () => createUser(world.ctx)
  const state = async () => {
    const donations = await world.ctx.sql<{ status: string }[]>`
      select status from donation order by id`
    const [total] = await world.ctx.sql<{ raised: string }[]>`select raised from campaign_total`
    const seen = await world.ctx.sql`select tx_hash from chain_transfer`
    return {
      statuses: donations.map((row) => row.status),
      raised: total?.raised,
      seen: seen.length,
    }
  }
  const due = () => world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
  return { chain, nodes, world, sync, checks, follow, record, pay, thief, state, due }
}

describe.skipIf(!hasAnvil)('three nodes, of which one lies', () => {
  test('a payment that one node invents, on a chain that proves itself, credits nothing', async () => {
    const { chain, nodes, follow, pay, state } = await setUp()
    await follow()
    nodes[0].set({
      kind: 'forged-branch',
      from: (await chain.head()) + 1,
      pay: { to: ACCOUNT, amount: 900_000_000n, token: TOKEN },
    })
    await pay()
    await chain.mine(4)
    await follow()
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
    const { chain, nodes, follow, pay, state, sync } = await setUp()
    await follow()
    nodes[0].set({ kind: 'forged-receipt', change: 'amount' })
    await pay()
    await chain.mine(4)
    await follow()
    expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000', seen: 1 })
    expect(sync.client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'forged' })
  })

  test('a hash that one node invents for a payment credits nothing where only receipts are proven', async () => {
    const setup = await setUp({}, { proof: 'receipts-root' })
    const { chain, nodes, follow, record, pay, thief, state, due, checks, sync } = setup
    await follow()
    const paid = await pay()
    const invented = `0x${'ab'.repeat(32)}`
    await record(invented, paid.from, await thief())
    nodes[0].set({ kind: 'custom', layer: renamedTransactionLayer(paid.hash, invented) })
    await chain.mine(4)
    await follow()
    expect(await state()).toEqual({
      statuses: ['completed', 'pending'],
      raised: '5000000',
      seen: 1,
    })
    expect(sync.client.nodes()[0]).toMatchObject({ state: 'distrusted', reason: 'outvoted' })
    nodes[0].heal()
    await due()
    await checks.run()
    await createReconcileJob(sync, { everyMs: 0 }).run()
    await follow()
    expect(await state()).toMatchObject({ raised: '5000000', seen: 1 })
  })

  test('a node that calls too much final makes nothing final', async () => {
    const { chain, nodes, follow, pay, state } = await setUp()
    await follow()
    nodes[0].set({ kind: 'finality', at: 'latest' })
    await pay()
    await chain.mine()
    await follow()
    expect(await state()).toMatchObject({ statuses: ['confirming'], raised: '0' })
    await chain.mine(3)
    await follow()
    expect(await state()).toMatchObject({ statuses: ['completed'] })
  })

  test('with two of three away nothing is read, and all of it once one is back', async () => {
    const { chain, nodes, follow, pay, state } = await setUp()
    await follow()
    const [first, second] = nodes
    first.set({ kind: 'drop' })
    second.set({ kind: 'unavailable' })
    await pay()
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
    await record(`0x${'ab'.repeat(32)}`, chain.addressOf(1))
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
