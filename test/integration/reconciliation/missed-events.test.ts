import { describe, expect, test } from 'vitest'
import { scanBatch } from '../../../worker/chain/reconcile/scan-batch.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { createRefundWorld } from '../escrow/support/refund-world.ts'

/** An escrow with a plain payment of 10 USDC. */
const setUp = async () => {
  const world = await createRefundWorld()
  const { chain, ctx, sync } = world
  const watch = async () => ({ accounts: new Set<string>(), tokens: new Set<string>() })
  const job = createReconcileJob(sync, { everyMs: 0 })
  await world.deploy()
  await world.settle(world.pay(1, 10_000_000n))
  return {
    ...world,
    /**
     * Lets the sync read the next blocks without any watched account, so it misses their events.
     */
    async followBlindly(): Promise<void> {
      await chain.mine(3)
      await syncChain({ ...sync, watch }, new AbortController().signal)
    },
    async followFailure(): Promise<void> {
      await world.cancel()
      await world.mineAndFollow(3)
    },
    compare: () => job.run(),
    /** Compares the blocks, and settles the recovered events. No difference may stay open. */
    async reconcile(): Promise<void> {
      await job.run()
      await world.settle()
      const open = await ctx.sql`select note from ledger_difference where resolved_at is null`
      expect(open).toEqual([])
    },
    events: () => ctx.sql`
      select kind, settled_at is not null as settled from escrow_event
      order by block_number, position`,
  }
}

describe.skipIf(!hasAnvil)('events of an escrow that the sync missed', () => {
  test('are recovered with the payment, so verifiers do not return a recorded one', async () => {
    const world = await setUp()
    await world.donate(2, 50_000_000n)
    await world.followBlindly()
    await world.followFailure()
    await world.reconcile()
    expect(await world.events()).toEqual([
      { kind: 'Donated', settled: true },
      { kind: 'Failed', settled: true },
    ])
    expect(await world.returns()).toMatchObject([{ share: '10000000' }])
  })

  test('are recovered if the payment is known', async () => {
    const world = await setUp()
    await world.settle(world.donate(2, 50_000_000n))
    await world.ctx.sql`delete from escrow_event where kind = 'Donated'`
    await world.followFailure()
    await world.reconcile()
    expect(await world.returns()).toMatchObject([{ share: '10000000' }])
  })

  test('are not recovered from before the campaign, like the payments', async () => {
    const world = await setUp()
    await world.donate(2, 50_000_000n)
    await world.followBlindly()
    await world.ctx.sql`update campaign set created_at = now() + interval '1 day'`
    await world.compare()
    expect(await world.events()).toEqual([])
  })

  test('are found by the bloom filters of headers alone', async () => {
    const world = await setUp()
    await world.followFailure()
    const reconciler = { ...world.sync, depth: 'tokens' as const }
    const { escrowEvents } = await scanBatch(reconciler, 1, await world.chain.head())
    expect(escrowEvents.map(({ kind }) => kind)).toEqual(['Failed'])
  })

  test('are settled in blocks without a payment', async () => {
    const world = await setUp()
    await world.followFailure()
    await world.settle()
    await world.giveAllBack()
    await world.followBlindly()
    expect(await world.returns()).toMatchObject([{ returned: null }])
    await world.reconcile()
    expect(await world.events()).toEqual([
      { kind: 'Failed', settled: true },
      { kind: 'TransferReturned', settled: true },
    ])
    expect(await world.returns()).toMatchObject([{ returned: { state: 'done' } }])
  })
})
