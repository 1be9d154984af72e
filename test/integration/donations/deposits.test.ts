import { expect, test } from 'vitest'
import { applyLookups, matchLateDonations, settleBatch } from '../../../src/domain/blocks/index.ts'
import { changeCampaign } from '../../../src/domain/campaigns/index.ts'
import {
  address,
  blockHash,
  CHAIN_ID,
  minedAt,
  observed,
  txHash,
} from '../../support/chain-facts.ts'
import { recordDonation } from '../../support/donate.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { ACCOUNT, createSettledWorld, DONOR } from './support/settled-world.ts'

const gift = (tx: string, usdc = 10_000_000n) => ({ tx, to: ACCOUNT, usdc, claimed: false })

test('books an unclaimed transfer once it is final: custody rises, current_amount does not', async () => {
  const world = await createSettledWorld()
  await world.block(1, [gift('a'), gift('b', 5n)])
  await world.finalise(0)
  expect(await world.entries()).toEqual([])
  await world.finalise(1)
  expect(await world.entries()).toEqual([
    'deposit unclaimed->custody',
    'deposit unclaimed->custody',
  ])
  expect(await world.balance('custody')).toBe('10000005')
  expect(await world.balance('unclaimed')).toBe('10000005')
  expect(await world.raised()).toBe('0')
  expect(await world.events()).toEqual([])
  expect(await settleBatch(world.ctx, CHAIN_ID)).toBe(0)
})

test('what a donation claims later leaves unclaimed: custody stays, and only then current_amount rises', async () => {
  const world = await createSettledWorld()
  await world.finalBlock(1, [gift('a')])
  const id = await world.record('a')
  await matchLateDonations(world.ctx, CHAIN_ID)
  expect(await world.raised()).toBe('0')
  await world.finalise(1)
  expect((await world.read(id)).status).toBe('completed')
  expect(await world.entries()).toEqual(['deposit unclaimed->custody', 'donation held->unclaimed'])
  expect(await world.balance('custody')).toBe('10000000')
  expect(await world.balance('unclaimed')).toBe('0')
  expect(await world.raised()).toBe('10000000')
})

test('money whose donation failed is a deposit, for each reason', async () => {
  const world = await createSettledWorld()
  const wrong = async (tx: string, change: { ledgerAddress?: string; logPosition?: number }) =>
    recordDonation(world.world.as(world.donor), {
      campaignId: world.campaignId,
      amount: { value: '10', currency: 'USDC' },
      transaction: { txHash: txHash(tx), ledgerAddress: DONOR, ...change },
    })
  await wrong('ledger_address_mismatch', { ledgerAddress: address('stranger') })
  await wrong('no_such_transfer', { logPosition: 7 })
  await wrong('transfer_already_claimed', {})
  await wrong('transfer_already_claimed', { logPosition: 0 })
  await world.finalBlock(1, [
    { ...gift('ledger_address_mismatch', 1n), claimed: true },
    { ...gift('no_such_transfer', 2n), claimed: true },
    { ...gift('transfer_already_claimed', 4n), claimed: true },
  ])
  const rows = await world.ctx.sql<{ reason: string }[]>`
    select reason from donation where status = 'failed' order by reason`
  expect(rows.map((row) => row.reason)).toEqual([
    'ledger_address_mismatch',
    'no_such_transfer',
    'transfer_already_claimed',
  ])
  expect(await world.balance('unclaimed')).toBe('3')
  expect(await world.balance('custody')).toBe('7')
  expect(await world.differences()).toEqual([])
})

test('a donation that waits for a price is in custody as a deposit until it is counted', async () => {
  const world = await createSettledWorld()
  const id = await world.record('a', '1', 'ETH')
  await world.block(1, [{ tx: 'a', to: ACCOUNT, wei: 10n ** 18n }])
  await world.finalise(1, world.unpriced)
  expect((await world.read(id)).status).toBe('confirming')
  expect(await world.balance('custody')).toBe((10n ** 18n).toString())
  world.clock.advance(60_000)
  await world.finalise(1)
  expect((await world.read(id)).status).toBe('completed')
  expect(await world.entries()).toEqual([
    'deposit unclaimed->custody',
    'donation exchange->unclaimed',
    'conversion held->exchange',
  ])
  expect(await world.raised()).toBe('2500000000')
})

