import { describe, expect, test } from 'vitest'
import { advanceFinality, settleBatch } from '../../../src/domain/blocks/index.ts'
import { readFigures } from '../../../src/domain/campaigns/index.ts'
import { activateCall } from '../../../src/escrow/calls.ts'
import { moneyOf } from '../../../src/pages/parts/escrow-money.tsx'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createFollowedWorld } from './support/followed-world.ts'

const setUp = async () => {
  const followed = await createFollowedWorld()
  const { chain, world, campaignId } = followed
  const { ctx } = world
  /** The figures that pages show. The money in the contract is compared with the chain's state. */
  const figures = async () => {
    const { campaign, escrow, booked } = await readFigures(ctx, campaignId)
    if (!escrow || !booked) throw new Error('The escrow has no figures.')
    const { parts, held, received } = moneyOf(escrow, campaign.donations)
    expect(BigInt(Math.round(Number(held) * 1e6))).toBe(
      await followed.balanceAt(followed.account, booked.block),
    )
    expect(escrow.balance?.block).toBe(booked.block)
    const values = Object.fromEntries(parts.map(({ name, value }) => [name, Number(value)]))
    const sum = Object.values(values).reduce((all, value) => all + value, 0)
    expect(sum).toBeCloseTo(Number(received), 6)
    const raised = Number(campaign.currentAmount)
    const collectable = Number(escrow.collectable)
    return { ...values, received: Number(received), raised, collectable }
  }
  return { ...followed, ctx, chain, figures }
}

describe.skipIf(!hasAnvil)('the money of an escrow', () => {
  test('is shown at one block, and read again after each donation, payment and refund', async () => {
    const world = await setUp()
    const donor = keyOf(3).address.toLowerCase()
    await world.settle(world.deploy())
    expect(await world.figures()).toMatchObject({ locked: 0, received: 0, raised: 0 })
    await world.settle(world.record(await world.donate(1, 60_000_000n, donor), '60'))
    expect(await world.figures()).toMatchObject({ locked: 60, received: 60, raised: 60 })
    // A balance that the reconciliation has read earlier does not stop the figures.
    await world.ctx.sql`
      insert into account_balance (chain_id, account, asset_id, block_number, block_hash, balance,
                                   checked_at)
      select chain_id, account, currency_id, finalized_number, '0x', 60000000, now()
      from campaign join chain_state using (chain_id)`
    await world.settle(world.pay(2, 15_000_000n))
    expect(await world.figures()).toMatchObject({ locked: 75, received: 75, raised: 60 })
    await world.mine(world.send(3, activateCall(world.account)))
    await world.settle(world.release(0))
    expect(await world.figures()).toMatchObject({ released: 30, locked: 45, received: 75 })
    await world.settle(world.cancel())
    expect(await world.figures()).toMatchObject({
      ...{ released: 30, back: 0, refundable: 45, collectable: 36 },
    })
    await world.settle(world.refund(donor))
    expect(await world.figures()).toEqual({
      ...{ released: 30, back: 36, refundable: 9, received: 75, raised: 24, collectable: 0 },
    })
  })

  test('belongs to an older block while newer blocks are booked, and never to two blocks', async () => {
    const world = await setUp()
    await world.settle(world.deploy())
    await world.settle(world.record(await world.donate(1, 70_000_000n), '70'))
    const before = await world.figures()
    // One block has a transfer, the next one a payment, and then all become final at once.
    await world.mine(world.pay(2, 5_000_000n))
    await world.mine(world.release(0))
    await world.follow()
    const number = Number(await world.chain.call<string>('eth_blockNumber', []))
    await advanceFinality(world.ctx, 31_337, { number, hash: null })
    expect(await world.figures()).toEqual(before)
    await settleBatch(world.ctx, 31_337)
    expect(await world.figures()).toMatchObject({ released: 0, locked: 75, received: 75 })
    await settleBatch(world.ctx, 31_337)
    expect(await world.figures()).toMatchObject({ released: 30, locked: 45, received: 75 })
  })
})
