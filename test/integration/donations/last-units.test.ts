import { expect, test } from 'vitest'
import { changeDonation, hasRival } from '../../../src/domain/donations/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { address, applyBlock, CHAIN_ID, txHash, USDC_ASSET } from '../../support/chain-facts.ts'
import { recordIntent } from '../../support/donate.ts'
import { finalise } from '../../support/finalise.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createUser } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld, DONOR } from './support/settled-world.ts'

const GUEST: Actor = { kind: 'anonymous' }

const setUp = async () => {
  const world = await createSettledWorld()
  const thief = await createUser(world.ctx)
  let blocks = 0
  return {
    ...world,
    thief,
    /** Records an intent that names the donor's wallet. Advances the clock. */
    announce: async (by: Actor, value = '25', currency = 'USDC') => {
      world.clock.advance(1)
      const intent = await recordIntent(world.world.as(by), {
        campaignId: world.campaignId,
        amount: { value, currency },
        donor: { walletAddress: DONOR },
      })
      const units = BigInt(intent.payment?.units ?? 0)
      return { id: intent.id, units, uri: intent.payment?.uri, amount: intent.amount.value }
    },
    pay: (tx: string, amount: { usdc?: bigint; wei?: bigint }) =>
      applyBlock(world.ctx, ++blocks, [{ tx, to: ACCOUNT, claimed: false, ...amount }]),
    statuses: async (...made: { id: string }[]) => {
      await world.finalise(blocks)
      return Promise.all(made.map(async ({ id }) => (await world.read(id)).status))
    },
  }
}

test.each(['a guest', 'an account'])(
  'a planted intent makes the amount of %s its own, and a payment of it pays no other',
  async (who) => {
    const { announce, pay, statuses, thief, donor, differences, ctx } = await setUp()
    const planted = [await announce(thief), await announce(GUEST)]
    const own = await announce(who === 'a guest' ? GUEST : donor)
    expect(planted[0]?.units).toBe(25_000_000n)
    const more = own.units - 25_000_000n
    expect(more).toBeGreaterThan(0n)
    expect(more).toBeLessThan(1_000n)
    expect(own.uri).toContain(`uint256=${own.units}`)
    expect(own.amount).toBe(`25.000${String(more).padStart(3, '0')}`.replace(/0+$/, ''))
    expect(await hasRival(ctx, own.id)).toBe(true)
    await pay('gift', { usdc: own.units })
    expect(await statuses(own, ...planted)).toEqual(['completed', 'pending', 'pending'])
    expect(await hasRival(ctx, planted[0]?.id ?? '')).toBe(true)
    expect(await differences()).toEqual([])
  },
)

test('a stranger who sees the payment in the pool gets nothing by an equal intent, with the hash or without', async () => {
  const { announce, pay, statuses, thief, world } = await setUp()
  const planted = await announce(thief)
  const own = await announce(GUEST)
  const copies = [await announce(thief, own.amount), await announce(GUEST, own.amount)]
  const as = world.as(thief)
  for (const copy of [planted, copies[0]]) {
    await changeDonation(as, copy?.id ?? '', { txHash: txHash('gift') })
  }
  await pay('gift', { usdc: own.units })
  expect(await statuses(own, planted)).toEqual(['completed', 'pending'])
  // If the last units end with zeros, the amount is round for the copies, which then get other
  // units.
  const ends = copies.map(({ units }) => (units === own.units ? 'expired' : 'pending'))
  expect(await statuses(...copies)).toEqual(ends)
})

test('amounts stay round without a stranger’s equal intent, with any other intents of the wallet', async () => {
  const { announce, donor, thief, statuses, pay, clock, ctx } = await setUp()
  await announce(thief, '26')
  await announce(thief, '0.01', 'ETH')
  expect((await announce(donor)).units).toBe(25_000_000n)
  expect((await announce(donor)).units).toBe(25_000_000n)
  await ctx.sql`update donation set status = 'expired' where user_id = ${donor.userId}`
  clock.advance(1)
  const own = await announce(GUEST)
  expect(own.units).toBe(25_000_000n)
  await ctx.sql`delete from donation where id <> ${own.id}`
  expect(await hasRival(ctx, own.id)).toBe(false)
  await pay('gift', { usdc: own.units })
  expect(await statuses(own)).toEqual(['completed'])
})

