import { expect, test } from 'vitest'
import { matchLateDonations } from '../../../src/domain/blocks/index.ts'
import { cancelIntent, changeDonation } from '../../../src/domain/donations/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { address, CHAIN_ID, minedAt, txHash, USDC_ASSET } from '../../support/chain-facts.ts'
import { recordIntent } from '../../support/donate.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createUser } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld, DONOR } from './support/settled-world.ts'

const pay = (tx: string, usdc = 10_000_000n) => ({ tx, to: ACCOUNT, usdc, claimed: false })
const EXPIRY_MS = 24 * 3_600_000

test('says exactly how to pay, and is settled by the next transfer from its wallet', async () => {
  const world = await createSettledWorld()
  const id = await world.intend('10.5')
  expect(await world.read(id)).toMatchObject({
    status: 'pending',
    transaction: null,
    confirmation: { reason: 'waiting_for_payment' },
    payment: {
      chainId: CHAIN_ID,
      asset: USDC_ASSET,
      amount: '10.5',
      units: '10500000',
      state: 'awaiting',
      received: null,
      late: false,
      expiresAt: new Date(world.clock.now().getTime() + EXPIRY_MS),
    },
  })
  await world.block(1, [pay('a', 10_500_000n)])
  expect(await world.read(id)).toMatchObject({
    status: 'confirming',
    transaction: { txHash: txHash('a'), blockNumber: 1 },
    payment: { state: 'exact' },
  })
  await world.finalise(1)
  expect(await world.read(id)).toMatchObject({
    status: 'completed',
    discrepancy: false,
    creditedAmount: { value: '10.5' },
  })
  expect(await world.entries()).toEqual(['donation held->custody'])
  expect(await world.events()).toEqual(['donation.completed'])
})

test.each([
  ['under', { usdc: 9_999_999n }, '9.999999'],
  ['over', { usdc: 10_000_001n }, '10.000001'],
  ['other_asset', { wei: 10n ** 16n }, '0.01'],
])(
  'a payment that is %s is credited with what arrived, and says so',
  async (state, paid, value) => {
    const world = await createSettledWorld()
    const id = await world.intend('10')
    await world.finalBlock(1, [{ tx: 'a', to: ACCOUNT, claimed: false, ...paid }])
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      discrepancy: true,
      amount: { value },
      declaredAmount: { value: '10', currency: 'USDC' },
      payment: { state, expected: { value: '10' }, received: { value } },
    })
  },
)

test('an unpaid intent expires, and revives when the payment comes late', async () => {
  const world = await createSettledWorld({ settings: { intentExpiryMs: 12_000 } })
  const id = await world.intend()
  world.clock.advance(11_999)
  await matchLateDonations(world.ctx, CHAIN_ID)
  expect((await world.read(id)).status).toBe('pending')
  world.clock.advance(1)
  expect(await matchLateDonations(world.ctx, CHAIN_ID)).toBe(1)
  expect(await matchLateDonations(world.ctx, CHAIN_ID)).toBe(0)
  expect(await world.read(id)).toMatchObject({
    status: 'expired',
    confirmation: { reason: 'payment_not_received', nextCheckAt: null },
    payment: { state: 'awaiting', late: false },
  })
  await world.block(1, [])
  await world.finalBlock(2, [pay('late')])
  expect(await world.read(id)).toMatchObject({
    status: 'completed',
    payment: { state: 'exact', late: true },
  })
})

test('a payment that was mined in time is not late, whenever it is seen', async () => {
  const world = await createSettledWorld({ settings: { intentExpiryMs: 12_000 } })
  const id = await world.intend()
  world.clock.advance(60_000)
  await matchLateDonations(world.ctx, CHAIN_ID)
  expect((await world.read(id)).status).toBe('expired')
  await world.block(1, [pay('in time')])
  expect(await world.read(id)).toMatchObject({ status: 'confirming', payment: { late: false } })
})

test('of several open intents the exact one is paid first, then the newest of the asset, then the newest', async () => {
  const world = await createSettledWorld()
  const intend = (value: string, currency?: string) => {
    world.clock.advance(1)
    return world.intend(value, currency)
  }
  const eth = await intend('1', 'ETH')
  const again = await intend('20')
  const ten = await intend('10')
  const twenty = await intend('20')
  await world.block(1, [pay('a', 20_000_000n)])
  await world.block(2, [pay('b', 15_000_000n)])
  await world.block(3, [pay('c', 20_000_000n)])
  await world.block(4, [pay('d', 30_000_000n)])
  await world.finalBlock(5, [pay('e', 30_000_000n)])
  const paidBy = async (id: string) => (await world.read(id)).transaction?.txHash
  expect(await paidBy(twenty)).toBe(txHash('a'))
  expect(await paidBy(ten)).toBe(txHash('b'))
  expect(await paidBy(again)).toBe(txHash('c'))
  expect(await paidBy(eth)).toBe(txHash('d'))
  expect((await world.entries()).at(-1)).toBe('deposit unclaimed->custody')
  expect(await world.raised()).toBe('85000000')
})

