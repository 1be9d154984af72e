import { messageOf } from '../kernel/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Log } from '../kernel/ports/log.ts'
import { ACCESS_TOKEN_TTL_S } from './access-tokens.ts'

/** A session that was ended before its access tokens expired. */
type RevokedSession = { readonly sessionId: string; readonly revokedAt: Date }

/**
 * Ended sessions, whose access tokens are refused although the tokens have not expired. This list
 * is kept in memory and updated every two seconds, so that a request costs no query.
 */
export type RevokedSessions = {
  has(sessionId: string): boolean
  /** Adds sessions that this process has just ended. */
  add(sessionIds: readonly string[]): void
  /** Reads the new revocations. If the read fails, the known revocations stay. */
  refresh(): Promise<void>
  /** Starts to call `refresh` every two seconds. The returned function stops these calls. */
  start(): () => void
}

type RevokedSessionOptions = {
  clock: Clock
  log: Log
  /** Returns the sessions revoked since a time, oldest first. */
  load: (since: Date) => Promise<readonly RevokedSession[]>
  /** Called after `add`, because a change that ends sessions may also end or change API keys. */
  onAdd?: () => void
}

const EVERY_MS = 2_000
/** Each read starts this long before the last read, because clocks differ and commits take time. */
const OVERLAP_MS = 60_000
/** A revocation is kept until all tokens of its session have expired, and a minute longer. */
const KEEP_MS = ACCESS_TOKEN_TTL_S * 1_000 + OVERLAP_MS

export const createRevokedSessions = (options: RevokedSessionOptions): RevokedSessions => {
  const { clock, log, load } = options
  const revoked = new Map<string, number>()
  let readUpToMs: number | undefined
  let reading: Promise<void> | undefined

  const read = async (): Promise<void> => {
    const nowMs = clock.now().getTime()
    const keptFromMs = nowMs - KEEP_MS
    // If the clock was set back, `readUpToMs` is in the future. Then all kept revocations are read.
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
      options.onAdd?.()
    },
    refresh,
    start() {
      const timer = setInterval(() => void refresh(), EVERY_MS)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}
