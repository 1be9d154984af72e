import { expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  startChain,
  txHash,
  USDC_ASSET,
} from '../../support/chain-facts.ts'
import { finalise } from '../../support/finalise.ts'
import { undoBlocks } from '../../support/undo-blocks.ts'
import { createTestCampaign, createUser, createWorld, type World } from '../../support/world.ts'

const DEPTH = 64
const CREDITS = 10_000
const CAMPAIGNS = 8
const UNITS = 1_000_001n

type Raised = { raised: string; donations: number }

/** Inserts all donations in one statement. Other tests check how a single donation is recorded. */
const recordAll = async (world: World, campaigns: readonly string[]): Promise<void> => {
  const donor = await createUser(world.ctx)
  const rows = Array.from({ length: CREDITS }, (_, index) => ({
    campaign_id: campaigns[index % CAMPAIGNS],
    tx_hash: txHash(`gift ${index}`),
  }))
  await world.ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, expires_at, created_at)
    select gen_random_uuid(), ${donor.userId}, campaign_id, ${CHAIN_ID}, bytes_of(tx_hash),
           ${address('donor')}, ${USDC_ASSET}, ${UNITS.toString()}, now() + interval '3 days', now()
    from jsonb_to_recordset(${world.ctx.sql.json(rows)}) as row (campaign_id uuid, tx_hash text)`
}

test('a reorganisation 64 blocks deep over 10 000 credits is undone in one transaction, to the base unit', async () => {
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const accounts = Array.from({ length: CAMPAIGNS }, (_, index) => address(`campaign ${index}`))
  const campaigns: string[] = []
  for (const account of accounts) {
    const milestones = ['1000', '200']
    campaigns.push(
      await createTestCampaign(world.ctx, { creator, account, target: '1200', milestones }),
    )
  }
  await recordAll(world, campaigns)
  await startChain(world.ctx)
  for (let number = 1; number <= DEPTH; number++) {
    const gifts = Array.from({ length: CREDITS }, (_, index) => index).filter(
      (index) => (index % DEPTH) + 1 === number,
    )
    const payments = gifts.map((index) => ({
      tx: `gift ${index}`,
      to: accounts[index % CAMPAIGNS] ?? '',
      usdc: UNITS,
    }))
    await applyBlock(world.ctx, number, payments)
  }
  expect(await finalise(world.ctx, DEPTH, blockHash(DEPTH))).toBe(CREDITS)
  const totals = () => world.ctx.sql<Raised[]>`
    select raised::text, donations from campaign_total order by campaign_id`
  const each = CREDITS / CAMPAIGNS
  const full = Array.from({ length: CAMPAIGNS }, () => ({
    raised: (UNITS * BigInt(each)).toString(),
    donations: each,
  }))
  expect(await totals()).toEqual(full)

  const undone = await undoBlocks(world.ctx, DEPTH, 0)

  expect(undone).toEqual({ waiting: 0, reversed: CREDITS })
  expect(await totals()).toEqual(full.map(() => ({ raised: '0', donations: 0 })))
  const [written] = await world.ctx.sql`
    select count(*) as entries, count(distinct xmin::text) as transactions
    from ledger_entry where kind = 'reversal'`
  expect(written).toEqual({ entries: CREDITS, transactions: 1 })
  const reversed = await world.ctx.sql`
    select type, count(*) as events, count(distinct xmin::text) as transactions from event
    where type in ('donation.reversed', 'campaign.threshold.reverted') group by type order by type`
  expect(reversed).toEqual([
    // Each campaign loses two milestones and its target.
    { type: 'campaign.threshold.reverted', events: CAMPAIGNS * 3, transactions: 1 },
    { type: 'donation.reversed', events: CREDITS, transactions: 1 },
  ])
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])

  // The first block of the new branch contains all gifts, so each gift is credited again.
  const again = Array.from({ length: CREDITS }, (_, index) => ({
    tx: `gift ${index}`,
    to: accounts[index % CAMPAIGNS] ?? '',
    usdc: UNITS,
  }))
  await applyBlock(world.ctx, 1, again, 'other', 'main')
  await finalise(world.ctx, 1, blockHash(1, 'other'))
  expect(await totals()).toEqual(full)
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
}, 240_000)
