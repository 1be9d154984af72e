import { describe, expect, test } from 'vitest'
import { beginRun, findUnfinishedRun, withChainLease } from '../../../src/domain/blocks/index.ts'
import { reconcileRun } from '../../../worker/chain/reconcile/reconcile-run.ts'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { CHAIN_ID } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { reconcile, startCommand } from './support/command.ts'
import { createReconciledWorld } from './support/world.ts'

/** A chain with a transfer in every tenth block. */
const longChain = async (blocks: number) => {
  const setup = await createReconciledWorld()
  const { chain, account } = setup
  let transfers = 0
  for (let mined = 0; mined < blocks; mined += 10) {
    await chain.send(await chain.signToken(1, account, 1_000_000n))
    transfers += 1
    await chain.mine(10)
  }
  await setup.mineAndFollow(3)
  const where = { databaseUrl: setup.world.url, rpcUrl: chain.url }
  const final = (await chain.head()) - 2
  return { ...setup, transfers, where, final }
}

describe.skipIf(!hasAnvil)('a comparison of a range', () => {
  for (const point of ['Q1', 'Q2']) {
    test(`that is killed at ${point} goes on where it was, and compares every block once`, async () => {
      const { ctx, where, transfers, final } = await longChain(620)
      const killed = await startCommand(where, ['--from', '1', '--to', String(final)], {
        FUNDPROOF_CRASH_AT: point,
      }).ended
      expect(killed.code).toBe('SIGKILL')
      const unfinished = await findUnfinishedRun(ctx, CHAIN_ID)
      expect(unfinished).toMatchObject({ nextBlock: point === 'Q1' ? 1 : 201, toBlock: final })

      const resumed = await reconcile(where, ['--resume'])
      expect(resumed.errors).not.toContain('Error')
      expect(resumed).toMatchObject({ code: 0 })
      expect(resumed.out).toContain(`blocks ${unfinished?.nextBlock} to ${final}`)
      expect(resumed.out).toContain('everything agrees')
      const rows = await ctx.sql`
        select status, from_block, next_block, transfers, recovered from reconciliation_run`
      expect(rows).toEqual([
        { status: 'finished', fromBlock: 1, nextBlock: final + 1, transfers, recovered: 0 },
      ])
    })
  }

  test('that is stopped between two windows goes on after the last one', async () => {
    const { ctx, sync, transfers, final } = await longChain(60)
    const reconciler = { ...sync, windowBlocks: 7 }
    const stopping = new AbortController()
    let run = await beginRun(ctx, { chainId: CHAIN_ID, from: 1, to: final })
    const windows: number[] = []
    const first = await reconcileRun(reconciler, run, {
      signal: stopping.signal,
      onWindow: ({ nextBlock }) => {
        windows.push(nextBlock)
        if (windows.length === 3) stopping.abort()
      },
    })
    expect(first.run).toMatchObject({ status: 'running', nextBlock: 22 })
    run = first.run
    const signal = new AbortController().signal
    const second = await reconcileRun(reconciler, run, {
      signal,
      onWindow: ({ nextBlock }) => windows.push(nextBlock),
    })
    expect(second.run).toMatchObject({ status: 'finished', transfers })
    expect(windows.slice(0, 4)).toEqual([8, 15, 22, 29])
    expect(windows.at(-1)).toBe(final + 1)
  })

  test('that is stopped after the last window has not ended, and compares the books when it goes on', async () => {
    const { ctx, sync, final } = await longChain(60)
    await ctx.sql`update campaign_total set raised = raised + 1`
    const stopping = new AbortController()
    const run = await beginRun(ctx, { chainId: CHAIN_ID, from: 1, to: final })
    const first = await reconcileRun(sync, run, {
      signal: stopping.signal,
      onWindow: () => stopping.abort(),
    })
    expect(first).toMatchObject({ hasEnded: false, run: { nextBlock: final + 1 } })
    const { signal } = new AbortController()
    const second = await reconcileRun(sync, first.run, { signal })
    expect(second.hasEnded).toBe(true)
    expect(second.run.differences).toBeGreaterThan(0)
  })

  test('that two processes continue at once compares each block once', async () => {
    const { ctx, sync, transfers, final } = await longChain(60)
    const run = await beginRun(ctx, { chainId: CHAIN_ID, from: 1, to: final })
    const goOn = () =>
      reconcileRun({ ...sync, windowBlocks: 5 }, run, { signal: new AbortController().signal })
    const ended = await Promise.allSettled([goOn(), goOn()])
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [row] = await ctx.sql`select status, transfers from reconciliation_run`
    expect(row).toEqual({ status: 'finished', transfers })
  })

  test('begins again where the chain has changed under it', async () => {
    const setup = await createReconciledWorld({ windowBlocks: 4 })
    const { chain, account } = setup
    await chain.send(await chain.signToken(1, account, 1_000_000n))
    await setup.mineAndReconcile(9)
    const before = await setup.run()
    expect(before).toMatchObject({ status: 'finished', transfers: 1 })
    // The reorg removes final blocks, so the credited and the compared blocks are gone.
    const moved = await chain.signToken(2, account, 3_000_000n)
    await chain.reorg(9, [[moved, 2]])
    await setup.mineAndReconcile(6)
    await setup.follow()
    await setup.reconcile()
    const after = await setup.run()
    expect(after).toMatchObject({ status: 'finished', nextBlock: after.toBlock + 1 })
    expect(after.toBlock).toBeGreaterThan(before.toBlock)
    expect(await setup.differences()).toEqual([])
    expect(await setup.transfers()).toMatchObject([{ amount: '3000000' }])
  })
})

describe.skipIf(!hasAnvil)('the background comparison', () => {
  test.each([
    ['when its time has passed', 600_000],
    ['when a clock that was 80 hours ahead was set back', -80 * 3_600_000],
  ])('compares every final block once, as finality moves, and again only %s', async (_when, ms) => {
    const setup = await createReconciledWorld()
    const { chain, sync, ctx } = setup
    const clock = createFakeClock()
    const job = createReconcileJob(
      { ...sync, ctx: { ...ctx, clock } },
      { everyMs: 600_000, windowBlocks: 3 },
    )
    await setup.mineAndFollow(5)
    await job.run()
    const first = await setup.run()
    expect(first).toMatchObject({ fromBlock: 1, nextBlock: (await chain.head()) - 1 })
    await setup.mineAndFollow(7)
    await job.run()
    expect(await setup.run()).toEqual(first)
    clock.advance(ms)
    await job.run()
    expect(await setup.run()).toMatchObject({ fromBlock: 1, nextBlock: (await chain.head()) - 1 })
  })

  test('stands back while another worker holds the chain, while the follower is behind, and while a command compares', async () => {
    const setup = await createReconciledWorld()
    const { ctx } = setup
    await setup.mineAndFollow(5)
    const runs = async () => (await ctx.sql`select 1 from reconciliation_run`).length
    await ctx.sql`update chain_state set lease_owner = 'another', lease_until = now() + interval '1 minute'`
    await setup.reconcile()
    await ctx.sql`update chain_state set lease_owner = null, head_number = head_number + 100`
    await setup.reconcile()
    await ctx.sql`update chain_state set head_number = cursor_number`
    await withChainLease(ctx, CHAIN_ID, () => setup.reconcile())
    expect(await runs()).toBe(0)
    await setup.reconcile()
    expect(await runs()).toBe(1)
  })
})