test('of two equal intents the newest is paid; the other says so and expires, until it is paid too', async () => {
  const world = await createSettledWorld()
  const second = await world.intend('10')
  world.clock.advance(1)
  const first = await world.intend('10')
  await world.block(1, [pay('a')])
  expect((await world.read(first)).status).toBe('confirming')
  expect(await world.read(second)).toMatchObject({
    status: 'expired',
    confirmation: { reason: 'another_intent_paid', nextCheckAt: null },
  })
  const third = await world.intend('7')
  await world.finalBlock(2, [
    { ...pay('both'), position: 1 },
    { ...pay('both', 7_000_000n), position: 2 },
  ])
  expect(await world.read(second)).toMatchObject({
    confirmedAmount: { value: '10' },
    payment: { late: false },
  })
  expect((await world.read(third)).confirmedAmount?.value).toBe('7')
  expect(await world.raised()).toBe('27000000')
})

test('an explicit claim goes before an intent, also if it waited for longer', async () => {
  const world = await createSettledWorld()
  const intent = await world.intend()
  const other = await createUser(world.ctx)
  const claim = await world.record('a', '10', 'USDC', world.campaignId, other)
  await world.finalBlock(1, [{ ...pay('a'), claimed: true }])
  expect((await world.read(claim)).status).toBe('completed')
  expect((await world.read(intent)).status).toBe('pending')
  // This claim is recorded after its block was read for claims. It still goes before the intent.
  const late = await world.record('b', '10', 'USDC', world.campaignId, other)
  await world.block(2, [pay('b')])
  expect((await world.read(intent)).status).toBe('pending')
  world.clock.advance(5_000)
  await matchLateDonations(world.ctx, CHAIN_ID)
  await world.finalise(2)
  expect((await world.read(late)).status).toBe('completed')
  expect((await world.read(intent)).status).toBe('pending')
})

test('a claim that cannot be right takes nothing from an intent', async () => {
  const world = await createSettledWorld()
  const intent = await world.intend()
  const claim = await world.record('a')
  await world.ctx.sql`
    update donation set ledger_address = ${address('another account')} where id = ${claim}`
  await world.finalBlock(1, [{ ...pay('a'), claimed: true }])
  expect(await world.read(claim)).toMatchObject({ reason: 'ledger_address_mismatch' })
  expect((await world.read(intent)).status).toBe('completed')
})

test('a payment from another wallet, to another account or from before the intent is not for it', async () => {
  const world = await createSettledWorld()
  world.clock.set(new Date(minedAt(2).getTime() + 900))
  const id = await world.intend()
  await world.block(1, [pay('before, though read after', 9_000_000n)])
  await world.block(2, [
    { ...pay('foreign'), from: address('other') },
    { ...pay('elsewhere'), to: address('elsewhere') },
  ])
  expect((await world.read(id)).status).toBe('pending')
  await world.block(3, [pay('paid')])
  expect(await world.read(id)).toMatchObject({ transaction: { txHash: txHash('paid') } })
})

test('a chain whose clock is behind takes no exact payment from its intent', async () => {
  const world = await createSettledWorld()
  world.clock.set(new Date(minedAt(6).getTime() + 900))
  const planted = await world.intend(
    '9',
    'USDC',
    DONOR,
    world.campaignId,
    await createUser(world.ctx),
  )
  const id = await world.intend()
  await world.block(1, [])
  await world.block(2, [pay('a', 10_000_000n)])
  expect((await world.read(id)).status).toBe('confirming')
  expect((await world.read(planted)).status).toBe('pending')
})

test('a payment in the same second that was seen already is found when the worker is woken', async () => {
  const world = await createSettledWorld()
  world.clock.set(new Date(minedAt(1).getTime() + 900))
  await world.finalBlock(1, [pay('a')])
  const wakes = world.world.wakes.length
  const id = await world.intend()
  expect(world.world.wakes.slice(wakes)).toEqual(['donations'])
  expect(await matchLateDonations(world.ctx, CHAIN_ID)).toBe(1)
  await world.finalise(1)
  expect((await world.read(id)).status).toBe('completed')
  expect(await world.entries()).toEqual(['deposit unclaimed->custody', 'donation held->unclaimed'])
})

