import { describe, expect, test } from 'vitest'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { readProvenTotals } from '../../../src/domain/books/index.ts'
import { getDonationRefund } from '../../../src/domain/campaigns/index.ts'
import { claimDeposit } from '../../../src/domain/donations/index.ts'
import { approveCall, closeCall } from '../../../src/escrow/calls.ts'
import { recordIntent } from '../../support/donate.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { deploy, keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { createFollowedWorld, RECIPIENT, returnOf } from './support/followed-world.ts'
import { createRefundWorld } from './support/refund-world.ts'
import { transferFrom } from './support/token-calls.ts'

const one = keyOf(1).address.toLowerCase()
const two = keyOf(2).address.toLowerCase()
const three = keyOf(3).address.toLowerCase()

describe.skipIf(!hasAnvil)('following refunds of an escrow', () => {
  test('a cancelled escrow refunds a recorded donor and a plain donor to the unit', async () => {
    const world = await createFollowedWorld()
    await world.mine(world.deploy())
    await world.mine(world.record(await world.donate(1, 20_000_001n, three), '20.000001'))
    const plain = await world.pay(2, 10_000_000n)
    await world.record(plain, '10')
    const unnamed = await world.pay(2, 5_000_000n)
    await world.settle()
    await world.settle(world.cancel())
    expect(await world.state()).toMatchObject({ campaign: 'cancelled', raised: '30000001' })
    await world.settle(world.refund(three))
    expect(await world.state()).toMatchObject({
      raised: '10000000',
      donations: ['refunded 20000001', 'completed'],
    })
    await world.returnTransfers(
      returnOf(plain, two, 10_000_000n),
      returnOf(unnamed, two, 5_000_000n),
    )
    await world.settle()
    expect(await world.state()).toMatchObject({
      raised: '0',
      donations: ['refunded 20000001', 'refunded 10000000'],
    })
    const all = { value: '30.000001', currency: 'USDC' }
    expect(await readProvenTotals(world.world.ctx)).toEqual([
      { proven: all, paidBack: all, donations: 2, campaigns: 1 },
    ])
    expect(await world.balances()).toMatchObject({ custody: 0n, held: 0n, unclaimed: 0n })
    const types = (await world.eventTypes()).filter(
      (type) => !/^donation.comp|^campaign.m/.test(type),
    )
    expect(types).toEqual([
      'campaign.failed',
      'donation.refunded',
      'campaign.threshold.reverted',
      'donation.refunded',
    ])
    const events = await world.events()
    expect(events.at(-1)?.data).toMatchObject({
      amount: { value: '10', currency: 'USDC' },
      refundedAmount: { value: '10' },
      status: 'refunded',
      currentAmount: { value: '0' },
    })
    expect(events.find(({ type }) => type === 'campaign.failed')?.data).toMatchObject({
      reason: 'cancelled',
      refundable: { value: '35.000001', currency: 'USDC' },
    })
  })

  test('money that an escrow gives back in the same blocks leaves no target and no milestone reached', async () => {
    const world = await createFollowedWorld()
    await world.deploy()
    await world.mine(world.record(await world.donate(1, 70_000_000n), '70'))
    const cancellation = await world.cancel()
    await world.chain.mine()
    const refund = await world.refund(one)
    await world.settle()
    const counted = async () => {
      const events = await world.events()
      const count = (type: string) => events.filter((event) => event.type === type).length
      const reverted = events.flatMap(({ type, data }) =>
        type === 'campaign.threshold.reverted' ? [data.threshold] : [],
      )
      return {
        funded: count('campaign.funded') - reverted.filter((one) => one === 'target').length,
        reached:
          count('campaign.milestone.reached') -
          reverted.filter((one) => one === 'milestone').length,
      }
    }
    expect(await world.state()).toMatchObject({ campaign: 'cancelled', raised: '0' })
    expect(await counted()).toEqual({ funded: 0, reached: 0 })
    // The reorg removes cancellation and refund. Both are mined again, in later blocks.
    await world.chain.reorg(4)
    await world.follow()
    expect(await world.state()).toMatchObject({ campaign: 'funded', raised: '70000000' })
    expect(await counted()).toEqual({ funded: 1, reached: 2 })
    await world.chain.send(cancellation)
    await world.chain.mine()
    await world.chain.send(refund)
    await world.settle()
    expect(await world.state()).toMatchObject({ campaign: 'cancelled', raised: '0' })
    expect(await counted()).toEqual({ funded: 0, reached: 0 })
  })

  test('after a release, shares are refunded in part, and the released part stays raised', async () => {
    const world = await createFollowedWorld()
    await world.mine(world.deploy())
    await world.mine(world.record(await world.donate(1, 60_000_000n), '60'))
    await world.settle(world.record(await world.donate(2, 10_000_000n), '10'))
    await world.mine(world.release(0))
    await world.settle(world.terminate())
    expect(await world.state()).toMatchObject({ campaign: 'failed', raised: '70000000' })
    await world.refund(one)
    await world.settle(world.refund(two))
    // The escrow still has 40 of 70 USDC, and the contract rounds each share down.
    expect(await world.state()).toMatchObject({
      campaign: 'failed',
      raised: '30000001',
      donations: ['partly_refunded 34285714', 'partly_refunded 5714285'],
    })
    expect(await world.balanceOf(RECIPIENT)).toBe(30_000_000n)
    expect(await world.balances()).toMatchObject({ custody: 1n, held: 1n, released: 30_000_000n })
  })

  test('a surplus goes back to its donors, and the campaign stays completed', async () => {
    const world = await createRefundWorld({
      milestones: ['70'],
      terms: { surplusToRecipient: false },
    })
    await world.mine(world.deploy())
    const donation = await world.record(await world.donate(1, 75_000_000n), '75')
    await world.settle()
    await world.settle(world.release(0))
    await expect(getDonationRefund(world.ctx, donation)).rejects.toMatchObject({
      code: 'campaign_not_failed',
      message: expect.stringContaining('send `close`'),
    })
    await world.settle(world.send(3, closeCall(world.account)))
    await world.settle(world.sendReady((await getDonationRefund(world.ctx, donation)).transaction))
    expect(await world.state()).toMatchObject({
      ...{ campaign: 'completed', raised: '70000000' },
      donations: ['partly_refunded 5000000'],
    })
    expect(await world.eventTypes()).toContain('donation.refunded')
    expect(await world.eventTypes()).not.toContain('campaign.failed')
  })

  test('one refund pays back many donations, and the parts add up to it', async () => {
    const world = await createFollowedWorld()
    await world.mine(world.deploy())
    for (const units of [1n, 3n, 5n, 7n, 11n, 13n]) {
      await world.record(await world.donate(1, units), `0.0000${units < 10n ? '0' : ''}${units}`)
    }
    await world.settle(world.donate(2, 70_000_000n))
    await world.mine(world.release(0))
    await world.mine(world.cancel())
    await world.settle(world.refund(one))
    const { donations } = await world.state()
    const refunds = donations.map((text) => Number(text.split(' ')[1] ?? 0))
    const [event] = await world.world.ctx.sql<{ amount: string }[]>`
      select fields ->> 'amount' as amount from escrow_event where kind = 'Refunded'`
    expect(refunds.reduce((sum, part) => sum + part, 0)).toBe(Number(event?.amount))
    expect(Number(event?.amount)).toBeGreaterThan(20)
  })

  test('money that no donation has, and returns above all transfers, leave unclaimed', async () => {
    const world = await createFollowedWorld()
    await world.mine(world.deploy())
    const first = await world.pay(1, 8_000_000n)
    const second = await world.pay(2, 2_000_000n)
    await world.settle()
    await world.mine(world.cancel())
    await world.returnTransfers(
      returnOf(first, two, 9_000_000n),
      { ...returnOf(second, two, 600_000n), position: 7 },
      returnOf({ ...second, hash: `0x${'11'.repeat(32)}` }, two, 400_000n),
    )
    await world.settle()
    expect(await world.balances()).toEqual({ custody: 0n, unclaimed: 0n })
  })

  test('a return that names the transfer of a recorded donor leaves the donation as it is', async () => {
    const world = await createFollowedWorld()
    await world.mine(world.deploy())
    const recorded = await world.donate(1, 20_000_000n)
    await world.mine(world.record(recorded, '20'))
    await world.settle(world.record(await world.pay(2, 10_000_000n), '10'))
    await world.mine(world.cancel())
    await world.settle(world.returnTransfers(returnOf(recorded, two, 10_000_000n)))
    expect(await world.state()).toMatchObject({ donations: ['completed', 'completed'] })
    await world.settle(world.refund(one))
    expect(await world.state()).toMatchObject({
      ...{ raised: '10000000', donations: ['refunded 20000000', 'completed'] },
    })
    expect(await world.balances()).toMatchObject({ custody: 0n, unclaimed: -10_000_000n })
  })

  test('two donors in one transaction each get their own donation back', async () => {
    const world = await createFollowedWorld()
    const { chain, account } = world
    await world.deploy()
    const router = await deploy(chain, testContracts.multicall.bytecode)
    await world.send(1, approveCall(TOKEN, router, 30_000_000n))
    await world.send(2, approveCall(TOKEN, router, 30_000_000n))
    await chain.mine()
    for (const [key, value] of [
      [1, '10'],
      [2, '20'],
    ] as const) {
      await recordIntent(world.world.as(world.donor), {
        ...{ campaignId: world.campaignId, amount: { value, currency: 'USDC' } },
        donor: { walletAddress: keyOf(key).address },
      })
    }
    const bundle = await world.batch(3, router, [
      transferFrom(one, account, 10_000_000n),
      transferFrom(two, account, 20_000_000n),
    ])
    await chain.mine()
    await world.settle()
    expect(await world.state()).toMatchObject({ raised: '30000000' })
    await world.cancel()
    await chain.mine()
    const second = { ...returnOf(bundle, two, 20_000_000n), position: 1 }
    await world.settle(world.returnTransfers(second))
    expect(await world.state()).toMatchObject({ donations: ['completed', 'refunded 20000000'] })
    await world.settle(world.returnTransfers(returnOf(bundle, one, 10_000_000n)))
    expect(await world.state()).toMatchObject({
      ...{ raised: '0', donations: ['refunded 10000000', 'refunded 20000000'] },
    })
  })

  test('a failed escrow stops intents, and takes no donation that comes later', async () => {
    const world = await createFollowedWorld()
    const intent = await recordIntent(world.world.as(world.donor), {
      campaignId: world.campaignId,
      amount: { value: '7', currency: 'USDC' },
      donor: { walletAddress: keyOf(1).address },
    })
    await world.mine(world.deploy())
    const early = await world.pay(2, 3_000_000n)
    await world.settle()
    await world.settle(world.terminate())
    expect(intent.id).toBeDefined()
    const [stopped] = await world.world.ctx.sql`select status, reason from donation`
    expect(stopped).toEqual({ status: 'failed', reason: 'campaign_failed' })
    await world.settle(world.pay(1, 7_000_000n))
    expect(await world.balances()).toMatchObject({ unclaimed: 10_000_000n })
    await expect(world.record(early, '3')).rejects.toMatchObject({ code: 'campaign_not_active' })
    await linkWallet(world.world, world.donor.userId, two)
    const [deposit] = await world.world.ctx.sql<{ id: string }[]>`
      select id from chain_transfer where tx_hash = ${early.hash}`
    const claim = claimDeposit(world.world.as(world.donor), deposit?.id ?? '', { nonce: null })
    await expect(claim).rejects.toMatchObject({
      code: 'campaign_not_active',
      message: expect.stringContaining('GET /api/campaigns/:id/returns has'),
    })
  })
})
