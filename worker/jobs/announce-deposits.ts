import type { Context } from '../../src/domain/context.ts'
import { announceDeposits } from '../../src/domain/deposit/index.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 500

/** Informs campaign creators about deposits that no donation has claimed for some time. */
export const createAnnounceDepositsJob = (ctx: Context): Job =>
  createLoop({
    name: 'announce-deposits',
    sweepMs: 15_000,
    log: ctx.log,
    async run(signal) {
      while (!signal.aborted) {
        if ((await announceDeposits(ctx, BATCH)) < BATCH) return
      }
    },
  })
