import type { Clock } from '../../kernel/clock.ts'
import { messageOf } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { type Allowance, useLocally, useOne } from './allowance.ts'
import type { PortionAsked, PortionLeased } from './portions.ts'

/** Longer than a database takes that is well; a request does not wait longer for its permission. */
const LEASE_TIMEOUT_MS = 1_000
/** How long the database is left alone after it failed. */
const PAUSE_MS = 1_000
/** How often an allowance that is used up is looked at again: others may return what they hold. */
const RECHECK_MS = 200
const MAX_KEYS = 500
const MAX_QUEUE = 10_000

export type LeaseQueue = {
  /** Whether the caller may go on: one of a portion that is leased for it. Never rejects. */
  ask(allowance: Allowance): boolean | Promise<boolean>
  /** Whether the database is left alone for now. */
  isPaused(): boolean
}

type Flight = { allowance: Allowance; waiters: ((allowed: boolean) => void)[] }

/**
 * Leases portions for many allowances in one statement, one statement at a time: while one runs the
 * next gathers. Without the database each process counts for itself; whatever else the request
 * needs of the database refuses it better than we could.
 */
export const createLeaseQueue = (deps: {
  lease(asked: readonly PortionAsked[]): Promise<PortionLeased[]>
  clock: Clock
  log: Log
}): LeaseQueue => {
  const queue: Allowance[] = []
  let running = false
  let hangs = false
  let failed = false
  let pausedUntilMs = 0
  const now = () => deps.clock.now().getTime()
  const isPaused = () => hangs || performance.now() < pausedUntilMs

  const answerLocally = ({ allowance, waiters }: Flight): void => {
    for (const answer of waiters.splice(0)) answer(useLocally(allowance, now()))
  }

  const pause = (reason: string): void => {
    pausedUntilMs = performance.now() + PAUSE_MS
    if (!failed) deps.log.warn({ reason }, 'rate limits are counted by each process alone')
    failed = true
  }

  const settle = (flights: readonly Flight[], leased: readonly PortionLeased[]): void => {
    const byKey = new Map(leased.map((row) => [`${row.key} ${row.windowStart}`, row]))
    const nowMs = now()
    for (const flight of flights) {
      const { allowance, waiters } = flight
      const row = byKey.get(`${allowance.key} ${allowance.windowStart}`)
      allowance.held += row?.portion ?? 0
      allowance.left = row?.left ?? 0
      for (const answer of waiters.splice(0)) {
        const allowed = useOne(allowance, nowMs)
        if (!allowed) allowance.refusedUntilMs = nowMs + RECHECK_MS
        answer(allowed)
      }
    }
  }

  const fly = async (flights: readonly Flight[]): Promise<void> => {
    const timeout = setTimeout(() => {
      hangs = true
      pause('the database does not answer')
      for (const flight of flights) answerLocally(flight)
      for (const allowance of queue.splice(0)) answerLocally(flightOf(allowance))
    }, LEASE_TIMEOUT_MS)
    try {
      const leased = await deps.lease(
        flights.map(({ allowance: { key, windowStart, quota }, waiters }) => ({
          key,
          windowStart,
          quota,
          wanted: waiters.length,
        })),
      )
      if (failed && !hangs) deps.log.info({}, 'rate limits are shared again')
      failed = hangs
      settle(flights, leased)
    } catch (error) {
      pause(messageOf(error))
      for (const flight of flights) answerLocally(flight)
    } finally {
      clearTimeout(timeout)
      hangs = false
    }
  }

  const drain = async (): Promise<void> => {
    running = true
    while (queue.length > 0) await fly(queue.splice(0, MAX_KEYS).map(flightOf))
    running = false
  }

  return {
    isPaused,
    ask(allowance) {
      if (isPaused() || queue.length >= MAX_QUEUE) return useLocally(allowance, now())
      // More than can be granted: no use in waiting.
      if (allowance.waiting.length >= allowance.quota) return false
      return new Promise<boolean>((resolve) => {
        if (allowance.waiting.push(resolve) === 1) queue.push(allowance)
        if (!running) void drain()
      })
    },
  }
}

const flightOf = (allowance: Allowance): Flight => ({
  allowance,
  waiters: allowance.waiting.splice(0),
})
