import { applyLookups } from '../../../../src/domain/blocks/index.ts'
import { createCampaign } from '../../../../src/domain/campaigns/index.ts'
import { ListDeposits, listDeposits } from '../../../../src/domain/donations/index.ts'
import {
  address,
  blockHash,
  CHAIN_ID,
  minedAt,
  observed,
  type Payment,
} from '../../../support/chain-facts.ts'
import { linkWallet } from '../../../support/linked-wallet.ts'
import { createSettledWorld, DONOR } from './settled-world.ts'

/** The account of the campaigns that these tests open. */
export const OPENED = address('opened')
export const gift = (tx: string): Payment => ({ tx, to: OPENED, usdc: 10_000_000n, claimed: false })

/** A world in which block 0 is read. A block comes every 12 seconds. */
export const createOpeningWorld = async () => {
  const world = await createSettledWorld()
  const creator = world.world.as(world.creator)
  const create = async (status: 'active' | 'draft' = 'active', ctx = creator) => {
    const { id } = await createCampaign(ctx, {
      ...{ title: 'Wells', description: 'Water', targetAmount: '1000', status, milestones: [] },
      ledgerAccount: OPENED,
    })
    return id
  }
  return {
    ...world,
    creatorContext: creator,
    create,
    /** Sets the server's clock to this number of seconds after the time of a block. */
    setClock: (block: number, seconds = 0) =>
      world.clock.set(new Date(minedAt(block).getTime() + seconds * 1_000)),
    record: (tx: string, campaignId: string, by = world.donor) =>
      world.record(tx, '10', 'USDC', campaignId, by),
    /** Links the paying wallet to the donor. */
    link: () => linkWallet(world, world.donor.userId, DONOR),
    /**
     * Applies the result of a look-up that finds a recorded donation in a block that was read
     * before.
     */
    lookUp: (block: number, tx: string) =>
      applyLookups(
        world.ctx,
        CHAIN_ID,
        [{ number: block, hash: blockHash(block) }],
        observed(block, [{ ...gift(tx), claimed: true }]),
      ),
    deposits: async (campaignId: string) => {
      const { items } = await listDeposits(
        creator,
        campaignId,
        ListDeposits.parse({ status: 'all' }),
      )
      return items.map((one) => ({
        ...{ block: one.blockNumber, before: one.beforeCampaign },
        claimed: one.claimedBy !== null,
      }))
    },
    outcomeOf: async (id: string) => {
      const { status, reason } = await world.read(id)
      return status === 'failed' ? reason : status
    },
  }
}
