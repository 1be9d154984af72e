import { describe, expect, test } from 'vitest'
import { createCampaign } from '../../../src/domain/campaigns/index.ts'
import { ListDeposits, listDeposits } from '../../../src/domain/donations/index.ts'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createChainWorld } from '../support/chain-world.ts'

const OPENED = address('opened')

const createBehind = async (seconds: number) => {
  const timestamp = Math.floor(Date.now() / 1_000) - seconds
  const world = await createChainWorld({ chain: await startTestChain({ timestamp }) })
  const { chain, ctx, sync } = world
  const creator = world.world.as(world.creator)
  const reconcile = createReconcileJob(sync, { everyMs: 0 })
  const pay = async (units: bigint) => {
    const sent = await chain.send(await chain.signToken(1, OPENED, units))
    await chain.mine()
    return sent
  }
  const open = async () => {
    const { id } = await createCampaign(creator, {
      ...{ title: 'Wells', description: 'Water', targetAmount: '1000', status: 'active' },
      ...{ ledgerAccount: OPENED, milestones: [] },
    })
    return id
  }
  return {
    ...{ ...world, pay, open },
    /**
     * Looks up the recorded donations, makes their blocks final, and compares with the chain again.
     */
    settle: async () => {
      await world.mineAndFollow(3)
      await world.lookUp()
      await world.follow()
      await reconcile.run()
      expect(await ctx.sql`select note from ledger_difference`).toEqual([])
    },
    unclaimed: async (campaignId: string) => {
      const query = ListDeposits.parse({ status: 'unclaimed' })
      const { items } = await listDeposits(creator, campaignId, query)
      return items.map((one) => [one.amount.value, one.beforeCampaign]).sort()
    },
  }
}

describe.skipIf(!hasAnvil)('on a chain whose clock is behind', () => {
  test.each([40, 120])(
    'by %i seconds a payment after the opening is credited, and one before it is a deposit',
    async (seconds) => {
      const world = await createBehind(seconds)
      const old = await world.pay(7_000_000n)
      await world.follow()
      const campaignId = await world.open()
      const gift = await world.pay(5_000_000n)
      await world.pay(6_000_000n)
      await world.record(old, { campaignId, value: '7' })
      await world.record(gift, { campaignId })
      await world.settle()
      expect(await world.donations()).toEqual([
        ['failed', 'transfer_before_campaign'],
        ['completed', 'completed'],
      ])
      expect(await world.raised(campaignId)).toBe('5000000')
      expect(await world.unclaimed(campaignId)).toEqual([
        ['6', false],
        ['7', true],
      ])
    },
  )
})