test('what waits for a price is in the custody of the campaign that it was given to', async () => {
  const world = await createSettledWorld()
  await world.record('a', '1', 'ETH')
  await world.ctx.sql`update campaign set status = 'completed'`
  const next = await world.campaign(ACCOUNT, { createdAt: minedAt(1) })
  await world.block(1, [{ tx: 'a', to: ACCOUNT, wei: 5n }])
  await world.finalise(1, world.unpriced)
  expect(await world.balance('custody')).toBe('5')
  expect(await world.balance('custody', next)).toBe('0')
})

test('a reorganisation before finality leaves no deposit, one after it takes deposits back and lets them return', async () => {
  const world = await createSettledWorld()
  await world.block(1, [gift('early')])
  await world.undo(1, 0)
  await world.finalBlock(1, [gift('a')], 'one', 'main')
  expect(await world.balance('custody')).toBe('10000000')
  await world.undo(1, 0, 'one')
  expect(await world.ctx.sql`select booked_number from chain_state`).toEqual([{ bookedNumber: 0 }])
  expect(await world.balance('custody')).toBe('0')
  expect(await world.balance('unclaimed')).toBe('0')
  await world.finalBlock(1, [gift('a'), gift('early')], 'two', 'main')
  expect(await world.balance('custody')).toBe('20000000')
  expect(await world.entries()).toEqual([
    'deposit unclaimed->custody',
    'reversal custody->unclaimed',
    'deposit unclaimed->custody',
    'deposit unclaimed->custody',
  ])
})

test('a reorganisation takes a claimed deposit back whole, and what returns is credited again', async () => {
  const world = await createSettledWorld()
  await world.finalBlock(1, [gift('a')])
  const id = await world.record('a')
  await matchLateDonations(world.ctx, CHAIN_ID)
  await world.finalise(1)
  await world.undo(1, 0)
  expect(await world.read(id)).toMatchObject({ status: 'reversed' })
  for (const kind of ['custody', 'unclaimed', 'held']) expect(await world.balance(kind)).toBe('0')
  expect(await world.raised()).toBe('0')
  await world.finalBlock(1, [{ ...gift('a'), claimed: true }], 'other', 'main')
  expect(await world.read(id)).toMatchObject({ status: 'completed' })
  expect(await world.balance('custody')).toBe('10000000')
  expect((await world.entries()).at(-1)).toBe('donation held->custody')
})

test('books what came before the first campaign had opened on the account for that one', async () => {
  const world = await createSettledWorld({ createdAt: minedAt(2) })
  await world.block(1, [gift('before')])
  await world.finalBlock(2, [gift('same second')])
  expect(await world.balance('custody')).toBe('20000000')
  expect(await world.balance('unclaimed')).toBe('20000000')
})

test('books for the campaign that had opened last on the account, even if it is over, never for a draft', async () => {
  const world = await createSettledWorld()
  await world.ctx.sql`update campaign set status = 'completed'`
  await world.block(1, [gift('late')])
  const next = await world.campaign(ACCOUNT, { createdAt: minedAt(2) })
  await world.block(2, [gift('next')])
  await changeCampaign(world.world.as(world.creator), next, { status: 'completed' })
  const draft = await world.campaign(ACCOUNT, { createdAt: minedAt(2) })
  await world.ctx.sql`update campaign set status = 'draft' where id = ${draft}`
  await world.block(3, [gift('over', 7n)])
  await world.finalise(2)
  await changeCampaign(world.world.as(world.creator), draft, { status: 'cancelled' })
  await world.finalise(3)
  expect(await world.balance('custody', world.campaignId)).toBe('10000000')
  expect(await world.balance('custody', next)).toBe('10000007')
  expect(await world.balance('custody', draft)).toBe('0')
})

