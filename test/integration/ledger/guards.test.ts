import { expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { checkLedger, postCredits } from '../../../src/domain/books/index.ts'
import { address, applyBlock, startChain, txHash } from '../../support/chain-facts.ts'
import { finalise } from '../../support/finalise.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'

const ACCOUNT = address('campaign')

/** A world with one credited donation. */
const credited = async () => {
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, {
    creator,
    account: ACCOUNT,
    target: '50',
  })
  await startChain(world.ctx)
  await recordGift(world.as(creator), campaignId, { hash: txHash('a'), from: ACCOUNT }, '10')
  await applyBlock(world.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await finalise(world.ctx, 1)
  return { world, campaignId }
}

const CHANGES = [
  'update ledger_entry set amount = amount + 1',
  'delete from ledger_entry',
  'truncate ledger_entry cascade',
  "update ledger_account set kind = 'released'",
  'delete from ledger_account',
  'update standing_entry set amount = amount + 1',
  'delete from standing_entry',
]

test.each(CHANGES)('refuses the service: %s', async (statement) => {
  const { world } = await credited()
  await expect(world.ctx.pool.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
})

test.each(CHANGES)('refuses the owner too: %s', async (statement) => {
  const { world } = await credited()
  const owner = createDatabase({ url: world.url, max: 1, asAppRole: false })
  try {
    await expect(owner.unsafe(statement)).rejects.toMatchObject({ code: '23001' })
  } finally {
    await owner.end()
  }
})

test('refuses a second credit of one transfer', async () => {
  const { world, campaignId } = await credited()
  const [entry] = await world.ctx.sql<
    { donationId: string; transferId: string; assetId: string }[]
  >`
    select donation_id, transfer_id, asset_id from ledger_entry`
  const credit = {
    donationId: entry?.donationId ?? '',
    campaignId,
    creatorId: campaignId,
    transferId: entry?.transferId ?? '',
    generation: 0,
    assetId: entry?.assetId ?? '',
    amount: 5n,
    currencyId: entry?.assetId ?? '',
    credited: 5n,
    blockNumber: 1,
    blockHash: '0x',
    minedAt: new Date(),
  }
  await expect(postCredits(world.ctx, [credit])).rejects.toMatchObject({
    constraint_name: 'ledger_entry_once',
  })
})

test.each([
  ['another amount', 'amount + 1', 'credit_account', 'debit_account'],
  ['the same sides', 'amount', 'debit_account', 'credit_account'],
])('refuses a reversal with %s', async (_what, amount, debit, credit) => {
  const { world } = await credited()
  await expect(
    world.ctx.pool.unsafe(`
      insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
                                reverses, created_at)
      select 'reversal', ${debit}, ${credit}, asset_id, ${amount}, campaign_id, id, now()
      from ledger_entry`),
  ).rejects.toMatchObject({ code: '23514' })
})

test('refuses an entry in an asset that its account does not hold, so that every asset sums to zero', async () => {
  const { world } = await credited()
  await expect(
    world.ctx.pool.unsafe(`
      insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
      select 'donation', credit_account, debit_account, 'eip155:31337/slip44:60', 1, campaign_id, now()
      from ledger_entry`),
  ).rejects.toMatchObject({ code: '23503' })
})

test('the check names every total and credit that was tampered with', async () => {
  const { world, campaignId } = await credited()
  expect(await checkLedger(world.ctx.pool)).toMatchObject({
    campaigns: 1,
    entries: 1,
    differences: [],
  })
  await world.ctx.sql`update campaign_total set raised = raised - 1, donations = 7`
  await world.ctx.sql`update donation set credited_amount = credited_amount + 1`
  const { differences } = await checkLedger(world.ctx.pool)
  expect(differences).toEqual([
    {
      what: 'current_amount of campaign',
      id: campaignId,
      stored: '9999999',
      recomputed: '10000000',
    },
    { what: 'number of donations of campaign', id: campaignId, stored: '7', recomputed: '1' },
    expect.objectContaining({
      what: 'credit of donation',
      stored: '10000001',
      recomputed: '10000000',
    }),
  ])
})
