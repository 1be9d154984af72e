import { describe, expect, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { ACCOUNT, createEdgeWorld, type EdgeWorld } from './support/edge-world.ts'

const CAMPAIGN = { target: '20', milestones: ['5', '5', '10'] }

/** What was told of each threshold, in order: + reached, - reverted. The target's key is `target`. */
const told = async ({ ctx }: EdgeWorld): Promise<string[]> => {
  const rows = await ctx.sql<{ marks: string }[]>`
    select string_agg(case when type = 'campaign.threshold.reverted' then '-' else '+' end, ''
                      order by seq) as marks
    from event
    left join milestone on milestone.id::text = body::jsonb -> 'data' ->> 'milestoneId'
    where type like 'campaign.%' and type <> 'campaign.updated'
    group by milestone.position order by milestone.position`
  return rows.map((row) => row.marks)
}

/** One worker more, which holds no lease and asks for none. */
const raceWith = (world: EdgeWorld) => {
  const other = createChainSync(world.ctx, { ...world.sync.chain })
  return () =>
    Promise.all(
      [world.sync, other].map((sync) =>
        syncChain({ ...sync, leaseMs: 0 }, new AbortController().signal),
      ),
    )
}

describe.skipIf(!hasAnvil)('thresholds', () => {
  test('are crossed once by gifts that two workers settle at the same time', async () => {
    const world = await createEdgeWorld({ campaign: CAMPAIGN })
    const { chain, ctx, follow, record } = world
    await follow()
    const race = raceWith(world)
    for (let round = 0; round < 12; round++) {
      await record(await chain.send(await chain.signToken(1, ACCOUNT, 1_000_000n)), { value: '1' })
      await record(await chain.send(await chain.signToken(2, ACCOUNT, 1_000_000n)), { value: '1' })
      await chain.mine()
      await ctx.sql`update chain_state set lease_owner = null`
      await race()
    }
    await chain.mine(2)
    await ctx.sql`update chain_state set lease_owner = null`
    await race()
    expect(await world.statuses()).toEqual(Array(24).fill('completed'))
    expect(await world.raised()).toBe('24000000')
    expect(await told(world)).toEqual(['+', '+', '+', '+'])
  })

  test('are all crossed by one gift that is large enough, in their order', async () => {
    const world = await createEdgeWorld({ campaign: CAMPAIGN })
    await world.follow()
    const gift = await world.chain.send(await world.chain.signToken(1, ACCOUNT, 20_000_000n))
    await world.record(gift, { value: '20' })
    await world.chain.mine(3)
    await world.follow()
    expect(await world.events()).toEqual([
      'donation.completed',
      'campaign.milestone.reached',
      'campaign.milestone.reached',
      'campaign.milestone.reached',
      'campaign.funded',
    ])
    expect(await told(world)).toEqual(['+', '+', '+', '+'])
  })

  test('that fall below and are reached again are told of each time, and of no other', async () => {
    const world = await createEdgeWorld({ campaign: CAMPAIGN })
    const { chain, follow, record, raised, statuses } = world
    await follow()
    const small = await chain.send(await chain.signToken(1, ACCOUNT, 6_000_000n))
    await record(small, { value: '6' })
    await chain.mine()
    const large = await chain.send(await chain.signToken(2, ACCOUNT, 14_000_000n))
    await record(large, { value: '14' })
    await chain.mine(3)
    await follow()
    expect(await told(world)).toEqual(['+', '+', '+', '+'])
    for (const marks of ['+-+', '+-+-+']) {
      // Only the block of the large gift and those above it: the first milestone holds.
      await chain.reorg(3)
      await follow()
      expect(await statuses()).toEqual(['completed', 'reversed'])
      expect(await raised()).toBe('6000000')
      await chain.reorg(1, [[large, 0]])
      await chain.mine(2)
      await follow()
      expect(await raised()).toBe('20000000')
      expect(await told(world)).toEqual(['+', marks, marks, marks])
    }
  })
})
