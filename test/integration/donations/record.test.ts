import { expect, test } from 'vitest'
import { noteUnseen, postponeChecks } from '../../../src/domain/blocks/index.ts'
import type { RecordDonation } from '../../../src/domain/donations/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { parseAddress } from '../../../src/kernel/formats/address.ts'
import { txHash } from '../../support/chain-facts.ts'
import { recordDonation } from '../../support/donate.ts'
import { createUser } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld } from './support/settled-world.ts'

const setUp = async () => {
  const { world, creator, campaignId, block } = await createSettledWorld({ target: '50' })
  const input: RecordDonation = {
    campaignId,
    amount: { value: '1', currency: 'USDC' },
    transaction: { txHash: txHash('a'), ledgerAddress: parseAddress(ACCOUNT) },
  }
  const record = (changes: Partial<RecordDonation> = {}, by: Actor = creator) =>
    recordDonation(world.as(by), { ...input, ...changes })
  return { world, creator, record, block, input }
}

test('fifty posts of one transaction by two users leave one donation; the other posts are refused', async () => {
  const { world, record } = await setUp()
  const users = [await createUser(world.ctx), await createUser(world.ctx)]
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => record({}, users[index % 2] ?? { kind: 'anonymous' })),
  )
  const recorded = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(recorded.filter((one) => one.created)).toHaveLength(1)
  expect(new Set(recorded.map((one) => one.donation.id)).size).toBe(1)
  expect(new Set(refused.map((error) => error.code))).toEqual(new Set(['transfer_already_claimed']))
  expect(recorded).toHaveLength(25)
  expect(await world.ctx.sql`select id from donation`).toHaveLength(1)
})

test('refuses to record for another user', async () => {
  const { world, creator, record } = await setUp()
  const stranger = await createUser(world.ctx)
  const asked = record({ userId: creator.userId }, stranger)
  await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
  const admin = await createUser(world.ctx, ['admin'])
  const { donation } = await record({ userId: creator.userId }, admin)
  expect(donation.userId).toBe(creator.userId)
})

test.each([
  ['an unknown campaign', { campaignId: '01890000-0000-7000-8000-000000000000' }, 'not_found'],
  ['an unknown currency', { amount: { value: '1', currency: 'DOGE' } }, 'unknown_currency'],
  [
    'more decimals than the asset has',
    { amount: { value: '0.0000001', currency: 'USDC' } },
    'invalid_amount',
  ],
  ['nothing', { amount: { value: '0', currency: 'USDC' } }, 'invalid_amount'],
])('refuses %s', async (_what, change, code) => {
  const { world, record } = await setUp()
  await expect(record(change)).rejects.toMatchObject({ code })
  expect(await world.ctx.sql`select id from donation`).toHaveLength(0)
})

test('refuses a campaign that is over', async () => {
  const { world, record } = await setUp()
  await world.ctx.sql`update campaign set status = 'completed'`
  await expect(record()).rejects.toMatchObject({ code: 'campaign_not_active' })
})

test('wakes the worker at once only where the transaction has been seen already', async () => {
  const { world, record, block, input } = await setUp()
  await block(1, [{ tx: 'seen', to: ACCOUNT, usdc: 1n, claimed: false }])
  await record()
  expect(world.wakes).toEqual([])
  await record({ transaction: { ...input.transaction, txHash: txHash('seen') } })
  expect(world.wakes).toEqual(['donations'])
})

test('refuses more donations whose transactions no node knows than a thousand of one user', async () => {
  const { world, creator, record, block, input } = await setUp()
  await block(1, [{ tx: 'seen', to: ACCOUNT, usdc: 1n, claimed: false }])
  const { donation } = await record()
  await world.ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, expires_at, created_at)
    select gen_random_uuid(), user_id, campaign_id, chain_id,
           bytes_of('0x' || lpad(to_hex(number), 64, '0')), ledger_address, declared_asset_id,
           declared_amount, expires_at, created_at
    from donation, generate_series(1, 999) number`
  const recordTx = (tx: string, by = creator) =>
    record({ transaction: { ...input.transaction, txHash: txHash(tx) } }, by)
  // The nodes have not been asked for these transactions yet, so they do not count.
  const fresh = await recordTx('fresh')
  await noteUnseen(
    world.ctx,
    (await world.ctx.sql`select id from donation`).map((row) => row.id),
  )
  await world.ctx.sql`delete from donation where id = ${fresh.donation.id}`
  await expect(recordTx('one more')).rejects.toMatchObject({ code: 'too_many_pending' })
  expect((await record()).donation.id).toBe(donation.id)
  expect((await recordTx('seen')).created).toBe(true)
  expect((await recordTx('another user', await createUser(world.ctx))).created).toBe(true)
  await postponeChecks(world.ctx, [donation.id], 'node_unavailable')
  expect((await recordTx('one more')).created).toBe(true)
})
