import type { Context } from '../../src/domain/context.ts'
import { pruneMail } from '../../src/domain/mail/index.ts'
import { pruneDeliveries } from '../../src/domain/webhook/index.ts'
import { pruneEvents } from '../../src/outbox/prune.ts'
import { createLoop, type Job } from '../loop.ts'

const BATCH = 1_000
/** What is left after so many batches waits for the next sweep. */
const MAX_BATCHES = 100

const DAY_MS = 24 * 3_600_000

/** Removes up to `limit` rows that are done with, and returns how many went. */
export type Prune = (ctx: Context, limit: number) => Promise<number>

/** Answers of idempotency keys that are no longer replayed. */
const pruneIdempotencyKeys: Prune = async ({ sql, clock }, limit) => {
  const removed = await sql`
    delete from idempotency_key where (caller, key) in (
      select caller, key from idempotency_key where expires_at < ${clock.now()}
      limit ${limit} for update skip locked)`
  return removed.count
}

/** Codes that went out by mail and have been of no use for a day. */
const pruneEmailCodes: Prune = async ({ sql, clock }, limit) => {
  const before = new Date(clock.now().getTime() - DAY_MS)
  const removed = await sql`
    delete from email_code where id in (
      select id from email_code where expires_at < ${before}
      limit ${limit} for update skip locked)`
  return removed.count
}

/** Sessions that ended a day ago, with their refresh tokens. */
const pruneSessions: Prune = async ({ sql, clock }, limit) => {
  const before = new Date(clock.now().getTime() - DAY_MS)
  const removed = await sql`
    delete from session where id in (
      select id from session where expires_at < ${before} or revoked_at < ${before}
      limit ${limit} for update skip locked)`
  return removed.count
}

const PRUNES: Readonly<Record<string, Prune>> = {
  idempotencyKeys: pruneIdempotencyKeys,
  emailCodes: pruneEmailCodes,
  sessions: pruneSessions,
  mail: pruneMail,
  deliveries: pruneDeliveries,
  events: pruneEvents,
}

/** Keeps the tables that only grow from growing for ever, in small batches. */
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
        if (count < BATCH) break
      }
      if (removed > 0) ctx.log.info({ removed, of: name }, 'pruned')
    }
  }
  const loop = createLoop({ name: 'prune', run: pass, sweepMs, log: ctx.log })
  return {
    name: 'prune',
    run: () => pass(new AbortController().signal),
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}
