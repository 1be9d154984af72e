import type { Context } from '../../src/db/context.ts'
import type { LostHead } from '../../src/db/schema/seals.ts'
import {
  type EntryRange,
  type NewSeal,
  queueProofs,
  rangeToSeal,
  sealEntries,
} from '../../src/domain/books/index.ts'
import { hasPassed } from '../../src/kernel/ports/clock.ts'
import { createLoop, type Job } from '../loop.ts'

/** The number of ledger entry ids that one statement searches. */
const RANGE = 100_000
/** The pause between two passes that search all ids, not only new ids. */
const FULL_EVERY_MS = 3_600_000

/**
 * Seals new ledger entries. Each pass logs the newest head (a hash), so that an operator can detect
 * if the newest entries were removed from the database. Also keeps this head in a file in `folder`,
 * and signs nothing if the database lacks this head.
 */
export const createSealLedgerJob = (ctx: Context, folder: string): Job => {
  let fullAt: number | null = null
  let lostHead = ''

  const pass = async (signal: AbortSignal): Promise<void> => {
    const now = ctx.clock.now().getTime()
    const isFull = fullAt === null || hasPassed(now, fullAt, FULL_EVERY_MS)
    const range = await rangeToSeal(ctx)
    const all = { after: isFull ? 0 : range.after, upTo: range.upTo }
    const done: Sealed = { seals: 0, entries: 0, last: undefined, lost: null }
    try {
      if ((await sealRange(ctx, folder, all, signal, done)) && isFull) fullAt = now
      if (done.lost && done.lost.head !== lostHead) ctx.log.error(done.lost, RESTORED)
      lostHead = done.lost?.head ?? ''
    } finally {
      // Also logs after a failure, because the seals before the failure are valid.
      logSealed(ctx, done)
    }
  }

  return createLoop({ name: 'seal-ledger', run: pass, sweepMs: 2_000, log: ctx.log })
}

const RESTORED =
  'the database was restored and lacks this signed head: nothing is signed until `npm run admin -- restored`'

/** Counts the seals and entries of a pass, and keeps the last seal and a head that was lost. */
type Sealed = {
  seals: number
  entries: number
  last: NewSeal | undefined
  lost: LostHead | null
}

/**
 * Returns whether the whole range is sealed. False also if another process is sealing, or if the
 * database was restored.
 */
const sealRange = async (
  ctx: Context,
  folder: string,
  all: EntryRange,
  signal: AbortSignal,
  done: Sealed,
): Promise<boolean> => {
  let after = all.after
  // An empty ledger is read too, because its database may have been restored.
  do {
    if (signal.aborted) return false
    const upTo = Math.min(all.upTo, after + RANGE)
    const sealing = await sealEntries(ctx, { after, upTo }, folder, queueProofs)
    const { busy, lost, entries, seals } = sealing
    done.lost = lost
    if (busy || lost) return false
    done.seals += seals.length
    done.entries += entries
    done.last = seals.at(-1) ?? done.last
    if (entries === 0) after = upTo
  } while (after < all.upTo)
  return true
}

const logSealed = (ctx: Context, { seals, entries, last }: Sealed): void => {
  if (!last) return
  const { id: lastSeal, campaignId, seq, head, globalHead } = last
  const facts = { seals, entries, lastSeal, campaignId, seq, head, globalHead }
  ctx.log.info(facts, 'ledger sealed')
}