test('what an old block turns out to hold is booked, though newer blocks were booked already', async () => {
  const world = await createSettledWorld()
  await world.block(1, [])
  await world.finalBlock(2, [gift('b')])
  const found = observed(1, [gift('a', 3n)])
  const at = { number: 1, hash: blockHash(1) }
  expect(await applyLookups(world.ctx, CHAIN_ID, [at], found)).toBe(true)
  await world.finalise(2)
  expect(await world.balance('custody')).toBe('10000003')
  expect(await world.entries()).toHaveLength(2)
})

test('books thousands of deposits of many blocks, each once, however they fall into batches', async () => {
  const world = await createSettledWorld()
  const payments = (block: number) =>
    Array.from({ length: 4_000 }, (_, index) => ({
      ...gift(`${block}/${index}`, 1n),
      from: address(`${index % 50}`),
    }))
  for (const block of [1, 2, 3]) await world.block(block, payments(block))
  await world.finalise(3)
  expect(await world.balance('custody')).toBe('12000')
  expect(await world.ctx.sql`select booked_number from chain_state`).toEqual([{ bookedNumber: 3 }])
})

test('the check names a final transfer that the ledger does not hold, and one that no block holds', async () => {
  const world = await createSettledWorld()
  await world.finalBlock(1, [gift('a')])
  await world.ctx.sql`
    insert into chain_transfer
      select * from jsonb_populate_record(null::chain_transfer, (
        select to_jsonb(transfer) || '{"id": "01890000-0000-7000-8000-000000000001", "position": 9}'
        from chain_transfer transfer))`
  const lost = '01890000-0000-7000-8000-000000000001'
  expect(await world.differences()).toEqual([
    { what: 'custody of transfer', id: lost, stored: '10000000', recomputed: '0' },
  ])
  await world.ctx.sql`update chain_transfer set block_number = null where id <> ${lost}`
  await world.ctx.sql`update chain_state set booked_number = 0`
  expect(await world.differences()).toContainEqual(
    expect.objectContaining({
      what: 'custody of transfer',
      stored: '0',
      recomputed: '10000000',
    }),
  )
})

test('a deposit moves to the campaign whose donation claims it', async () => {
  const world = await createSettledWorld()
  const id = await world.record('a')
  await world.ctx.sql`update campaign set status = 'completed'`
  const next = await world.campaign(ACCOUNT, { createdAt: minedAt(1) })
  await world.finalBlock(1, [gift('a')])
  expect(await world.balance('custody', next)).toBe('10000000')
  world.clock.advance(5_000)
  await matchLateDonations(world.ctx, CHAIN_ID)
  await world.finalise(1)
  expect((await world.read(id)).status).toBe('completed')
  expect(await world.balance('custody', next)).toBe('0')
  expect(await world.balance('custody')).toBe('10000000')
  expect(await world.raised()).toBe('10000000')
})

test('the check names an unclaimed balance that its deposits do not explain', async () => {
  const world = await createSettledWorld()
  await world.finalBlock(1, [gift('a')])
  await world.ctx.sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    select 'exchange', campaign_id, asset_id from ledger_account where kind = 'unclaimed'`
  await world.ctx.sql`
    insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
                              created_at)
    select 'conversion', debit.id, credit.id, debit.asset_id, 1, debit.campaign_id, now()
    from ledger_account debit, ledger_account credit
    where debit.kind = 'unclaimed' and credit.kind = 'exchange'`
  expect(await world.differences()).toContainEqual({
    what: 'unclaimed of campaign',
    id: world.campaignId,
    stored: '9999999',
    recomputed: '10000000',
  })
})

test('counts what was settled and booked, once it is durable', async () => {
  const world = await createSettledWorld()
  const metrics = createTestMetrics()
  await world.record('a')
  await world.block(1, [{ ...gift('a'), claimed: true }, gift('b'), gift('c')])
  await world.finalise(1, { ...world.ctx, metrics })
  const labels = { chain: CHAIN_ID }
  expect(metrics.value('fundproof_donations_settled_total', labels)).toBe(1)
  expect(metrics.value('fundproof_deposits_booked_total', labels)).toBe(2)
})
