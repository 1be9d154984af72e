import { id } from 'ethers'
import { describe, expect, test } from 'vitest'
import { escrowAddress } from '../../../src/chain/escrow/address.ts'
import { cancelCall, deployCall } from '../../../src/chain/escrow/calls.ts'
import { packTerms } from '../../../src/chain/escrow/terms.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { recordTransfers } from '../../../src/domain/chain/record-transfers.ts'
import {
  getDonationRefund,
  getRefunds,
  listDueEscrows,
} from '../../../src/domain/escrow/refund/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { internalPosition } from '../../../src/kernel/formats/log-position.ts'
import { createComputeRefundsJob } from '../../../worker/jobs/compute-refunds.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createTestCampaign, TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { CREATOR, leafOf } from './support/followed-world.ts'
import { createFailedWorld, createRefundWorld, type RefundWorld } from './support/refund-world.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()
const usdc = (index: number, amount: string) => ({ asset: TOKEN, donor: wallet(index), amount })

/** A second escrow on the chain of a world. */
const anotherEscrow = async (world: RefundWorld) => {
  const { ctx, creator } = world
  const milestones = ['30', '40']
  const packed = packTerms({ ...world.terms, campaign: id('another') })
  const account = escrowAddress(packed)
  const campaignId = await createTestCampaign(ctx, { creator, account, target: '70', milestones })
  await ctx.sql`
    insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${packed})`
  return {
    campaignId,
    /** One donor pays, and the creator cancels. */
    async fail(): Promise<void> {
      await world.chain.send(await world.chain.signToken(2, account, 9n))
      await world.send(3, deployCall(packed))
      await world.send(CREATOR, cancelCall(account))
    },
  }
}

/** The service finds a payment of the second account in an old block. */
const recordLate = async (
  { ctx, chain, account }: RefundWorld,
  number: number,
  position: number,
) => {
  const block = await chain.call<{ hash: string; timestamp: string }>('eth_getBlockByNumber', [
    `0x${number.toString(16)}`,
    false,
  ])
  const transfer = {
    ...{ txHash: id('found later'), position, assetId: `eip155:31337/erc20:${TOKEN}` },
    ...{ sender: wallet(2), recipient: account, source: 'log' as const, amount: 5n },
    ...{ blockNumber: number, blockHash: block.hash },
    minedAt: new Date(Number(block.timestamp) * 1_000),
  }
  await withTransaction(ctx, (ctx) =>
    recordTransfers(ctx, TEST_CHAIN.id, { transfers: [transfer], transactions: [] }),
  )
}

const uncomputed = ({ metrics }: RefundWorld): number =>
  metrics.value('fundproof_refund_roots_uncomputed', { chain: TEST_CHAIN.id })

