import { ChainError } from '../../src/chain/index.ts'
import { readChain, takeLease } from '../../src/domain/chain/index.ts'
import {
  type DueEscrow,
  listDueEscrows,
  readDueRoot,
  storeRoot,
} from '../../src/domain/escrow/refund/index.ts'
import { messageOf } from '../../src/kernel/errors.ts'
import { refundAccounts } from '../chain/refund-accounts.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/**
 * Computes the refund roots of escrows that have ended, for the verifiers to sign. Only the worker
 * with the chain's lease asks the nodes. An escrow whose root cannot be computed stays due, and
 * waits `retryMs` for its next try.
 */
export const createComputeRefundsJob = (
  sync: ChainSync,
  { sweepMs = 5_000, retryMs = 60_000 } = {},
): Job => {
  const { ctx, chain } = sync
  const retryAt = new Map<string, number>()

  const isPaused = ({ campaignId }: DueEscrow): boolean =>
    (retryAt.get(campaignId) ?? 0) > ctx.clock.now().getTime()

  const compute = async (escrow: DueEscrow): Promise<boolean> => {
    try {
      const root = await readDueRoot(ctx, escrow)
      await storeRoot(ctx, root, await refundAccounts(sync.client, root))
      return true
    } catch (error) {
      if (error instanceof ChainError && error.code === 'closed') throw error
      const { campaignId } = escrow
      retryAt.set(campaignId, ctx.clock.now().getTime() + retryMs)
      ctx.log.error({ campaignId, reason: messageOf(error) }, 'a refund root was not computed')
      return false
    }
  }

  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!(await readChain(ctx, chain.id))) return
    const due = await listDueEscrows(ctx, chain.id)
    const hasLease = due.length > 0 && (await takeLease(ctx, chain.id, sync.owner, sync.leaseMs))
    let failures = 0
    for (const escrow of hasLease ? due : []) {
      if (signal.aborted) return
      if (isPaused(escrow) || !(await compute(escrow))) failures++
    }
    ctx.metrics.gauge('fundproof_refund_roots_uncomputed', { chain: chain.id }, failures)
  }

  return createLoop({ name: `compute-refunds ${chain.id}`, run: pass, sweepMs, log: ctx.log })
}
