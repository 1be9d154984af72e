import { describe, expect, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { TEST_CHAIN } from '../../support/world.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'

const setUp = async (campaign: { target?: string; milestones?: string[] } = {}) => {
  const world = await createChainWorld({ campaign })
  const state = async () => ({ statuses: await world.statuses(), raised: await world.raised() })
  return { ...world, state }
}

describe.skipIf(!hasAnvil)('following a real chain', () => {
  test('credits token and native transfers when they are final, with one receipts call a block', async () => {
    const { chain, follow, record, read, state, sync, mineAndFollow, pay } = await setUp()
    await follow()
    const token = await pay(1)
    const ether = await chain.send(await chain.signEther(2, ACCOUNT, '0.001'))
    await record(token)
    const second = await record(ether, { value: '0.001', currency: 'ETH' })
    await follow()
    expect(await state()).toEqual({ statuses: ['pending', 'pending'], raised: '0' })
    await chain.mine()
    const before = sync.client.stats().calls
    await follow()
    expect(await state()).toEqual({ statuses: ['confirming', 'confirming'], raised: '0' })
    expect(sync.client.stats().calls - before).toBe(4)
    await mineAndFollow(2)
    expect(await state()).toEqual({ statuses: ['completed', 'completed'], raised: '7500000' })
    expect(await read(second)).toMatchObject({
      confirmedAmount: { value: '0.001', currency: 'ETH' },
      creditedAmount: { value: '2.5', currency: 'USDC' },
    })
  })

  test('matches a donation that is recorded after its block has been read and is final', async () => {
    const { follow, record, state, checks, world, mineAndFollow, pay } = await setUp()
    await follow()
    const token = await pay(1)
    await mineAndFollow(3)
    await record(token)
    expect(world.wakes).toContain('donations')
    await checks.run()
    expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000' })
  })

  test('finds a failed or foreign transaction of an old block by its hash, and says why it failed', async () => {
    const { chain, follow, record, donations, mineAndFollow, lookUp } = await setUp()
    await follow()
    const reverts = await chain.send(await chain.signToken(7, ACCOUNT, 5_000_000n))
    const elsewhere = await chain.send(await chain.signToken(1, address('elsewhere'), 5n))
    await mineAndFollow(3)
    await record(reverts)
    await record(elsewhere)
    await lookUp()
    expect(await donations()).toEqual([
      ['failed', 'transaction_reverted'],
      ['failed', 'wrong_recipient'],
    ])
  })

  test('a transaction that is never seen waits longer and longer, expires, and revives when it appears', async () => {
    const { chain, follow, record, state, world, mineAndFollow, lookUp } = await setUp()
    await follow()
    const late = await chain.signToken(1, ACCOUNT, 5_000_000n)
    await record(late)
    for (const checksSoFar of [1, 2, 3]) {
      await lookUp()
      const [row] = await world.ctx.sql<{ checks: number; wait: number }[]>`
        select checks, extract(epoch from next_check_at - now())::float as wait from donation`
      expect(row?.checks).toBe(checksSoFar)
      expect(row?.wait).toBeGreaterThan(2.4 * 2 ** checksSoFar)
    }
    await world.ctx.sql`update donation set expires_at = now()`
    await lookUp()
    expect((await state()).statuses).toEqual(['expired'])
    await chain.send(late)
    await mineAndFollow(3)
    expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000' })
  })

  test('a dead node fails nothing and lets nothing expire', async () => {
    const { chain, follow, record, checks, state, world } = await setUp()
    await follow()
    await record(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await world.ctx.sql`update donation set expires_at = now(), next_check_at = now()`
    const down = createChainSync(world.ctx, {
      ...TEST_CHAIN,
      name: 'down',
      rpc: ['http://127.0.0.1:9'],
    })
    await world.ctx.sql`update chain_state set lease_until = now()`
    await expect(createCheckDonationsJob(down).run()).rejects.toMatchObject({ code: 'transport' })
    await expect(syncChain(down, new AbortController().signal)).rejects.toThrow()
    expect((await state()).statuses).toEqual(['pending'])
    await world.ctx.sql`update chain_state set lease_until = now()`
    await checks.run()
    expect((await state()).statuses).toEqual(['expired'])
  })

  for (const final of [false, true]) {
    describe(`a reorganisation ${final ? 'after' : 'before'} finality`, () => {
      const donated = async () => {
        const setup = await setUp({ target: '5', milestones: ['2', '3'] })
        await setup.follow()
        const signed = await setup.give(1)
        await setup.mineAndFollow(final ? 3 : 1)
        expect((await setup.state()).statuses).toEqual([final ? 'completed' : 'confirming'])
        return { ...setup, signed, depth: final ? 3 : 1 }
      }
      const back = final
        ? [
            'donation.reversed',
            'campaign.threshold.reverted',
            'campaign.threshold.reverted',
            'campaign.threshold.reverted',
          ]
        : []
      const credit = [
        'donation.completed',
        'campaign.milestone.reached',
        'campaign.milestone.reached',
        'campaign.funded',
      ]

      test('that drops the transaction leaves no money', async () => {
        const { chain, depth, state, events, mineAndFollow } = await donated()
        await chain.reorg(depth)
        await mineAndFollow(3)
        expect(await state()).toEqual({ statuses: [final ? 'reversed' : 'pending'], raised: '0' })
        expect(await events()).toEqual(final ? [...credit, ...back] : [])
      })

      test('that moves the transaction to another block credits it once, there', async () => {
        const { chain, depth, state, events, signed, world, mineAndFollow } = await donated()
        await chain.mine(2)
        await chain.reorg(depth + 2, [[signed, 1]])
        await mineAndFollow(4)
        expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000' })
        expect(await events()).toEqual(final ? [...credit, ...back, ...credit] : credit)
        const [row] = await world.ctx.sql`
          select count(*)::int as transfers, max(generation) as generation from chain_transfer`
        expect(row).toEqual({ transfers: 1, generation: final ? 1 : 0 })
      })

      test('that replaces the transaction by another leaves no money, and pays the donor who claims the other', async () => {
        const { chain, depth, state, record, mineAndFollow } = await donated()
        const replacement = await chain.signToken(1, ACCOUNT, 2_000_000n, 0)
        await record(replacement, { value: '2' })
        await chain.reorg(depth, [[replacement, 0]])
        await mineAndFollow(3)
        expect(await state()).toEqual({
          statuses: [final ? 'reversed' : 'pending', 'completed'],
          raised: '2000000',
        })
      })
    })
  }

  test('two workers that follow one chain at once credit once', async () => {
    const { chain, follow, state, world, sync, mineAndFollow, give } = await setUp()
    await follow()
    const other = createChainSync(world.ctx, { ...sync.chain })
    for (let round = 0; round < 5; round++) {
      await give(1, 1_000_000n)
      await chain.mine(1)
      // No worker has a lease, so both work, and the cursor decides which block is applied.
      await world.ctx.sql`update chain_state set lease_owner = null`
      await Promise.all([
        follow(),
        syncChain({ ...other, leaseMs: 0 }, new AbortController().signal),
      ])
    }
    await mineAndFollow(2)
    expect(await state()).toEqual({ statuses: Array(5).fill('completed'), raised: '5000000' })
  })

  test('refuses a node that serves another chain', async () => {
    const { world, chain } = await setUp()
    const wrong = createChainSync(world.ctx, {
      ...TEST_CHAIN,
      id: 5,
      name: 'wrong',
      rpc: [chain.url],
    })
    await expect(syncChain(wrong, new AbortController().signal)).rejects.toMatchObject({
      code: 'wrong_chain',
    })
  })
})