describe.skipIf(!hasAnvil)('the next refund root', () => {
  test('has late payments after the wait, so they do not start the wait anew', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    const plain = await world.record(await world.pay(1, 100n), '0.0001')
    await world.cancel()
    await world.settle()
    await world.propose()
    await world.pay(1, 5n)
    await world.pay(3, 7n)
    await world.settle()
    expect(await world.refunds()).toMatchObject({ root: { index: 0 }, waiting: { index: 0 } })
    await world.waitForRoot()
    expect(await world.refunds()).toMatchObject({ root: { index: 1 }, inForce: { index: 0 } })
    const { leaves } = await world.root()
    expect(leaves).toHaveLength(2)
    expect(leaves).toEqual(expect.arrayContaining([usdc(1, '105'), usdc(3, '7')]))
    await world.sendReady((await getDonationRefund(world.ctx, plain)).transaction)
    await world.settle()
    await world.propose()
    await world.waitForRoot()
    const before = await world.balanceOf(wallet(1))
    await world.sendReady((await getDonationRefund(world.ctx, plain)).transaction)
    await world.settle()
    expect(await world.balanceOf(wallet(1))).toBe(before + 5n)
  })

  test('is computed at once if the proposed root is not by this service', async () => {
    const world = await createFailedWorld()
    const own = await world.root()
    await world.proposeForeign(0, leafOf(wallet(9), 100n))
    await world.settle()
    expect(await world.refunds()).toMatchObject({
      waiting: { index: 0, root: leafOf(wallet(9), 100n) },
      root: { index: 1, root: own.root, leaves: [usdc(1, '100')] },
    })
    await world.propose()
    expect(await world.refunds()).toMatchObject({ waiting: { index: 1, root: own.root } })
    // A foreign root may also replace a root of this service that waits.
    await world.proposeForeign(2, leafOf(wallet(9), 100n))
    await world.settle()
    expect(await world.refunds()).toMatchObject({ root: { index: 3, root: own.root } })
  })

  test('is computed at once, with late payments, after a veto', async () => {
    const world = await createFailedWorld()
    const { root } = await world.root()
    await world.propose()
    await world.pay(2, 7n)
    await world.settle()
    expect((await world.root()).index).toBe(0)
    await world.veto(0, root)
    const { index, leaves } = await world.root()
    expect({ index, leaves: leaves.length }).toEqual({ index: 1, leaves: 2 })
    expect(leaves).toContainEqual(usdc(2, '7'))
  })

  test('counts a payment of an old block that is found later', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    await world.donate(1, 100n)
    await world.cancel()
    await world.settle()
    expect(await world.refunds()).toMatchObject({ state: 'failed', root: null })
    await recordLate(world, 2, 0)
    await world.job.run()
    expect((await world.root()).leaves).toMatchObject([{ donor: wallet(2) }])
  })

  test('counts a failure that a reorg puts into a block that was checked before', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    await world.pay(1, 70_000_000n)
    await world.settle()
    const before = await world.chain.head()
    await world.release(0)
    await world.settle()
    expect(await world.refunds()).toMatchObject({ state: 'active', root: null })
    const { to, data } = cancelCall(world.account)
    const cancel = await world.chain.sign(CREATOR, { to, data, gasLimit: 6_000_000n })
    const depth = (await world.chain.head()) - before
    await world.chain.reorg(depth, [[cancel, 0]])
    await world.settle()
    expect((await world.root()).leaves).toEqual([usdc(1, '70000000')])
  })

  test('of one escrow is computed if the root of another escrow cannot be', async () => {
    const world = await createFailedWorld()
    const { ctx } = world
    const other = await anotherEscrow(world)
    await other.fail()
    await world.settle()
    const failure = ctx.sql`kind = 'Failed' and campaign_id = ${world.campaignId}`
    await world.forgetRoots()
    await ctx.sql`
      update escrow_event set fields = fields || '{"pool": "no number"}' where ${failure}`
    await world.job.run()
    expect((await getRefunds(ctx, other.campaignId)).root?.leaves).toEqual([usdc(2, '9')])
    expect(uncomputed(world)).toBe(1)
    await ctx.sql`update escrow_event set fields = fields || '{"pool": "100"}' where ${failure}`
    await world.job.run()
    expect((await world.root()).leaves).toEqual([usdc(1, '100')])
    expect(uncomputed(world)).toBe(0)
  })

  test('that cannot be computed is tried again after a minute', async () => {
    const world = await createFailedWorld()
    const { ctx, metrics } = world
    const clock = createFakeClock()
    await world.forgetRoots()
    const failure = ctx.sql`kind = 'Failed'`
    await ctx.sql`
      update escrow_event set fields = fields || '{"pool": "no number"}' where ${failure}`
    const job = createComputeRefundsJob({ ...world.sync, ctx: { ...ctx, metrics, clock } })
    await job.run()
    await ctx.sql`update escrow_event set fields = fields || '{"pool": "100"}' where ${failure}`
    clock.advance(59_999)
    await job.run()
    expect(await world.refunds()).toMatchObject({ root: null })
    expect(uncomputed(world)).toBe(1)
    clock.advance(1)
    await job.run()
    expect(await world.refunds()).toMatchObject({ root: { index: 0 } })
    expect(uncomputed(world)).toBe(0)
  })

  test('does not wait for events of another escrow that never settle', async () => {
    const world = await createRefundWorld()
    const { ctx } = world
    const { campaignId, ...other } = await anotherEscrow(world)
    await ctx.sql`update campaign set status = 'draft' where id = ${campaignId}`
    await other.fail()
    await world.deploy()
    await world.pay(1, 100n)
    await world.cancel()
    await world.settle()
    expect(
      await ctx.sql`select kind from escrow_event where campaign_id = ${campaignId}
                    and settled_at is null`,
    ).toEqual([{ kind: 'Failed' }])
    expect((await world.root()).leaves).toMatchObject([{ donor: wallet(1), amount: '100' }])
  })

  test('does not wait for a refund of an asset that is no longer configured', async () => {
    const world = await createFailedWorld()
    const { ctx } = world
    const { root } = await world.root()
    await ctx.sql`
      insert into asset (id, chain_id, kind, address, symbol, decimals)
      values ('old', ${TEST_CHAIN.id}, 'erc20', ${wallet(5)}, 'OLD', 6)`
    await ctx.sql`
      insert into escrow_event
        (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
         block_hash, mined_at, counts)
      select ${newId()}, chain_id, account, campaign_id, 'old', 1, 'Refunded',
             ${ctx.sql.json({ asset: wallet(5), donor: wallet(1), amount: '1', recorded: false })},
             block_number, block_hash, mined_at, true
      from escrow_event where kind = 'Failed'`
    await world.forgetRoots()
    await world.settle()
    expect(await ctx.sql`select kind from escrow_event where settled_at is null`).toHaveLength(1)
    expect((await world.root()).root).toBe(root)
  })

  test('is not due for a payment that no root counts', async () => {
    const world = await createFailedWorld()
    const [{ number = 0 } = {}] = await world.ctx.sql<{ number: number }[]>`
      select refunds_checked_to + 1 as number from campaign_escrow`
    await world.chain.mine(3)
    await world.follow()
    await recordLate(world, number, internalPosition(0))
    expect(await listDueEscrows(world.ctx, TEST_CHAIN.id)).toEqual([])
    await recordLate(world, number, 0)
    expect(await listDueEscrows(world.ctx, TEST_CHAIN.id)).toHaveLength(1)
  })
})
