import { describe, expect, test } from 'vitest'
import { getDonationRefund } from '../../../src/domain/campaigns/index.ts'
import { closeCall } from '../../../src/escrow/calls.ts'
import { loadDonation } from '../../../src/pages/donation/load-donation.ts'
import { paidElsewhere } from '../../../src/pages/donation/tracker.ts'
import { shorten } from '../../../src/pages/shared/format.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createRefundWorld } from './support/refund-world.ts'

/**
 * An escrow below its target, with a recorded donation of 20 USDC and a plain transfer of 10 USDC.
 */
const setUp = async () => {
  const world = await createRefundWorld()
  const { ctx, donor, creator, campaignId } = world
  await world.mine(world.deploy())
  const recorded = await world.record(await world.donate(1, 20_000_000n), '20')
  await world.chain.mine()
  const plain = await world.record(await world.pay(2, 10_000_000n), '10')
  await world.settle()
  await ctx.sql`delete from notification`
  /** Lists the notifications since the last call, with user, type, message and donation. */
  const news = async () => {
    const rows = await ctx.sql<
      { userId: string; type: string; message: string; campaignId: string; donationId: string }[]
    >`delete from notification returning id, user_id, type, message, campaign_id, donation_id`
    for (const row of rows) expect(row.campaignId).toBe(campaignId)
    return rows.map(({ userId, type, message, donationId }) => ({
      ...{ to: userId === donor.userId ? 'donor' : userId === creator.userId && 'creator' },
      ...{ type, message, donationId },
    }))
  }
  return { world, recorded, plain, news }
}

describe.skipIf(!hasAnvil)('the failure of an escrow', () => {
  test('notifies the creator, donors when they can claim, and the donor of each refund', async () => {
    const { world, recorded, plain, news } = await setUp()
    await world.settle(world.cancel())
    expect((await news()).toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      {
        ...{ to: 'creator', type: 'campaign_failed', donationId: null },
        message: expect.stringMatching(/“Wells”.*30 USDC back/),
      },
      {
        ...{ to: 'donor', type: 'refund_ready', donationId: recorded },
        message: expect.stringMatching(/“Wells”.*your share of 20 USDC now/),
      },
    ])
    await world.settle(world.sendReady((await getDonationRefund(world.ctx, recorded)).transaction))
    expect(await news()).toEqual([
      {
        ...{ to: 'donor', type: 'donation_refunded', donationId: recorded },
        message: expect.stringContaining('20 USDC of your donation back'),
      },
    ])

    await world.settle(world.giveAllBack())
    expect(await news()).toMatchObject([
      { to: 'donor', type: 'donation_refunded', donationId: plain },
    ])
  })

  test('names the receiver of a return that verifiers have signed for another account', async () => {
    const { world, plain, news } = await setUp()
    await world.settle(world.cancel())
    await news()
    const [due] = (await world.returns()).filter(({ amount }) => amount === '10000000')
    if (!due) throw new Error('There is nothing to return.')
    const receiver = keyOf(5).address
    await world.settle(world.giveBack([{ ...due, receiver }]))
    expect(await news()).toEqual([
      {
        ...{ to: 'donor', type: 'donation_refunded', donationId: plain },
        message: expect.stringContaining(`has paid 10 USDC of your donation to ${receiver}`),
      },
    ])
    const refunded = (await world.events()).find(({ type }) => type === 'donation.refunded')
    expect(refunded?.data).toMatchObject({ receiver, amount: { value: '10' } })
    const tracked = await loadDonation(world.ctx, plain)
    expect(paidElsewhere(tracked, 'en')).toContain(shorten(receiver.toLowerCase()))
  })

  test('notifies no donor of a refund that is already paid', async () => {
    const { world, news } = await setUp()
    await world.mine(world.cancel())
    await world.refund(
      (
        await world.ctx.sql`
      select fields ->> 'donor' as donor from escrow_event where kind = 'Donated'`
      )[0]?.donor,
    )
    await world.settle()
    expect((await news()).map(({ type }) => type).toSorted()).toEqual([
      'campaign_failed',
      'donation_refunded',
    ])
  })

  test('notifies no donor of a surplus below a hundredth of the donations', async () => {
    const world = await createRefundWorld({ terms: { surplusToRecipient: false } })
    const { ctx, account } = world
    await world.mine(world.deploy())
    await world.mine(world.record(await world.donate(1, 70_000_000n), '70'))
    for (const milestone of [0, 1]) {
      await world.mine(world.release(milestone))
    }
    await world.pay(3, 7n)
    await world.settle(world.send(3, closeCall(account)))
    expect(
      await ctx.sql`select fields ->> 'pool' as pool from escrow_event where kind = 'Failed'`,
    ).toEqual([{ pool: '7' }])
    expect(await ctx.sql`select type from notification where type like 'refund%'`).toEqual([])
  })
})
