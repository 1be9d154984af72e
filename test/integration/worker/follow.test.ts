import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { eventTypes } from '../../support/event-types.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { hasAnvil, type Signed, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'

const ACCOUNT = address('campaign')

const setUp = async (options: { target?: string; milestones?: string[] } = {}) => {
  const chain = await startTestChain()
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, { creator, account: ACCOUNT, ...options })
  const sync = createChainSync(world.ctx, servedBy(chain.url))
  const checks = createCheckDonationsJob(sync)
  const follow = () => syncChain(sync, new AbortController().signal)
  const record = (signed: Signed, value: string, currency = 'USDC') =>
    recordGift(world.as(donor), campaignId, signed, value, currency)
  const state = async () => {
    const donations = await world.ctx.sql<{ status: string; reason: string }[]>`
      select status, reason from donation order by created_at, id`
    const [total] = await world.ctx.sql<{ raised: string }[]>`select raised from campaign_total`
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
    return { statuses: donations.map((row) => row.status), raised: total?.raised }
  }
  const events = () => eventTypes(world.ctx)
  return { chain, world, donor, campaignId, sync, checks, follow, record, state, events }
}

describe.skipIf(!hasAnvil)('following a real chain', () => {
  test('credits token and native transfers when they are final, with one receipts call a block', async () => {
    const { chain, follow, record, state, sync, world, donor } = await setUp()
    await follow()
    const token = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    const ether = await chain.send(await chain.signEther(2, ACCOUNT, '0.001'))
    await record(token, '5')
    const second = await record(ether, '0.001', 'ETH')
    await follow()
    expect(await state()).toEqual({ statuses: ['pending', 'pending'], raised: '0' })
    await chain.mine()
    const before = sync.client.stats().calls
    await follow()
    expect(await state()).toEqual({ statuses: ['confirming', 'confirming'], raised: '0' })
    expect(sync.client.stats().calls - before).toBe(4)
    await chain.mine(2)
    await follow()
    expect(await state()).toEqual({ statuses: ['completed', 'completed'], raised: '7500000' })
    expect(await getDonation(world.as(donor), second)).toMatchObject({
      confirmedAmount: { value: '0.001', currency: 'ETH' },
      creditedAmount: { value: '2.5', currency: 'USDC' },
    })
  })

  test('matches a donation that is recorded after its block has been read and is final', async () => {
    const { chain, follow, record, state, checks, world } = await setUp()
    await follow()
    const token = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await chain.mine(3)
    await follow()
    await record(token, '5')
    expect(world.wakes).toContain('donations')
    await checks.run()
    expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000' })
  })

  test('finds a failed or foreign transaction of an old block by its hash, and says why it failed', async () => {
    const { chain, follow, record, checks, world } = await setUp()
    await follow()
    const reverts = await chain.send(await chain.signToken(7, ACCOUNT, 5_000_000n))
    const elsewhere = await chain.send(await chain.signToken(1, address('elsewhere'), 5n))
    await chain.mine(3)
    await follow()
    await record(reverts, '5')
    await record(elsewhere, '5')
    await world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
    await checks.run()
    const rows = await world.ctx.sql`select status, reason from donation order by created_at, id`
    expect(rows).toEqual([
      { status: 'failed', reason: 'transaction_reverted' },
      { status: 'failed', reason: 'wrong_recipient' },
    ])
  })

  test('a transaction that is never seen waits longer and longer, expires, and revives when it appears', async () => {
    const { chain, follow, record, checks, state, world } = await setUp()
    await follow()
    const late = await chain.signToken(1, ACCOUNT, 5_000_000n)
    await record(late, '5')
    const due = () => world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
    for (const checksSoFar of [1, 2, 3]) {
      await due()
      await checks.run()
      const [row] = await world.ctx.sql<{ checks: number; wait: number }[]>`
        select checks, extract(epoch from next_check_at - now())::float as wait from donation`
      expect(row?.checks).toBe(checksSoFar)
      expect(row?.wait).toBeGreaterThan(2.4 * 2 ** checksSoFar)
    }
    await world.ctx.sql`update donation set expires_at = now()`
    await due()
    await checks.run()
    expect((await state()).statuses).toEqual(['expired'])
    await chain.send(late)
    await chain.mine(3)
    await follow()
    expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000' })
  })

  test('a dead node fails nothing and lets nothing expire', async () => {
    const { chain, follow, record, checks, state, world } = await setUp()
    await follow()
    await record(await chain.signToken(1, ACCOUNT, 5_000_000n), '5')
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
        const signed = await setup.chain.send(await setup.chain.signToken(1, ACCOUNT, 5_000_000n))
        await setup.record(signed, '5')
        await setup.chain.mine(final ? 3 : 1)
        await setup.follow()
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
        const { chain, follow, depth, state, events } = await donated()
        await chain.reorg(depth)
        await chain.mine(3)
        await follow()
        expect(await state()).toEqual({ statuses: [final ? 'reversed' : 'pending'], raised: '0' })
        expect(await events()).toEqual(final ? [...credit, ...back] : [])
      })

      test('that moves the transaction to another block credits it once, there', async () => {
        const { chain, follow, depth, state, events, signed, world } = await donated()
        await chain.mine(2)
        await chain.reorg(depth + 2, [[signed, 1]])
        await chain.mine(4)
        await follow()
        expect(await state()).toEqual({ statuses: ['completed'], raised: '5000000' })
        expect(await events()).toEqual(final ? [...credit, ...back, ...credit] : credit)
        const [row] = await world.ctx.sql`
          select count(*)::int as transfers, max(generation) as generation from chain_transfer`
        expect(row).toEqual({ transfers: 1, generation: final ? 1 : 0 })
      })

      test('that replaces the transaction by another leaves no money, and pays whoever claims the other', async () => {
        const { chain, follow, depth, state, record } = await donated()
        const replacement = await chain.signToken(1, ACCOUNT, 2_000_000n, 0)
        await record(replacement, '2')
        await chain.reorg(depth, [[replacement, 0]])
        await chain.mine(3)
        await follow()
        expect(await state()).toEqual({
          statuses: [final ? 'reversed' : 'pending', 'completed'],
          raised: '2000000',
        })
      })
    })
  }

  test('two workers that follow one chain at once credit once', async () => {
    const { chain, follow, record, state, world, sync } = await setUp()
    await follow()
    const other = createChainSync(world.ctx, { ...sync.chain })
    for (let round = 0; round < 5; round++) {
      await record(await chain.send(await chain.signToken(1, ACCOUNT, 1_000_000n)), '1')
      await chain.mine(1)
      // Neither lease holds: both work, and the cursor decides.
      await world.ctx.sql`update chain_state set lease_owner = null`
      await Promise.all([
        follow(),
        syncChain({ ...other, leaseMs: 0 }, new AbortController().signal),
      ])
    }
    await chain.mine(2)
    await follow()
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
