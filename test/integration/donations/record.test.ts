import { expect, test } from 'vitest'
import { noteUnseen, postponeChecks } from '../../../src/domain/blocks/index.ts'
import type { RecordDonation } from '../../../src/domain/donations/index.ts'
import { parseAddress } from '../../../src/kernel/formats/address.ts'
import { address, applyBlock, startChain, txHash } from '../../support/chain-facts.ts'
import { recordDonation } from '../../support/donate.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'

const ACCOUNT = address('campaign')

const setUp = async () => {
  const world = await createWorld()
  const creator = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, {
    creator,
    account: ACCOUNT,
    target: '50',
  })
  const input: RecordDonation = {
    campaignId,
    amount: { value: '1', currency: 'USDC' },
    transaction: { txHash: txHash('a'), ledgerAddress: parseAddress(ACCOUNT) },
  }
  return { world, creator, campaignId, input }
}

test('fifty posts of one transaction by two users leave one donation; the others are told so', async () => {
  const { world, input } = await setUp()
  const users = [await createUser(world.ctx), await createUser(world.ctx)]
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      recordDonation(world.as(users[index % 2] ?? { kind: 'anonymous' }), input),
    ),
  )
  const recorded = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(recorded.filter((one) => one.created)).toHaveLength(1)
  expect(new Set(recorded.map((one) => one.donation.id)).size).toBe(1)
  expect(new Set(refused.map((error) => error.code))).toEqual(new Set(['transfer_already_claimed']))
  expect(recorded).toHaveLength(25)
  expect(await world.ctx.sql`select id from donation`).toHaveLength(1)
})

test('refuses to record for somebody else', async () => {
  const { world, creator, input } = await setUp()
  const stranger = await createUser(world.ctx)
  await expect(
    recordDonation(world.as(stranger), { ...input, userId: creator.userId }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  const admin = await createUser(world.ctx, ['admin'])
  const { donation } = await recordDonation(world.as(admin), { ...input, userId: creator.userId })
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
  const { world, creator, input } = await setUp()
  await expect(recordDonation(world.as(creator), { ...input, ...change })).rejects.toMatchObject({
    code,
  })
  expect(await world.ctx.sql`select id from donation`).toHaveLength(0)
})

test('refuses a campaign that is over', async () => {
  const { world, creator, input } = await setUp()
  await world.ctx.sql`update campaign set status = 'completed'`
  await expect(recordDonation(world.as(creator), input)).rejects.toMatchObject({
    code: 'campaign_not_active',
  })
})

test('wakes the worker at once only where the transaction has been seen already', async () => {
  const { world, creator, input } = await setUp()
  await startChain(world.ctx)
  await applyBlock(world.ctx, 1, [{ tx: 'seen', to: ACCOUNT, usdc: 1n, claimed: false }])
  await recordDonation(world.as(creator), input)
  expect(world.wakes).toEqual([])
  await recordDonation(world.as(creator), {
    ...input,
    transaction: { ...input.transaction, txHash: txHash('seen') },
  })
  expect(world.wakes).toEqual(['donations'])
})

test('refuses more donations whose transactions no node knows than a thousand of one user', async () => {
  const { world, creator, campaignId, input } = await setUp()
  await startChain(world.ctx)
  await applyBlock(world.ctx, 1, [{ tx: 'seen', to: ACCOUNT, usdc: 1n, claimed: false }])
  const { donation } = await recordDonation(world.as(creator), input)
  await world.ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, expires_at, created_at)
    select gen_random_uuid(), user_id, campaign_id, chain_id,
           '0x' || lpad(to_hex(number), 64, '0'), ledger_address, declared_asset_id,
           declared_amount, expires_at, created_at
    from donation, generate_series(1, 999) number`
  const record = (tx: string, by = creator) =>
    recordDonation(world.as(by), {
      ...input,
      campaignId,
      transaction: { ...input.transaction, txHash: txHash(tx) },
    })
  // Nobody has been asked for them yet: they count for nothing.
  const fresh = await record('fresh')
  await noteUnseen(
    world.ctx,
    (await world.ctx.sql`select id from donation`).map((row) => row.id),
  )
  await world.ctx.sql`delete from donation where id = ${fresh.donation.id}`
  await expect(record('one more')).rejects.toMatchObject({ code: 'too_many_pending' })
  expect((await recordDonation(world.as(creator), input)).donation.id).toBe(donation.id)
  expect((await record('seen')).created).toBe(true)
  expect((await record('another user', await createUser(world.ctx))).created).toBe(true)
  await postponeChecks(world.ctx, [donation.id], 'node_unavailable')
  expect((await record('one more')).created).toBe(true)
})
