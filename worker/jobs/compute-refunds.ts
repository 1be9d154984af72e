import { ChainError } from '../../src/chain/index.ts'
import { readChain, takeLease } from '../../src/domain/chain/index.ts'
import { listDueRoots, storeRoot } from '../../src/domain/escrow/refund/index.ts'
import { refundAccounts } from '../chain/refund-accounts.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/**
 * Computes the refund roots of escrows that have ended, for the verifiers to sign. Only the worker
 * with the chain's lease asks the nodes.
 */
export const createComputeRefundsJob = (sync: ChainSync, sweepMs = 5_000): Job => {
  const { ctx, chain } = sync
  /** The numbers of events, roots and payments with which each escrow was computed last. */
  const computed = new Map<string, string>()

  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!(await readChain(ctx, chain.id))) return
    const fresh = new Map<string, string>()
    const due = await listDueRoots(ctx, chain.id, (campaignId, state) => {
      fresh.set(campaignId, state)
      return computed.get(campaignId) === state
    })
    if (due.length > 0 && !(await takeLease(ctx, chain.id, sync.owner, sync.leaseMs))) return
    for (const root of due) {
      if (signal.aborted) return
      try {
        await storeRoot(ctx, root, await refundAccounts(sync.client, root))
      } catch (error) {
        if (!(error instanceof ChainError) || error.code === 'closed') throw error
        ctx.log.warn({ campaignId: root.campaignId, code: error.code }, `refunds: ${error.message}`)
        fresh.delete(root.campaignId)
      }
    }
    for (const [campaignId, state] of fresh) computed.set(campaignId, state)
  }

  return createLoop({ name: `compute-refunds ${chain.id}`, run: pass, sweepMs, log: ctx.log })
}