test.each([
  ['25', 'USDC', 6, [2, 6]],
  ['25.5', 'USDC', 6, [2, 6]],
  ['25.1234', 'USDC', 6, [4, 6]],
  ['25.12345', 'USDC', 6, null],
  ['0.01', 'ETH', 18, [2, 9]],
  ['0.0123456', 'ETH', 18, [7, 12]],
] as const)('puts the last units of %s %s two digits behind what people see', async (...row) => {
  const [value, currency, decimals, digits] = row
  const { announce, thief } = await setUp()
  const { units } = await announce(thief, value, currency)
  for (let at = 0; at < 5; at++) {
    const more = (await announce(GUEST, value, currency)).units - units
    if (digits === null) {
      expect(more).toBe(0n)
      continue
    }
    const [seen, last] = digits
    expect(more).toBeGreaterThan(0n)
    expect(more).toBeLessThan(10n ** BigInt(decimals - seen - 1))
    expect(more % 10n ** BigInt(decimals - last)).toBe(0n)
  }
})

test('concurrent intents of several donors for one wallet get different amounts', async () => {
  const { announce } = await setUp()
  const made = await Promise.all(Array.from({ length: 12 }, () => announce(GUEST)))
  expect(new Set(made.map(({ units }) => units)).size).toBe(12)
  expect(made.filter(({ units }) => units === 25_000_000n)).toHaveLength(1)
})

test('without free units the first has the payment, until the wallet’s holder proves it', async () => {
  const { announce, pay, statuses, thief, donor, record, read, ctx, world } = await setUp()
  const planted = await announce(thief, '25.12345')
  const own = await announce(donor, '25.12345')
  expect(own.units).toBe(planted.units)
  await pay('gift', { usdc: own.units })
  expect(await statuses(planted, own)).toEqual(['completed', 'expired'])
  await linkWallet({ ctx }, donor.userId, DONOR)
  const moved = await record('gift', '25.12345')
  expect(await read(moved)).toMatchObject({ status: 'completed', userId: donor.userId })
  expect(await read(planted.id)).toMatchObject({ status: 'failed' })
  expect(world.wakes.length).toBeGreaterThan(0)
})

test('the exact amount is found behind any number of a stranger’s intents', async () => {
  const { announce, pay, statuses, thief, ctx } = await setUp()
  await announce(thief)
  await ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, donor_wallet, intent, ledger_address,
                          declared_asset_id, declared_amount, reason, expires_at, created_at)
    select gen_random_uuid(), user_id, campaign_id, chain_id, donor_wallet, true, ledger_address,
           declared_asset_id, 1, reason, expires_at, created_at
    from donation, generate_series(1, 5100)`
  const own = await announce(GUEST)
  await pay('gift', { usdc: own.units })
  expect(await statuses(own)).toEqual(['completed'])
})

test('the limit of intents is one for each wallet and campaign, with linked wallets and expired intents too', async () => {
  const { announce, pay, statuses, thief, ctx, campaignId } = await setUp()
  const wallet = address('wallet of the thief')
  await linkWallet({ ctx }, thief.userId, wallet)
  await ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, donor_wallet, intent, ledger_address,
                          declared_asset_id, declared_amount, status, expires_at, created_at)
    select gen_random_uuid(), ${thief.userId}, ${campaignId}, ${CHAIN_ID}, ${wallet}, true, ${wallet},
           ${USDC_ASSET}, 1, 'expired', now(), '2026-01-01' from generate_series(1, 5100)`
  const own = await announce(GUEST)
  const both = [
    { tx: 'one unit', to: ACCOUNT, from: wallet, usdc: 1n, position: 0, claimed: false },
    { tx: 'gift', to: ACCOUNT, usdc: own.units, position: 1, claimed: false },
  ]
  await pay('nothing', {})
  await applyBlock(ctx, 2, both)
  await finalise(ctx, 2)
  expect(await statuses(own)).toEqual(['completed'])
})

test('the second of two equal gifts is its donor’s, also if strangers announce one between them', async () => {
  const { announce, pay, statuses, thief, donor, record, campaignId, clock } = await setUp()
  const gifts = [await announce(donor), await announce(donor)]
  await pay('first', { usdc: 25_000_000n })
  const planted = await announce(thief)
  expect(planted.units).not.toBe(25_000_000n)
  clock.advance(1)
  const claim = await record('second', '25', 'USDC', campaignId, thief)
  await pay('second', { usdc: 25_000_000n })
  expect(await statuses(...gifts, planted)).toEqual(['completed', 'completed', 'pending'])
  expect(await statuses({ id: claim })).not.toEqual(['completed'])
})

test('cancelled intents use up no units', async () => {
  const { announce, thief, ctx } = await setUp()
  const { id } = await announce(thief)
  await ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, donor_wallet, intent, ledger_address,
                          declared_asset_id, declared_amount, status, expires_at, created_at)
    select gen_random_uuid(), user_id, campaign_id, chain_id, donor_wallet, true, ledger_address,
           declared_asset_id, declared_amount + more, 'failed', expires_at, created_at
    from donation, generate_series(1, 999) more where id = ${id}`
  expect((await announce(GUEST)).units).toBeGreaterThan(25_000_000n)
})
