import type { Context } from '../../src/db/context.ts'
import { remindOfReleases } from '../../src/domain/campaigns/index.ts'
import { announceDeposits } from '../../src/domain/donations/index.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 500

/** Informs campaign creators about deposits that no donation has claimed for some time. */
export const createAnnounceDepositsJob = (ctx: Context): Job =>
  createNoticesJob(ctx, 'announce-deposits', 15_000, announceDeposits)

/** Reminds creators of verified milestones whose release has not been sent. */
export const createRemindOfReleasesJob = (ctx: Context): Job =>
  createNoticesJob(ctx, 'remind-of-releases', 600_000, remindOfReleases)

const createNoticesJob = (
  ctx: Context,
  name: string,
  sweepMs: number,
  notify: typeof announceDeposits,
): Job =>
  createLoop({
    name,
    sweepMs,
    log: ctx.log,
    async run(signal) {
      while (!signal.aborted) {
        if ((await notify(ctx, BATCH)) < BATCH) return
      }
    },
  })
