import type { Context } from '../../src/domain/context.ts'
import { queueProofs } from '../../src/domain/proof/index.ts'
import {
  type EntryRange,
  type NewSeal,
  rangeToSeal,
  sealEntries,
} from '../../src/domain/seal/index.ts'
import { hasPassed } from '../../src/kernel/clock.ts'
import { createLoop, type Job } from '../loop.ts'

/** Ids that one statement looks through. */
const RANGE = 100_000
/** How far behind the newest sealed entry an ordinary pass looks for one that was committed late. */
const LOOK_BACK = 10_000
/** How often a pass looks through all ids there are. */
const FULL_EVERY_MS = 3_600_000

/**
 * Puts new entries of the ledger under signed heads. The newest head of all is a line of the log after
 * each pass, so that whoever keeps the log can tell whether the newest entries were cut off.
 */
export const createSealLedgerJob = (ctx: Context, sweepMs = 2_000): Job => {
  let fullAt: number | null = null

  const pass = async (signal: AbortSignal): Promise<void> => {
    const now = ctx.clock.now().getTime()
    const isFull = fullAt === null || hasPassed(now, fullAt, FULL_EVERY_MS)
    const range = await rangeToSeal(ctx, LOOK_BACK)
    const all = { after: isFull ? 0 : range.after, upTo: range.upTo }
    const done: Sealed = { seals: 0, entries: 0, last: undefined }
    try {
      if ((await sealRange(ctx, all, signal, done)) && isFull) fullAt = now
    } finally {
      // What a pass has sealed before it failed is sealed.
      logSealed(ctx, done)
    }
  }

  const loop = createLoop({ name: 'seal-ledger', run: pass, sweepMs, log: ctx.log })
  return {
    name: 'seal-ledger',
    run: () => pass(new AbortController().signal),
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}

/** What a pass has sealed so far. */
type Sealed = { seals: number; entries: number; last: NewSeal | undefined }

/** Whether all of the range is sealed now, and not another process at it. */
const sealRange = async (
  ctx: Context,
  all: EntryRange,
  signal: AbortSignal,
  done: Sealed,
): Promise<boolean> => {
  for (let after = all.after; after < all.upTo; ) {
    if (signal.aborted) return false
    const upTo = Math.min(all.upTo, after + RANGE)
    const { busy, entries, seals } = await sealEntries(ctx, { after, upTo }, queueProofs)
    if (busy) return false
    done.seals += seals.length
    done.entries += entries
    done.last = seals.at(-1) ?? done.last
    if (entries === 0) after = upTo
  }
  return true
}

const logSealed = (ctx: Context, { seals, entries, last }: Sealed): void => {
  if (!last) return
  const { id: lastSeal, campaignId, seq, head, globalHead } = last
  const facts = { seals, entries, lastSeal, campaignId, seq, head, globalHead }
  ctx.log.info(facts, 'ledger sealed')
}
