import type { Context } from '../../src/domain/context.ts'
import { announceDeposits } from '../../src/domain/deposit/index.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 500

/** Announces deposits without a recorded donation to creators, after a grace period. */
export const createAnnounceDepositsJob = (ctx: Context, sweepMs = 15_000): Job => {
  const pass = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      if ((await announceDeposits(ctx, BATCH)) < BATCH) return
    }
  }
  return createLoop({ name: 'announce-deposits', run: pass, sweepMs, log: ctx.log })
}
