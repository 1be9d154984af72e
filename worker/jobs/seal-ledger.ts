import type { Context } from '../../src/domain/context.ts'
import { queueProofs } from '../../src/domain/proof/index.ts'
import {
  type EntryRange,
  type NewSeal,
  rangeToSeal,
  sealEntries,
} from '../../src/domain/seal/index.ts'
import { hasPassed } from '../../src/kernel/ports/clock.ts'
import { createLoop, type Job } from '../loop.ts'

/** The number of ledger entry ids that one statement searches. */
const RANGE = 100_000
/** The pause between two passes that search all ids, not only new ids. */
const FULL_EVERY_MS = 3_600_000

/**
 * Seals new ledger entries. Each pass logs the newest head (a hash), so that an operator can detect
 * if the newest entries were removed from the database.
 */
export const createSealLedgerJob = (ctx: Context): Job => {
  let fullAt: number | null = null

  const pass = async (signal: AbortSignal): Promise<void> => {
    const now = ctx.clock.now().getTime()
    const isFull = fullAt === null || hasPassed(now, fullAt, FULL_EVERY_MS)
    const range = await rangeToSeal(ctx)
    const all = { after: isFull ? 0 : range.after, upTo: range.upTo }
    const done: Sealed = { seals: 0, entries: 0, last: undefined }
    try {
      if ((await sealRange(ctx, all, signal, done)) && isFull) fullAt = now
    } finally {
      // Also logs after a failure, because the seals before the failure are valid.
      logSealed(ctx, done)
    }
  }

  return createLoop({ name: 'seal-ledger', run: pass, sweepMs: 2_000, log: ctx.log })
}

/** Counts the seals and entries of a pass, and keeps the last seal. */
type Sealed = { seals: number; entries: number; last: NewSeal | undefined }

/** Returns whether the whole range is sealed. False also if another process is sealing. */
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
