import {
  extendJobRun,
  oldestKnown,
  takeLease,
  withChainLease,
} from '../../src/domain/blocks/index.ts'
import { hasPassed } from '../../src/kernel/ports/clock.ts'
import type { Standing } from '../chain/reconcile/compare-window.ts'
import { recheckOpenBlocks, reconcileRun } from '../chain/reconcile/reconcile-run.ts'
import type { Reconciler } from '../chain/reconcile/scan-batch.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/** With more accounts, the pause between runs is longer: `everyMs` for each 1 000 accounts. */
const ACCOUNTS_PER_TURN = 1_000
/** The pause between two checks of whether a run is due. */
const SWEEP_MS = 5_000

/**
 * Compares the ledger with the blocks that became final since the last run. Works only with the
 * chain's lease, and only if the sync has read nearly all blocks.
 */
export const createReconcileJob = (
  sync: ChainSync,
  options: { everyMs: number } & Pick<Reconciler, 'windowBlocks'>,
): Job => {
  const { ctx, chain, watch } = sync
  const reconciler: Reconciler = { ...sync, ...options }
  let finishedAt: number | null = null
  let standing: Standing | null = null

  /** The last block to compare. Null without the lease, or if the sync has not read all blocks. */
  const finalNumber = async (): Promise<number | null> => {
    const state = await takeLease(ctx, chain.id, sync.owner, sync.leaseMs)
    if (!state || state.cursor.number < state.headNumber - 1) return null
    return Math.min(state.finalizedNumber, state.cursor.number)
  }

  const pass = async (signal: AbortSignal): Promise<void> => {
    const now = ctx.clock.now().getTime()
    if (finishedAt !== null && !hasPassed(now, finishedAt, options.everyMs)) return
    const turns = Math.ceil((await watch(ctx)).accounts.size / ACCOUNTS_PER_TURN)
    if (finishedAt !== null && !hasPassed(now, finishedAt, options.everyMs * turns)) return
    const to = await finalNumber()
    const from = (await oldestKnown(ctx, chain.id)) + 1
    if (to === null || to < from) return
    await withChainLease(ctx, chain.id, async () => {
      await recheckOpenBlocks(reconciler, signal)
      const run = await extendJobRun(ctx, { chainId: chain.id, from, to })
      const reached = await reconcileRun(reconciler, run, {
        signal,
        standing,
        mayGoOn: async () => (await finalNumber()) !== null,
      })
      standing = reached.standing ?? standing
      if (reached.hasEnded) finishedAt = ctx.clock.now().getTime()
    })
  }

  return createLoop({
    name: `reconcile ${chain.id}`,
    run: pass,
    sweepMs: Math.min(SWEEP_MS, options.everyMs),
    log: ctx.log,
    maxBackoffMs: 60_000,
  })
}
