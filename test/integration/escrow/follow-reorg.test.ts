import { describe, expect, test } from 'vitest'
import { changeCampaign } from '../../../src/domain/campaigns/index.ts'
import { hasAnvil, type Signed } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createFollowedWorld, type FollowedWorld } from './support/followed-world.ts'

const one = keyOf(1).address.toLowerCase()

/** A followed escrow with donations of 60 and 10 USDC. Some tests remove final blocks. */
const setUp = async () => {
  const world = await createFollowedWorld()
  await world.mine(world.deploy())
  await world.record(await world.donate(1, 60_000_000n), '60')
  await world.settle(world.record(await world.donate(2, 10_000_000n), '10'))
  return world
}

/**
 * The state that a reversal must restore. Its new entries and events are not part of this state.
 */
const snapshot = async (world: FollowedWorld) => ({
  ...(await world.state()),
  balances: Object.fromEntries(
    Object.entries(await world.balances()).filter(([, units]) => units !== 0n),
  ),
})

/** Replaces the blocks above a head by a longer branch, which contains only these transactions. */
const takeBack = async (world: FollowedWorld, head: number, again: [Signed, number][] = []) => {
  const depth = (await world.chain.head()) - head
  await world.chain.reorg(depth, again)
  await world.mineAndFollow(depth + 2)
}

describe.skipIf(!hasAnvil)('a reorganisation that takes events of an escrow away', () => {
  test('before finality, a release is not booked and comes back with its new block', async () => {
    const world = await setUp()
    const before = await snapshot(world)
    const release = await world.release(0)
    await world.mineAndFollow()
    const found = () => world.world.ctx.sql`
      select block_number is not null as mined, settled_at is not null as settled
      from escrow_event where kind = 'MilestoneReleased'`
    expect(await found()).toEqual([{ mined: true, settled: false }])
    await world.chain.reorg(1)
    await world.mineAndFollow(2)
    expect(await found()).toEqual([{ mined: false, settled: false }])
    expect(await snapshot(world)).toEqual(before)
    await world.chain.send(release).catch(() => {})
    await world.settle()
    expect(await found()).toEqual([{ mined: true, settled: true }])
    expect(await world.eventTypes()).not.toContain('milestone.release.reverted')
  })

  test('after finality, release, failure and refunds are reversed exactly', async () => {
    const world = await setUp()
    const before = await snapshot(world)
    const head = await world.chain.head()
    await world.mine(world.release(0))
    await world.mine(world.cancel())
    await world.settle(world.refund(one))
    expect(await world.state()).toMatchObject({
      campaign: 'cancelled',
      donations: ['partly_refunded 34285714', 'completed'],
      milestones: ['released', expect.anything()],
    })
    await takeBack(world, head)
    await world.agree()
    expect(await snapshot(world)).toEqual(before)
    const types = await world.eventTypes()
    expect(types.filter((type) => /revert|updated/.test(type)).sort()).toEqual(
      [
        // The refund put the campaign below its target and below its second milestone.
        'campaign.threshold.reverted',
        'campaign.threshold.reverted',
        'campaign.updated',
        'donation.refund.reverted',
        'milestone.release.reverted',
      ].sort(),
    )
    const [sums] = await world.world.ctx.sql`
      select count(*) filter (where kind = 'reversal')::int as reversals,
             count(*) filter (where kind in ('release', 'payout', 'refund'))::int as entries
      from ledger_entry`
    expect(sums).toEqual({ reversals: 3, entries: 3 })
  })

  test('reversed events that are mined again are booked again, in a new generation', async () => {
    const world = await setUp()
    const head = await world.chain.head()
    const release = await world.release(0)
    await world.settle()
    await takeBack(world, head, [[release, 0]])
    await world.agree()
    expect(await world.state()).toMatchObject({ milestones: ['released', 'reached'] })
    const entries = await world.world.ctx.sql`
      select kind, generation from ledger_entry where escrow_event_id is not null order by id`
    expect(entries).toEqual([
      { kind: 'release', generation: 0 },
      { kind: 'payout', generation: 0 },
      { kind: 'reversal', generation: 0 },
      { kind: 'reversal', generation: 0 },
      { kind: 'release', generation: 1 },
      { kind: 'payout', generation: 1 },
    ])
  })

  test('a donation and its refund are reversed together', async () => {
    const world = await createFollowedWorld()
    await world.settle(world.deploy())
    const head = await world.chain.head()
    await world.mine(world.record(await world.donate(1, 5_000_000n), '5'))
    await world.mine(world.cancel())
    await world.settle(world.refund(one))
    expect(await world.state()).toMatchObject({ donations: ['refunded 5000000'], raised: '0' })
    await takeBack(world, head)
    await world.agree()
    expect(await world.state()).toMatchObject({ campaign: 'active', donations: ['reversed'] })
  })

  test('a campaign that its creator ended before the escrow failed stays ended', async () => {
    const world = await createFollowedWorld()
    const { ctx } = world.world
    await changeCampaign(ctx, world.campaignId, { status: 'cancelled' })
    await world.settle(world.deploy())
    const head = await world.chain.head()
    await world.settle(world.cancel())
    const failures = () => ctx.sql`
      select settled_at is not null as settled from escrow_event where kind = 'Failed'`
    expect(await failures()).toEqual([{ settled: true }])
    await takeBack(world, head)
    expect(await failures()).toEqual([{ settled: false }])
    expect(await world.state()).toMatchObject({ campaign: 'cancelled' })
  })

  test('a rejection that only the contract has ends the round here, until it is taken away', async () => {
    const world = await setUp()
    const head = await world.chain.head()
    await world.settle(world.reject(0))
    const round = () => world.world.ctx.sql`
      select status, verification_round from milestone order by position limit 1`
    expect(await round()).toEqual([{ status: 'rejected', verificationRound: 1 }])
    await takeBack(world, head)
    await world.agree()
    expect(await round()).toEqual([{ status: 'reached', verificationRound: 0 }])
  })
})
