import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type Allowance, createAllowance, isWithin, useOne } from './allowance.ts'
import { createLeaseQueue } from './lease-queue.ts'
import type { Policy } from './policy.ts'
import { leasePortions, listPressed, type PortionReturned, returnPortions } from './portions.ts'

/** How often unused portions are looked for, and how long one rests before it counts as unused. */
const RETURN_EVERY_MS = 250
const IDLE_MS = 250
const STOP_MS = 1_000
const LONGEST_WINDOW_MS = 15 * 60_000
/** How many allowances a process remembers, about 500 bytes each. */
const CAPACITY = 50_000
const MAX_RETURNED = 1_000
const MAX_EVICTED = 5_000

export type Verdict = {
  policy: Policy
  allowed: boolean
  /** How many requests are left in this window, as far as this process knows. */
  remaining: number
  /** Until the window ends. */
  resetMs: number
}

export type RateLimiter = {
  /** Counts one. At once where a portion is held, else after one statement. Never rejects. */
  take(policy: Policy, id: string): Verdict | Promise<Verdict>
  /** What `take` would tell, without counting or asking. */
  look(policy: Policy, id: string): Verdict
  /** Returns what is not used to those who need it, four times a second. */
  start(): void
  /** Returns everything, in a second at most: a database that is gone holds nobody up. */
  stop(): Promise<void>
  /** How many allowances are remembered. */
  size(): number
}

export type RateLimiterDeps = Pick<Context, 'sql' | 'clock' | 'log'> & {
  /** Hides what is limited; at least 32 hexadecimal digits, the same in every process. */
  hash(id: string): string
  capacity?: number
}

/**
 * Counts requests against quotas in fixed windows, shared by all processes on one database and
 * never above a quota. A process leases portions of an allowance and counts those down in memory;
 * once half of it is taken it returns what rests unused, and once all is taken whatever it holds,
 * so that a caller who moves from one process to another gets the rest there within half a second.
 */
export const createRateLimiter = (deps: RateLimiterDeps): RateLimiter => {
  const capacity = deps.capacity ?? CAPACITY
  const leases = createLeaseQueue({
    lease: (asked) => leasePortions(deps, asked),
    clock: deps.clock,
    log: deps.log,
  })
  // In the order of their last use: a Map keeps the order of insertion.
  const byId = new Map<string, Allowance>()
  const byKey = new Map<string, Allowance>()
  const evicted: PortionReturned[] = []
  /** When the last window that we know of ends; a process that nobody asks asks nothing either. */
  let busyUntilMs = 0
  let timer: NodeJS.Timeout | undefined
  let returning: Promise<void> | undefined

  const forget = (allowance: Allowance, nowMs: number): void => {
    byId.delete(allowance.id)
    byKey.delete(allowance.key)
    if (allowance.held === 0 || nowMs >= allowance.endMs) return
    if (evicted.length < MAX_EVICTED) evicted.push(handBack(allowance))
  }

  const find = (policy: Policy, id: string, nowMs: number): Allowance => {
    const known = byId.get(id)
    if (known && isWithin(known, nowMs)) {
      byId.delete(id)
      byId.set(id, known)
      return known
    }
    const key = known?.key ?? deps.hash(id).slice(0, 32)
    const fresh = createAllowance(policy, id, key, nowMs)
    byId.delete(id)
    byId.set(id, fresh)
    byKey.set(key, fresh)
    busyUntilMs = Math.max(busyUntilMs, fresh.endMs)
    if (byId.size > capacity) {
      const [oldest] = byId.values()
      if (oldest) forget(oldest, nowMs)
    }
    return fresh
  }

  const returnUnused = async (): Promise<void> => {
    const nowMs = deps.clock.now().getTime()
    if (nowMs >= busyUntilMs || leases.isPaused()) return
    try {
      const pressed = await listPressed(deps, nowMs - LONGEST_WINDOW_MS, MAX_RETURNED)
      const returned = evicted.splice(0)
      for (const { key, windowStart, exhausted } of pressed) {
        const allowance = byKey.get(key)
        if (allowance?.windowStart !== windowStart || allowance.held === 0) continue
        // As long as others find some, a portion in use stays: it would only be leased again.
        if (!exhausted && nowMs - allowance.usedAtMs < IDLE_MS) continue
        returned.push(handBack(allowance))
      }
      if (returned.length > 0) await returnPortions(deps, distinct(returned))
    } catch (error) {
      // What could not be returned is missing until its window ends: too little, never too much.
      // The queue of leases has told of the database already.
      deps.log.debug({ reason: messageOf(error) }, 'unused allowances could not be returned')
    }
  }

  const returnEverything = async (): Promise<void> => {
    await returning
    if (leases.isPaused()) return
    const nowMs = deps.clock.now().getTime()
    const returned = [...byId.values()]
      .filter(({ held, endMs }) => held > 0 && nowMs < endMs)
      .map(handBack)
    try {
      while (returned.length > 0) await returnPortions(deps, returned.splice(0, MAX_RETURNED))
    } catch (error) {
      deps.log.warn({ reason: messageOf(error) }, 'unused allowances could not be returned')
    }
  }

  return {
    take(policy, id) {
      const nowMs = deps.clock.now().getTime()
      const allowance = find(policy, id, nowMs)
      if (useOne(allowance, nowMs)) return verdictOf(policy, allowance, true, nowMs)
      if (nowMs < allowance.refusedUntilMs) return verdictOf(policy, allowance, false, nowMs)
      const answer = leases.ask(allowance)
      if (typeof answer === 'boolean') return verdictOf(policy, allowance, answer, nowMs)
      return answer.then((allowed) =>
        verdictOf(policy, allowance, allowed, deps.clock.now().getTime()),
      )
    },
    look(policy, id) {
      const nowMs = deps.clock.now().getTime()
      const known = byId.get(id)
      if (known && isWithin(known, nowMs)) return verdictOf(policy, known, true, nowMs)
      const key = known?.key ?? deps.hash(id).slice(0, 32)
      return verdictOf(policy, createAllowance(policy, id, key, nowMs), true, nowMs)
    },
    start() {
      timer ??= setInterval(() => {
        returning ??= returnUnused().finally(() => {
          returning = undefined
        })
      }, RETURN_EVERY_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      await Promise.race([returnEverything(), delay(STOP_MS, undefined, { ref: false })])
    },
    size: () => byId.size,
  }
}

const handBack = (allowance: Allowance): PortionReturned => {
  const { key, windowStart, held } = allowance
  allowance.held = 0
  allowance.left += held
  return { key, windowStart, unused: held }
}

/** A key that was forgotten and came back may be returned twice: one row takes one change. */
const distinct = (returned: readonly PortionReturned[]): PortionReturned[] => {
  const sums = new Map<string, PortionReturned>()
  for (const one of returned) {
    const name = `${one.key} ${one.windowStart}`
    sums.set(name, { ...one, unused: one.unused + (sums.get(name)?.unused ?? 0) })
  }
  return [...sums.values()]
}

const verdictOf = (
  policy: Policy,
  allowance: Allowance,
  allowed: boolean,
  nowMs: number,
): Verdict => {
  const { held, left, quota, granted, told } = allowance
  const remaining = allowed ? Math.min(told, held + left, quota - granted) : 0
  allowance.told = remaining
  return { policy, allowed, remaining, resetMs: Math.max(0, allowance.endMs - nowMs) }
}
