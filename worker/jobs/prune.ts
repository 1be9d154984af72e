import type { Context } from '../../src/domain/context.ts'
import { pruneDeliveries } from '../../src/domain/delivery/index.ts'
import { pruneClaimLinks } from '../../src/domain/donation/index.ts'
import { pruneIdempotencyKeys } from '../../src/domain/idempotency/index.ts'
import { pruneMail } from '../../src/domain/mail/index.ts'
import { prunePrices } from '../../src/domain/price/index.ts'
import { pruneRateLimits } from '../../src/domain/rate-limit/index.ts'
import { pruneSignIn } from '../../src/domain/user/index.ts'
import { forgetKeys } from '../../src/domain/webhook/index.ts'
import { pruneEvents } from '../../src/outbox/prune.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 1_000
/** After this many batches the rest waits for the next sweep. */
const MAX_BATCHES = 100

/** Removes a batch of obsolete rows and returns their number. */
export type Prune = (ctx: Context, limit: number) => Promise<number>

export const PRUNES: Readonly<Record<string, Prune>> = {
  idempotencyKeys: pruneIdempotencyKeys,
  signIn: pruneSignIn,
  claimLinks: pruneClaimLinks,
  mail: pruneMail,
  deliveries: pruneDeliveries,
  retiredKeys: forgetKeys,
  events: pruneEvents,
  rateLimits: pruneRateLimits,
  prices: prunePrices,
}

/** Removes obsolete rows from growing tables, in small batches. */
export const createPruneJob = (
  ctx: Context,
  sweepMs = 600_000,
  prunes: Readonly<Record<string, Prune>> = PRUNES,
): Job => {
  const pass = async (signal: AbortSignal): Promise<void> => {
    for (const [name, prune] of Object.entries(prunes)) {
      let removed = 0
      for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
        const count = await prune(ctx, BATCH)
        removed += count
        if (count === 0) break
      }
      if (removed > 0) ctx.log.info({ removed, of: name }, 'pruned')
    }
  }
  return createLoop({ name: 'prune', run: pass, sweepMs, log: ctx.log })
}