test('a reorganisation before finality gives an intent back to waiting for any payment', async () => {
  const world = await createSettledWorld()
  const id = await world.intend()
  await world.block(1, [pay('a')])
  expect(await world.undo(1, 0)).toEqual({ waiting: 1, reversed: 0 })
  expect(await world.read(id)).toMatchObject({
    status: 'pending',
    transaction: null,
    confirmation: { reason: 'waiting_for_payment' },
  })
  await world.finalBlock(1, [pay('other')], 'other', 'main')
  expect(await world.read(id)).toMatchObject({
    status: 'completed',
    transaction: { txHash: txHash('other') },
  })
})

test('a reorganisation after finality reverses a paid intent, and the transfer that comes back credits it again', async () => {
  const world = await createSettledWorld()
  const id = await world.intend()
  await world.finalBlock(1, [pay('a')])
  expect(await world.undo(1, 0)).toEqual({ waiting: 0, reversed: 1 })
  expect(await world.read(id)).toMatchObject({ status: 'reversed', transaction: null })
  expect(await world.raised()).toBe('0')
  await world.finalBlock(1, [pay('a')], 'other', 'main')
  expect(await world.read(id)).toMatchObject({ status: 'completed' })
  expect(await world.raised()).toBe('10000000')
  expect(await world.events()).toEqual([
    'donation.completed',
    'donation.reversed',
    'donation.completed',
  ])
})

test('a transfer that comes back pays the intent that it had paid, even in an earlier block', async () => {
  const world = await createSettledWorld()
  const older = await world.intend('10')
  await world.ctx.sql`update donation set declared_amount = 1 where id = ${older}`
  world.clock.set(minedAt(2))
  const id = await world.intend('10')
  await world.block(1, [])
  await world.block(2, [pay('a')])
  expect((await world.read(id)).status).toBe('confirming')
  await world.undo(2, 0)
  await world.ctx.sql`update donation set declared_amount = 10000000 where id = ${older}`
  await world.block(1, [pay('a')], 'other', 'main')
  expect((await world.read(id)).status).toBe('confirming')
  expect((await world.read(older)).status).toBe('expired')
})

test('a payment belongs to the campaign that was open: an old intent of one before it gets nothing', async () => {
  const world = await createSettledWorld()
  const old = await world.intend()
  await world.ctx.sql`update campaign set status = 'completed'`
  const next = await world.campaign(ACCOUNT, { createdAt: minedAt(1) })
  const intent = await world.intend('10', 'USDC', DONOR, next)
  await world.finalBlock(1, [pay('a')])
  expect((await world.read(old)).status).toBe('pending')
  expect((await world.read(intent)).status).toBe('completed')
  expect(await world.raised(next)).toBe('10000000')
})

test('of two intents that fit alike, the one whose donor has linked the wallet is paid first', async () => {
  const world = await createSettledWorld()
  const stranger = await createUser(world.ctx)
  const first = await world.intend('10', 'USDC', DONOR, world.campaignId, stranger)
  const own = await world.intend()
  await linkWallet(world, world.donor.userId, DONOR)
  await world.block(1, [pay('a')])
  expect((await world.read(own)).status).toBe('confirming')
  expect((await world.read(first)).status).toBe('pending')
})

test('a stranger who announces a payment that they see takes nothing, with its hash or without', async () => {
  const world = await createSettledWorld()
  const own = await world.intend()
  const stranger = await createUser(world.ctx)
  world.clock.advance(1)
  const theirs = await world.intend('10', 'USDC', DONOR, world.campaignId, stranger)
  await changeDonation(world.world.as(stranger), theirs, { txHash: txHash('a') })
  await world.block(1, [pay('a')])
  expect((await world.read(own)).status).toBe('confirming')
  expect((await world.read(theirs)).status).toBe('pending')
})

test('of equal intents the one whose hash was attached is paid, before a block or after it', async () => {
  const world = await createSettledWorld()
  const meant = await world.intend()
  world.clock.advance(1)
  const other = await world.intend()
  world.clock.advance(1)
  const later = await world.intend()
  const attach = (id: string, tx: string) =>
    changeDonation(world.world.as(world.donor), id, { txHash: txHash(tx) })
  expect(await attach(meant, 'a')).toMatchObject({
    status: 'pending',
    transaction: null,
    payment: { txHash: txHash('a'), state: 'awaiting' },
  })
  await world.block(1, [pay('a')])
  expect((await world.read(meant)).status).toBe('confirming')
  expect((await world.read(other)).confirmation?.reason).toBe('another_intent_paid')
  await world.block(2, [pay('b')])
  expect((await world.read(later)).transaction?.txHash).toBe(txHash('b'))
  expect(await attach(other, 'b')).toMatchObject({
    status: 'confirming',
    transaction: { txHash: txHash('b') },
  })
  expect(await world.read(later)).toMatchObject({ status: 'expired', transaction: null })
  expect((await attach(other, 'b')).status).toBe('confirming')
  await expect(attach(other, 'c')).rejects.toMatchObject({ code: 'conflict' })
  await world.finalise(2)
  await attach(later, 'b')
  expect(await world.raised()).toBe('20000000')
  expect(await world.differences()).toEqual([])
})

