import { expect } from 'vitest'
import { checkLedger } from '../../../../src/domain/books/index.ts'
import { getDonation } from '../../../../src/domain/donations/index.ts'
import { type ChainAssets, createAssetCatalogue } from '../../../../src/kernel/money/assets.ts'
import type { Settings } from '../../../../src/kernel/settings.ts'
import {
  address,
  applyBlock,
  minedAt,
  type Payment,
  startChain,
  txHash,
} from '../../../support/chain-facts.ts'
import { recordDonation, recordIntent } from '../../../support/donate.ts'
import { eventTypes } from '../../../support/event-types.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { finalise } from '../../../support/finalise.ts'
import { recordGift } from '../../../support/recorded-gift.ts'
import { undoBlocks } from '../../../support/undo-blocks.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../../support/world.ts'

export const ACCOUNT = address('campaign')
export const DONOR = address('donor')

type Options = {
  target?: string
  milestones?: string[]
  currency?: string
  createdAt?: Date
  settings?: Partial<Settings>
  chains?: readonly ChainAssets[]
}

type Claim = { ledgerAddress?: string; logPosition?: number | 'native' }

/**
 * A campaign on an imagined chain, and functions for tests. The clock starts at the time of block
 * 0.
 */
export const createSettledWorld = async (options: Options = {}) => {
  const clock = createFakeClock(minedAt(0))
  const { settings = {}, chains = [TEST_CHAIN], ...campaignOptions } = options
  const world = await createWorld({ clock, settings, chains })
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaign = (account = ACCOUNT, more: Options = {}) =>
    createTestCampaign(world.ctx, { creator, account, ...campaignOptions, ...more })
  const campaignId = await campaign()
  await startChain(world.ctx)
  const { ctx } = world
  const differences = async () => (await checkLedger(ctx.pool)).differences
  /** Applies the next block of a branch. */
  const block = (number: number, payments: Payment[], branch?: string, parentBranch?: string) =>
    applyBlock(ctx, number, payments, branch, parentBranch)
  /** Makes the blocks up to a number final. Fails if the books disagree afterwards. */
  const finalises = async (number: number, as = ctx) => {
    const settled = await finalise(as, number)
    expect(await differences()).toEqual([])
    return settled
  }
  const assets = createAssetCatalogue([TEST_CHAIN], {})

  return {
    ...{ world, ctx, clock, creator, donor, campaignId, campaign, block, differences },
    finalise: finalises,
    finalBlock: async (...args: Parameters<typeof block>) => {
      await block(...args)
      return finalises(args[0])
    },
    /** A context without any prices. */
    unpriced: { ...ctx, settings: { ...ctx.settings, assets } },
    /** Records a donation whose claim names another account or log position. */
    async claim(tx: string, change: Claim, value = '10', by = donor) {
      const { donation } = await recordDonation(world.as(by), {
        campaignId,
        amount: { value, currency: 'USDC' },
        transaction: { txHash: txHash(tx), ledgerAddress: DONOR, ...change },
      })
      return donation.id
    },
    async record(tx: string, value = '10', currency = 'USDC', to = campaignId, by = donor) {
      return recordGift(world.as(by), to, { hash: txHash(tx), from: DONOR }, value, currency)
    },
    async intend(value = '10', currency = 'USDC', wallet = DONOR, to = campaignId, by = donor) {
      const intent = await recordIntent(world.as(by), {
        campaignId: to,
        amount: { value, currency },
        donor: { walletAddress: wallet },
      })
      return intent.id
    },
    read: (id: string) => getDonation(world.as(donor), id),
    /** Reverts blocks. Fails if the books disagree afterwards. */
    async undo(from: number, to: number, branch = 'main') {
      const undone = await undoBlocks(ctx, from, to, branch)
      expect(undone).not.toBeNull()
      expect(await differences()).toEqual([])
      return undone
    },
    async raised(id = campaignId) {
      const [row] = await ctx.sql<{ raised: string }[]>`
        select raised from campaign_total where campaign_id = ${id}`
      return row?.raised ?? 'none'
    },
    /**
     * The balance of a campaign's account in base units. Debits count as positive for custody only.
     */
    async balance(kind: string, id = campaignId) {
      const [row] = await ctx.sql<{ amount: string }[]>`
        select coalesce(sum(case when account.id = entry.debit_account then entry.amount
                                 else -entry.amount end), 0)::text as amount
        from ledger_account account
        join ledger_entry entry on account.id in (entry.debit_account, entry.credit_account)
        where account.campaign_id = ${id} and account.kind = ${kind}`
      return kind === 'custody' ? row?.amount : String(-BigInt(row?.amount ?? 0))
    },
    /** Lists all entries in order, each as `kind credit->debit`. */
    async entries() {
      const rows = await ctx.sql<{ kind: string; debit: string; credit: string }[]>`
        select entry.kind, debit.kind as debit, credit.kind as credit
        from ledger_entry entry
        join ledger_account debit on debit.id = entry.debit_account
        join ledger_account credit on credit.id = entry.credit_account
        order by entry.id`
      return rows.map(({ kind, debit, credit }) => `${kind} ${credit}->${debit}`)
    },
    events: () => eventTypes(ctx),
  }
}
