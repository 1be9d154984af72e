import type { Context } from '../../src/domain/context.ts'
import { pullBackAnnouncements } from '../../src/domain/deposit/index.ts'
import { pullBackChecks } from '../../src/domain/donation/index.ts'
import { pullBackMail } from '../../src/domain/mail/index.ts'
import { pullBackProofs } from '../../src/domain/proof/index.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 1_000
/** After this many batches the rest waits for the next sweep. */
const MAX_BATCHES = 100

const DUE_TIMES = {
  donations: pullBackChecks,
  deposits: pullBackAnnouncements,
  mail: pullBackMail,
  proofs: pullBackProofs,
} as const

/**
 * Resets due times that are too far in the future because a process's clock was ahead. Without
 * this, such work would wait for as long as the clock had jumped.
 */
export const createPullBackJob = (ctx: Context, sweepMs = 30_000): Job => {
  const pass = async (signal: AbortSignal): Promise<void> => {
    for (const [name, pullBack] of Object.entries(DUE_TIMES)) {
      let pulled = 0
      for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
        const count = await pullBack(ctx, BATCH)
        pulled += count
        if (count < BATCH) break
      }
      if (pulled > 0) ctx.log.warn({ pulled, of: name }, 'due times were ahead: a clock has jumped')
    }
  }
  return createLoop({ name: 'pull-back', run: pass, sweepMs, log: ctx.log })
}
