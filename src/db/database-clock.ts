import { uptime } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../kernel/errors.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Log } from '../kernel/ports/log.ts'
import type { Metrics } from '../kernel/ports/metrics.ts'
import type { Queryable } from './pool.ts'

type ClockOptions = {
  sql: Queryable
  log: Log
  metrics: Metrics
  /** Ends the corrections. */
  signal: AbortSignal
  /** True if the database stops with this process, so that its clock was not watched until now. */
  wasStopped?: boolean
  lookEveryMs?: number
}

const MAX_OFFSET_MS = 30_000
const MAX_JUMP_S = 3_600
const AWAY =
  'the clock of this process is more than 30 s away from the clock of the database: the process removes, expires and disables nothing until both clocks agree'
const JUMPED =
  'the clock of the database has jumped, or no process has seen it for an hour: nothing is removed, expired or disabled until `npm run admin -- confirm-clock`'

/**
 * Opens a clock with the database's time: the process's monotonic time, corrected every five
 * seconds. It is not trusted while the process's clock is more than 30 s away from the database's
 * clock, or while the database's clock is more than an hour away from its newest trusted time.
 *
 * @throws StartError if the process's clock is more than 30 s away from the database's clock
 */
export const openDatabaseClock = async (options: ClockOptions): Promise<Clock> => {
  const { sql, log, metrics, signal, wasStopped = false, lookEveryMs = 5_000 } = options
  /** The database's time minus `performance.now()`. */
  let originMs = Number.NaN
  let trusted: { at: Date; uptimeS: number } | undefined
  let isTrusted = false
  let reported: string | undefined
  const now = () => new Date(originMs + performance.now())
  const offsetS = () => Math.round((Date.now() - now().getTime()) / 100) / 10
  const isAway = () => Math.abs(offsetS()) * 1_000 > MAX_OFFSET_MS

  const look = async (wasStopped: boolean): Promise<void> => {
    // Unlike `performance.now()`, `uptime()` counts the time in which the machine was suspended.
    const expected =
      trusted && new Date(trusted.at.getTime() + (uptime() - trusted.uptimeS) * 1_000)
    const before = performance.now()
    const { at, ...read } = await readClock(sql, expected ?? null, wasStopped)
    const [least, most] = [at.getTime() - performance.now(), at.getTime() + 1 - before]
    // The smallest correction that fits, because the moment of the reading is not known exactly.
    const middle = Number.isNaN(originMs) ? (least + most) / 2 : originMs
    originMs = Math.min(Math.max(middle, least), most)
    isTrusted = read.isTrusted
    if (isTrusted) trusted = { at, uptimeS: uptime() }
  }

  const report = (): void => {
    metrics.gauge('fundproof_clock_offset_seconds', {}, offsetS())
    metrics.gauge('fundproof_database_clock_jumped', {}, isTrusted ? 0 : 1)
    const problem = isAway() ? AWAY : isTrusted ? undefined : JUMPED
    if (problem === reported) return
    const facts = { databaseTime: now(), offsetSeconds: offsetS() }
    if (problem) log.error(facts, problem)
    else log.info(facts, 'the clocks are right again')
    reported = problem
  }

  const watch = async (): Promise<void> => {
    for (;;) {
      await delay(lookEveryMs, undefined, { signal, ref: false })
      // Without an answer, the monotonic time goes on. A failed report must not end the loop.
      await look(false)
        .catch(() => {})
        .then(report)
        .catch(() => {})
    }
  }

  await look(wasStopped)
  if (isAway()) {
    const seconds = Math.round(offsetS())
    const away = seconds > 0 ? `${seconds} s ahead of` : `${-seconds} s behind`
    throw new StartError(
      `The clock of this machine is ${away} the clock of the database. At most 30 s are allowed: set both clocks by NTP.`,
    )
  }
  report()
  watch().catch(() => {})
  return { now, isTrusted: () => isTrusted && !isAway() }
}

/** Trusts the database's time from now on, although its clock has jumped. Returns this time. */
export const confirmDatabaseClock = async (sql: Queryable): Promise<Date | undefined> => {
  const [row] = await sql<{ at: Date }[]>`
    update database_clock set trusted_at = clock_timestamp() returning trusted_at as at`
  return row?.at
}

/**
 * Reads the database's clock. Trusts and stores its time if the time is at most an hour away from
 * the stored time or from `expected`. With `wasStopped`, each later time is trusted too.
 */
const readClock = async (sql: Queryable, expected: Date | null, wasStopped: boolean) => {
  const [row] = await sql<{ at: Date; isTrusted: boolean }[]>`
    with trusted as (
      insert into database_clock as stored (id, trusted_at) values (1, clock_timestamp())
      on conflict (id) do update set trusted_at = excluded.trusted_at
      where abs(extract(epoch from excluded.trusted_at - stored.trusted_at)) <= ${MAX_JUMP_S}
         or abs(extract(epoch from excluded.trusted_at - ${expected}::timestamptz)) <= ${MAX_JUMP_S}
         or (${wasStopped}::boolean and excluded.trusted_at > stored.trusted_at)
      returning id)
    select date_trunc('milliseconds', clock_timestamp()) as at,
           exists (select from trusted) as is_trusted`
  if (!row) throw new Error('The database gave no time.')
  return row
}
