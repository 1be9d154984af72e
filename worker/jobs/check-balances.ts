import { ChainError } from '../../src/chain/index.ts'
import { readChain, takeLease } from '../../src/domain/blocks/index.ts'
import { checkBalances } from '../chain/check-balances.ts'
import { settleFinal } from '../chain/settle-final.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/**
 * When a newer block is final, compares balances with the recorded payments and records missed
 * payments. Each pass takes a limited number of accounts. Does nothing without the chain's lease.
 */
export const createCheckBalancesJob = (sync: ChainSync, sweepMs = 15_000): Job => {
  const { ctx, chain } = sync
  let checkedNumber = -1

  const pass = async (signal: AbortSignal): Promise<void> => {
    const state = await readChain(ctx, chain.id)
    if (!state) return
    const final = Math.min(state.finalizedNumber, state.cursor.number)
    if (final <= checkedNumber) return
    if (!(await takeLease(ctx, chain.id, sync.owner, sync.leaseMs))) return
    const checked = await findMissed(final, signal)
    if (checked === null || signal.aborted) return
    const { found, complete } = checked
    if (complete) checkedNumber = final
    if (found === 0) return
    ctx.log.warn({ found, final }, 'balances showed internal payments')
    await settleFinal(sync, signal)
  }

  /** Runs `checkBalances`. Returns null if the nodes fail, and the next pass tries again. */
  const findMissed = async (
    final: number,
    signal: AbortSignal,
  ): ReturnType<typeof checkBalances> => {
    try {
      return await checkBalances(sync, final, signal)
    } catch (error) {
      if (!(error instanceof ChainError) || error.code === 'closed') throw error
      ctx.log.warn({ code: error.code }, `balances: ${error.message}`)
      return null
    }
  }

  return createLoop({
    name: `check-balances ${chain.id}`,
    run: pass,
    sweepMs,
    log: ctx.log,
  })
}
