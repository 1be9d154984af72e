import type { Context } from '../../src/domain/context.ts'
import { remindOfReleases } from '../../src/domain/escrow/release/index.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 500

/** Reminds creators of verified milestones whose release has not been sent. */
export const createRemindOfReleasesJob = (ctx: Context): Job =>
  createLoop({
    name: 'remind-of-releases',
    sweepMs: 600_000,
    log: ctx.log,
    async run(signal) {
      while (!signal.aborted) {
        if ((await remindOfReleases(ctx, BATCH)) < BATCH) return
      }
    },
  })