test('a wrong hash takes nothing from an intent, and an equal one with another hash goes on waiting', async () => {
  const world = await createSettledWorld()
  const first = await world.intend()
  world.clock.advance(1)
  const second = await world.intend()
  await changeDonation(world.world.as(world.donor), first, { txHash: txHash('replaced') })
  await world.block(1, [pay('a')])
  expect((await world.read(second)).status).toBe('confirming')
  expect((await world.read(first)).status).toBe('pending')
  await world.block(2, [pay('b')])
  expect((await world.read(first)).transaction?.txHash).toBe(txHash('b'))
})

test('a cancelled intent is paid by nothing: what comes later is a deposit', async () => {
  const world = await createSettledWorld()
  const [id, paid] = [await world.intend(), await world.intend('7')]
  const as = world.world.as(world.donor)
  await cancelIntent(as, id)
  await cancelIntent(as, id)
  expect(await world.read(id)).toMatchObject({ status: 'failed', reason: 'cancelled' })
  await expect(changeDonation(as, id, { txHash: txHash('a') })).rejects.toMatchObject({
    code: 'conflict',
  })
  await world.finalBlock(1, [pay('b', 7_000_000n), pay('a')])
  expect((await world.read(id)).status).toBe('failed')
  await expect(cancelIntent(as, paid)).rejects.toMatchObject({ code: 'conflict' })
  expect((await world.entries()).toSorted()).toEqual([
    'deposit unclaimed->custody',
    'donation held->custody',
  ])
  expect(await world.differences()).toEqual([])
})

test('only its donor attaches a hash to an intent or cancels it, and only to an intent', async () => {
  const world = await createSettledWorld()
  const [intent, claim] = [await world.intend(), await world.record('claimed')]
  const hash = { txHash: txHash('a') }
  for (const [user, id, code] of [
    [world.creator, intent, 'forbidden'],
    [world.donor, claim, 'conflict'],
    [world.donor, newId(), 'not_found'],
  ] as const) {
    const as = world.world.as(user)
    await expect(changeDonation(as, id, hash)).rejects.toMatchObject({ code })
    await expect(cancelIntent(as, id)).rejects.toMatchObject({ code })
  }
})

test('a hundred payments in one block pay a hundred intents', async () => {
  const world = await createSettledWorld({ target: '5000' })
  const ids: string[] = []
  for (let index = 0; index < 100; index++) ids.push(await world.intend('10'))
  await world.block(
    1,
    ids.map((_, index) => pay(`t${index}`)),
  )
  await world.finalise(1)
  const [{ count } = { count: 0 }] = await world.ctx.sql<{ count: number }[]>`
    select count(*) as count from donation where status = 'completed'`
  expect(count).toBe(100)
})

test('refuses more open intents of one user than a hundred, until one is paid', async () => {
  const world = await createSettledWorld({ target: '5000' })
  for (let index = 0; index < 100; index++) await world.intend('10')
  await expect(world.intend('10')).rejects.toMatchObject({ code: 'too_many_pending' })
  const other = await createUser(world.ctx)
  await world.intend('10', 'USDC', address('other'), world.campaignId, other)
  await world.block(1, [pay('a')])
  await world.intend('10')
})

test('refuses fiat and unknown currencies by naming the assets of the chain, and the own account', async () => {
  const world = await createSettledWorld()
  for (const currency of ['USD', 'DOGE']) {
    await expect(world.intend('10', currency)).rejects.toMatchObject({
      code: 'unknown_currency',
      message: expect.stringContaining('ETH, USDC'),
    })
  }
  await expect(world.intend('10', 'USDC', ACCOUNT)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(world.intend('0')).rejects.toMatchObject({ code: 'invalid_amount' })
  await expect(
    recordIntent(world.world.as(world.creator), {
      userId: world.donor.userId,
      campaignId: world.campaignId,
      amount: { value: '1', currency: 'USDC' },
      donor: { walletAddress: DONOR },
    }),
  ).rejects.toMatchObject({ code: 'forbidden' })
  await world.ctx.sql`update campaign set status = 'completed'`
  await expect(world.intend()).rejects.toMatchObject({ code: 'campaign_not_active' })
})
