import { expect, test } from 'vitest'
import { matchLateDonations } from '../../../src/domain/blocks/index.ts'
import { announceDeposits } from '../../../src/domain/donations/index.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { CHAIN_ID, minedAt, txHash } from '../../support/chain-facts.ts'
import { ACCOUNT, createSettledWorld, DONOR } from './support/settled-world.ts'

const GRACE_MS = 3_600_000
const gift = (tx: string) => ({ tx, to: ACCOUNT, usdc: 10_000_000n, claimed: false })

test('notifies the creator once of a deposit that is unclaimed after its grace', async () => {
  const world = await createSettledWorld()
  await world.finalBlock(1, [gift('a')])
  world.clock.advance(GRACE_MS - 1)
  expect(await announceDeposits(world.ctx, 10)).toBe(0)
  world.clock.advance(1)
  expect(await announceDeposits(world.ctx, 10)).toBe(1)
  expect(await announceDeposits(world.ctx, 10)).toBe(0)
  const [event] = await world.ctx.sql<{ body: string; audience: string[] }[]>`
    select event.body, audience from event`
  const { id } = (await world.ctx.sql<{ id: string }[]>`select id from chain_transfer`)[0] ?? {}
  expect(event?.audience).toEqual([world.creator.userId])
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    event: 'deposit.unclaimed',
    data: {
      depositId: id,
      campaignId: world.campaignId,
      amount: { value: '10', currency: 'USDC' },
      sender: toChecksumAddress(DONOR),
      transaction: { ledgerTxId: txHash('a'), timestamp: minedAt(1).toISOString() },
    },
  })
  const notices = await world.ctx.sql`
    select type, user_id, campaign_id, data from notification`
  expect([...notices]).toEqual([
    {
      type: 'deposit_unclaimed',
      userId: world.creator.userId,
      campaignId: world.campaignId,
      data: { depositId: id },
    },
  ])
})

test('says nothing of a deposit that was claimed in time, nor of one that waits for a price', async () => {
  const world = await createSettledWorld()
  await world.finalBlock(1, [gift('a')])
  await world.record('a')
  await matchLateDonations(world.ctx, CHAIN_ID)
  await world.record('eth', '1', 'ETH')
  await world.block(2, [{ tx: 'eth', to: ACCOUNT, wei: 1n }])
  await world.finalise(2, world.unpriced)
  expect(await world.balance('unclaimed')).toBe('1')
  world.clock.advance(GRACE_MS)
  expect(await announceDeposits(world.ctx, 10)).toBe(2)
  expect(await world.events()).toEqual(['donation.completed'])
})

test('a deposit that a reorganisation took back is announced again once it is back, and not in between', async () => {
  const world = await createSettledWorld()
  await world.finalBlock(1, [gift('a')])
  await world.undo(1, 0)
  world.clock.advance(GRACE_MS)
  expect(await announceDeposits(world.ctx, 10)).toBe(0)
  await world.finalBlock(1, [gift('a')], 'other', 'main')
  world.clock.advance(GRACE_MS)
  await Promise.all([announceDeposits(world.ctx, 10), announceDeposits(world.ctx, 10)])
  expect(await world.events()).toEqual(['deposit.unclaimed'])
})
