import type { Context } from '../../src/db/context.ts'
import { pruneSignIn } from '../../src/domain/account/index.ts'
import { clampChecks, pruneBlocks } from '../../src/domain/blocks/index.ts'
import { clampProofs, prunePrices } from '../../src/domain/books/index.ts'
import { clampAnnouncements, pruneClaimLinks } from '../../src/domain/donations/index.ts'
import { cancelDeliveries, forgetKeys, pruneDeliveries } from '../../src/domain/events/index.ts'
import { clampMail, pruneMail, pruneNotifications } from '../../src/domain/people/index.ts'
import { pruneIdempotencyKeys, pruneRateLimits } from '../../src/domain/service/index.ts'
import { pruneEvents } from '../../src/outbox/prune.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 1_000
/** The most batches per task in one pass. The next pass does the rest. */
const MAX_BATCHES = 100

/** Each task removes or changes at most `limit` rows and returns their number. */
type Tasks = Readonly<Record<string, (ctx: Context, limit: number) => Promise<number>>>

export const PRUNES: Tasks = {
  idempotencyKeys: pruneIdempotencyKeys,
  signIn: pruneSignIn,
  claimLinks: pruneClaimLinks,
  mail: pruneMail,
  notifications: pruneNotifications,
  uselessDeliveries: cancelDeliveries,
  deliveries: pruneDeliveries,
  retiredKeys: forgetKeys,
  events: pruneEvents,
  rateLimits: pruneRateLimits,
  prices: prunePrices,
  blocks: pruneBlocks,
}

const DUE_TIMES: Tasks = {
  donations: clampChecks,
  deposits: clampAnnouncements,
  mail: clampMail,
  proofs: clampProofs,
}

/** Removes obsolete rows from tables that grow, in small batches, while the clock is trusted. */
export const createPruneJob = (ctx: Context, prunes = PRUNES): Job =>
  createLoop({
    name: 'prune',
    sweepMs: 600_000,
    log: ctx.log,
    run: (signal) =>
      runTasks(ctx, prunes, signal, (removed, of) => ctx.log.info({ removed, of }, 'pruned')),
  })

/**
 * Corrects due times that are too far in the future because a clock was wrong. Without the
 * correction, the work would wait until that time.
 */
export const createClampDueTimesJob = (ctx: Context): Job =>
  createLoop({
    name: 'clamp-due-times',
    sweepMs: 30_000,
    log: ctx.log,
    run: (signal) =>
      runTasks(ctx, DUE_TIMES, signal, (reset, of) =>
        ctx.log.warn({ reset, of }, 'due times were ahead: a clock has jumped'),
      ),
  })

const runTasks = async (
  ctx: Context,
  tasks: Tasks,
  signal: AbortSignal,
  report: (rows: number, task: string) => void,
): Promise<void> => {
  // A clamp only corrects the effects of a wrong clock, so it needs no trusted clock.
  const mayRun = () => !signal.aborted && (tasks === DUE_TIMES || ctx.clock.isTrusted())
  for (const [task, change] of Object.entries(tasks)) {
    let rows = 0
    for (let batch = 0; batch < MAX_BATCHES && mayRun(); batch++) {
      const count = await change(ctx, BATCH)
      rows += count
      if (count === 0) break
    }
    if (rows > 0) report(rows, task)
  }
}
