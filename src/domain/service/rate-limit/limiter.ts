import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../db/context.ts'
import { messageOf } from '../../../kernel/errors.ts'
import { type Policy, windowStartMs } from './policy.ts'
import { addCounts } from './window-counts.ts'

const SHARE_EVERY_MS = 250
const STOP_MS = 1_000
/** The maximum number of callers in memory. Each caller takes about 300 bytes. */
const CAPACITY = 50_000

export type Verdict = {
  policy: Policy
  allowed: boolean
  /** The number of requests left in this window, as far as this process knows. */
  remaining: number
  /** The time until the window ends, in milliseconds. */
  resetMs: number
}

export type RateLimiter = ReturnType<typeof createRateLimiter>

export type RateLimiterDeps = Pick<Context, 'sql' | 'clock' | 'log'> & {
  /** Hashes a caller's id to 32 or more hexadecimal digits. All processes get the same hash. */
  hash(id: string): string
  capacity?: number
}

/** The requests of one caller in one window. */
type Count = {
  readonly id: string
  /** The hash of `id`. The database has only this hash and never the id. */
  readonly key: string
  readonly windowStart: number
  readonly endMs: number
  /** The number of requests in all processes, as far as this process knows. */
  used: number
  /** The number of requests that this process has not yet added to the database. */
  unshared: number
}

/**
 * Counts requests against quotas in fixed windows. Each process counts in memory and shares its
 * counts four times a second. One process never allows more than the quota. Several processes
 * together can exceed the quota only if:
 * - one caller sends requests to several processes within 250 ms, or
 * - the database is unavailable, because each process then counts only its own requests.
 */
export const createRateLimiter = (deps: RateLimiterDeps) => {
  const capacity = deps.capacity ?? CAPACITY
  // Ordered by last use, because `remember` deletes the used entry and inserts it at the end.
  const byId = new Map<string, Count>()
  const unshared = new Set<Count>()
  let failing = false
  let timer: NodeJS.Timeout | undefined
  let sharing: Promise<void> | undefined

  const find = ({ windowMs }: Policy, id: string, nowMs: number): Count => {
    const known = byId.get(id)
    // If the clock was set back, a known window can lie in the future.
    if (known && known.windowStart <= nowMs && nowMs < known.endMs) return known
    const key = known?.key ?? deps.hash(id).slice(0, 32)
    const windowStart = windowStartMs(key, windowMs, nowMs)
    return { id, key, windowStart, endMs: windowStart + windowMs, used: 0, unshared: 0 }
  }

  const remember = (count: Count): void => {
    byId.delete(count.id)
    byId.set(count.id, count)
    if (byId.size <= capacity) return
    const [oldest] = byId.values()
    if (!oldest) return
    byId.delete(oldest.id)
    unshared.delete(oldest)
  }

  const share = async (): Promise<void> => {
    const batch = [...unshared].map((count) => ({ ...count, count, taken: count.unshared }))
    for (const { count } of batch) count.unshared = 0
    unshared.clear()
    try {
      const shared = batch.length > 0 ? await addCounts(deps, batch) : []
      const byName = new Map(shared.map((row) => [nameOf(row), row.taken]))
      for (const { count } of batch) {
        count.used = Math.max(count.used, (byName.get(nameOf(count)) ?? 0) + count.unshared)
      }
      if (failing) deps.log.info({}, 'rate limits are shared again')
      failing = false
    } catch (error) {
      for (const { count, taken } of batch) {
        count.unshared += taken
        if (byId.get(count.id) === count) unshared.add(count)
      }
      if (!failing) {
        deps.log.warn({ reason: messageOf(error) }, 'each process counts rate limits alone')
      }
      failing = true
    }
  }

  const shareOnce = (): Promise<void> => {
    sharing ??= share().finally(() => {
      sharing = undefined
    })
    return sharing
  }

  return {
    take(policy: Policy, id: string): Verdict {
      const nowMs = deps.clock.now().getTime()
      const count = find(policy, id, nowMs)
      remember(count)
      const allowed = count.used < policy.quota
      if (allowed) {
        count.used++
        count.unshared++
        unshared.add(count)
      }
      return verdictOf(policy, count, allowed, nowMs)
    },
    /** Returns how many requests the caller has left, without counting a request. */
    look(policy: Policy, id: string): Verdict {
      const nowMs = deps.clock.now().getTime()
      return verdictOf(policy, find(policy, id, nowMs), true, nowMs)
    },
    /** Starts to add this process's counts to the database four times a second. */
    start(): void {
      timer ??= setInterval(() => void shareOnce(), SHARE_EVERY_MS).unref()
    },
    /** Stops the timer, and adds the last counts to the database within at most one second. */
    async stop(): Promise<void> {
      clearInterval(timer)
      const done = shareOnce().then(shareOnce)
      await Promise.race([done, delay(STOP_MS, undefined, { ref: false })])
    },
    size: (): number => byId.size,
  }
}

const nameOf = ({ key, windowStart }: { key: string; windowStart: number }): string =>
  `${key} ${windowStart}`

const verdictOf = (policy: Policy, count: Count, allowed: boolean, nowMs: number): Verdict => ({
  policy,
  allowed,
  remaining: Math.max(0, policy.quota - count.used),
  resetMs: count.endMs - nowMs,
})
