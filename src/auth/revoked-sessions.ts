import { messageOf } from '../kernel/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Log } from '../kernel/ports/log.ts'
import { ACCESS_TOKEN_TTL_S } from './access-tokens.ts'

/** A session that was ended before its tokens were. */
type RevokedSession = { readonly sessionId: string; readonly revokedAt: Date }

/**
 * The sessions whose access tokens are refused although they have not expired: a set in memory,
 * read again every two seconds, so that a request costs no query.
 */
export type RevokedSessions = {
  has(sessionId: string): boolean
  /** Sessions that this process has just ended itself. */
  add(sessionIds: readonly string[]): void
  /** Reads what has been revoked since the last time. Keeps what it knows where it cannot. */
  refresh(): Promise<void>
  /** Refreshes from now on; the returned function ends that. */
  start(): () => void
}

type RevokedSessionOptions = {
  clock: Clock
  log: Log
  /** Sessions revoked since a moment, oldest first. */
  load: (since: Date) => Promise<readonly RevokedSession[]>
}

const EVERY_MS = 2_000
/**
 * A revocation is dated before it commits, and clocks differ: look back further than the last read.
 */
const OVERLAP_MS = 60_000
/** Longer than any token of a revoked session can last. */
const KEEP_MS = ACCESS_TOKEN_TTL_S * 1_000 + OVERLAP_MS

export const createRevokedSessions = (options: RevokedSessionOptions): RevokedSessions => {
  const { clock, log, load } = options
  const revoked = new Map<string, number>()
  let readUpToMs: number | undefined
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    const nowMs = clock.now().getTime()
    const keptFromMs = nowMs - KEEP_MS
    // Nothing is known of the time before a last look that lies ahead: the clock was set back.
    const knownUpToMs = readUpToMs !== undefined && readUpToMs <= nowMs ? readUpToMs : 0
    const sinceMs = Math.max(keptFromMs, knownUpToMs - OVERLAP_MS)
    try {
      for (const { sessionId, revokedAt } of await load(new Date(sinceMs))) {
        revoked.set(sessionId, revokedAt.getTime())
      }
      readUpToMs = nowMs
    } catch (error) {
      log.warn({ reason: messageOf(error) }, 'revoked sessions could not be read')
    }
    for (const [sessionId, revokedAtMs] of revoked) {
      if (revokedAtMs < keptFromMs) revoked.delete(sessionId)
    }
  }

  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    has: (sessionId) => revoked.has(sessionId),
    add(sessionIds) {
      for (const sessionId of sessionIds) revoked.set(sessionId, clock.now().getTime())
    },
    refresh,
    start() {
      const timer = setInterval(() => void refresh(), EVERY_MS)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}
