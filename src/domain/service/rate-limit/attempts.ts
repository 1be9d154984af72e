import type { RateLimit } from '../../../db/schema/access.ts'
import type { RateLimiterDeps, Verdict } from './limiter.ts'
import type { Policy } from './policy.ts'

/**
 * A limit for attempts. `id` names the account or the network whose attempts are counted. A limit
 * that is `hidden` refuses no attempt.
 */
export type AttemptLimit = { policy: Policy; id: string; hidden?: boolean }

export type Attempts = ReturnType<typeof createAttempts>

type Row = Pick<RateLimit, 'key' | 'windowStart'>

const MONTH_MS = 30 * 24 * 60 * 60_000

/**
 * Counts attempts in the database, so that all processes share exact counts. The extra statements
 * take little time compared with hashing the password of an attempt.
 */
export const createAttempts = ({
  sql,
  clock,
  hash,
}: Pick<RateLimiterDeps, 'sql' | 'clock' | 'hash'>) => {
  const takeOne = async ({ policy, id }: AttemptLimit) => {
    const key = hash(id).slice(0, 32)
    const nowMs = clock.now().getTime()
    // The windows of all limits begin together, so a hidden limit never outlasts a shown limit.
    const windowStart = Math.floor(nowMs / policy.windowMs) * policy.windowMs
    const [row] = await sql<{ taken: number }[]>`
      insert into rate_limit as held (key, window_start, taken)
      values (${key}, ${windowStart}, 1)
      on conflict (key, window_start) do update set taken = held.taken + 1
      where held.taken < ${policy.quota}
      returning taken`
    const verdict = {
      policy,
      allowed: row !== undefined,
      remaining: row ? Math.max(0, policy.quota - row.taken) : 0,
      resetMs: windowStart + policy.windowMs - nowMs,
    }
    return { key, windowStart, verdict }
  }

  const giveBack = async (rows: readonly Row[]): Promise<void> => {
    // Gives back the last limit first. Otherwise attempts at the same time could use up only the
    // hidden limit.
    for (const { key, windowStart } of rows.toReversed()) {
      await sql`
        update rate_limit set taken = greatest(0, taken - 1)
        where key = ${key} and window_start = ${windowStart}`
    }
  }

  return {
    /**
     * Remembers for 2 to 3 months that an attempt succeeded, as a row with count 0. The window of
     * this row starts in the future, so that the row is not pruned earlier.
     */
    async remember(id: string): Promise<void> {
      const untilMs = (Math.floor(clock.now().getTime() / MONTH_MS) + 3) * MONTH_MS
      await sql`
        insert into rate_limit (key, window_start, taken)
        values (${hash(id).slice(0, 32)}, ${untilMs}, 0)
        on conflict (key, window_start) do nothing`
    },
    async isRemembered(id: string): Promise<boolean> {
      const rows = await sql`
        select from rate_limit
        where key = ${hash(id).slice(0, 32)} and window_start > ${clock.now().getTime()} limit 1`
      return rows.length > 0
    },
    /**
     * Counts an attempt against all limits before the attempt runs. If a limit is used up, counts
     * nothing and returns this limit's verdict. Otherwise returns the verdict of the limit with the
     * fewest attempts left. `isSpent`: a hidden limit is used up. `giveBack` undoes the count.
     */
    async take(limits: readonly AttemptLimit[]) {
      const taken: (Row & { verdict: Verdict; hidden: boolean })[] = []
      let isSpent = false
      for (const { hidden = false, ...limit } of limits) {
        const one = await takeOne(limit)
        if (one.verdict.allowed) taken.push({ ...one, hidden })
        else if (hidden) isSpent = true
        else {
          await giveBack(taken)
          return { verdict: one.verdict, isSpent, giveBack: async () => {} }
        }
      }
      const [closest] = taken
        .filter(({ hidden }) => !hidden)
        .sort((a, b) => a.verdict.remaining - b.verdict.remaining)
      if (!closest) throw new RangeError('An attempt counts for at least one limit.')
      return { verdict: closest.verdict, isSpent, giveBack: () => giveBack(taken) }
    },
  }
}
