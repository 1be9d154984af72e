import { describe, expect, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { type ChainWorld, createChainWorld } from '../support/chain-world.ts'

const CAMPAIGN = { target: '20', milestones: ['5', '5', '10'] }

/** The events of each threshold in order: + reached, - reverted. The target comes last. */
const marksOf = async ({ ctx }: ChainWorld): Promise<string[]> => {
  const rows = await ctx.sql<{ marks: string }[]>`
    select string_agg(case when type = 'campaign.threshold.reverted' then '-' else '+' end, ''
                      order by seq) as marks
    from event
    left join milestone on milestone.id::text = event.body::jsonb -> 'data' ->> 'milestoneId'
    where type like 'campaign.%' and type <> 'campaign.updated'
    group by milestone.position order by milestone.position`
  return rows.map((row) => row.marks)
}

/** Lets two workers follow the chain at once, without leases. */
const raceWith = (world: ChainWorld) => {
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
    const world = await createChainWorld({ campaign: CAMPAIGN })
    const { chain, ctx, follow, give } = world
    await follow()
    const race = raceWith(world)
    for (let round = 0; round < 12; round++) {
      await give(1, 1_000_000n)
      await give(2, 1_000_000n)
      await chain.mine()
      await ctx.sql`update chain_state set lease_owner = null`
      await race()
    }
    await chain.mine(2)
    await ctx.sql`update chain_state set lease_owner = null`
    await race()
    expect(await world.statuses()).toEqual(Array(24).fill('completed'))
    expect(await world.raised()).toBe('24000000')
    expect(await marksOf(world)).toEqual(['+', '+', '+', '+'])
  })

  test('are all crossed by one gift that is large enough, in their order', async () => {
    const world = await createChainWorld({ campaign: CAMPAIGN })
    await world.follow()
    await world.give(1, 20_000_000n)
    await world.mineAndFollow(3)
    expect(await world.events()).toEqual([
      'donation.completed',
      'campaign.milestone.reached',
      'campaign.milestone.reached',
      'campaign.milestone.reached',
      'campaign.funded',
    ])
    expect(await marksOf(world)).toEqual(['+', '+', '+', '+'])
  })

  test('that fall below and are reached again have an event each time, and no other has one', async () => {
    const world = await createChainWorld({ campaign: CAMPAIGN })
    const { chain, follow, raised, statuses, mineAndFollow, give } = world
    await follow()
    await give(1, 6_000_000n)
    await chain.mine()
    const large = await give(2, 14_000_000n)
    await mineAndFollow(3)
    expect(await marksOf(world)).toEqual(['+', '+', '+', '+'])
    for (const marks of ['+-+', '+-+-+']) {
      // The reorg removes the block of the large gift and the later blocks. The first gift stays.
      await chain.reorg(3)
      await follow()
      expect(await statuses()).toEqual(['completed', 'reversed'])
      expect(await raised()).toBe('6000000')
      await chain.reorg(1, [[large, 0]])
      await mineAndFollow(2)
      expect(await raised()).toBe('20000000')
      expect(await marksOf(world)).toEqual(['+', marks, marks, marks])
    }
  })
})
