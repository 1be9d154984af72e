import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { run as admin } from '../../../src/commands/admin.ts'
import { createDatabase } from '../../../src/db/client.ts'
import { openDatabaseClock } from '../../../src/db/database-clock.ts'
import { runCommand } from '../../support/command.ts'
import { databaseTime } from '../../support/database-time.ts'
import { halfEnvironment } from '../../support/halves.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { shiftDatabaseClock } from '../../support/shifted-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Moves the wall clock of this process, but not its monotonic clock. */
const setProcessAhead = (ms: number): void => {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

const setUp = async () => {
  const world = await createWorld()
  const shifted = await shiftDatabaseClock(world.url)
  const sql = createDatabase({ url: world.url, max: 2 })
  const ended = new AbortController()
  onTestFinished(async () => {
    ended.abort()
    await Promise.all([sql.end({ timeout: 1 }), shifted.end()])
  })
  const metrics = createTestMetrics()
  const lines: string[] = []
  const log = {
    ...world.ctx.log,
    error: (_facts: object, line: string) => lines.push(line),
    info: (_facts: object, line: string) => lines.push(line),
  } as unknown as typeof world.ctx.log
  const options = { sql, log, metrics, signal: ended.signal, lookEveryMs: 5 }
  return {
    url: world.url,
    sql,
    shifted,
    metrics,
    lines,
    gauge: (name: string) => metrics.value(name, {}),
    open: (wasStopped = false) => openDatabaseClock({ ...options, wasStopped }),
    /** Sets the stored time, as if no process had run since then. */
    store: (ms: number) =>
      sql`
        insert into database_clock (id, trusted_at)
        values (1, clock_timestamp() + make_interval(secs => ${ms / 1_000}))
        on conflict (id) do update set trusted_at = excluded.trusted_at`,
  }
}

test('a clock that is 20 s ahead changes nothing, because the time comes from the database', async () => {
  const { open, sql, gauge, lines } = await setUp()
  setProcessAhead(20_000)
  const clock = await open()
  expect(Math.abs(clock.now().getTime() - (await databaseTime({ sql })))).toBeLessThan(10_000)
  expect(clock.isTrusted()).toBe(true)
  expect(gauge('fundproof_clock_offset_seconds')).toBeCloseTo(20, 0)
  expect(gauge('fundproof_database_clock_jumped')).toBe(0)
  expect(lines).toEqual([])
})

test.each([
  [40_000, '40 s ahead of'],
  [-40_000, '40 s behind'],
  [100 * DAY_MS, '8640000 s ahead of'],
])('a process that is %i ms ahead of the database refuses to start', async (ms, words) => {
  const { open } = await setUp()
  setProcessAhead(ms)
  await expect(open()).rejects.toThrow(`The clock of this machine is ${words} the clock of the`)
})

test('a process that drifts later keeps the time of the database, but is not trusted until it is right', async () => {
  const { open, sql, gauge, lines } = await setUp()
  const clock = await open()
  setProcessAhead(100 * DAY_MS)
  expect(clock.isTrusted()).toBe(false)
  expect(Math.abs(clock.now().getTime() - (await databaseTime({ sql })))).toBeLessThan(MINUTE_MS)
  await waitFor(
    'the line',
    () => lines,
    (all) => all.length === 1,
  )
  expect(lines[0]).toMatch(/^the clock of this process is more than 30 s away/)
  expect(gauge('fundproof_clock_offset_seconds')).toBeCloseTo(8_640_000, -1)
  vi.useRealTimers()
  expect(clock.isTrusted()).toBe(true)
  await waitFor(
    'the second line',
    () => lines,
    (all) => all.length === 2,
  )
  expect(lines[1]).toBe('the clocks are right again')
})

describe.each([100 * DAY_MS, -2 * HOUR_MS])('a database whose clock jumps by %i ms', (ms) => {
  test('is not trusted, by no process and after no restart, until an operator confirms it', async () => {
    const { open, shifted, lines, gauge, url } = await setUp()
    const clock = await open()
    setProcessAhead(ms)
    await shifted.setAhead(ms)
    await waitFor('the jump to be seen', () => gauge('fundproof_database_clock_jumped'), Boolean)
    expect(clock.isTrusted()).toBe(false)
    expect(lines.at(-1)).toMatch(/^the clock of the database has jumped.*admin -- confirm-clock/)
    const restarted = await open()
    expect(restarted.isTrusted()).toBe(false)
    const env = halfEnvironment({ databaseUrl: url, rpcUrl: 'http://127.0.0.1:9' })
    const { out } = await runCommand(admin, ['confirm-clock'], env)
    expect(out).toMatch(/^The clock of the database is right: 20.*Z\./)
    await waitFor('both to trust', () => clock.isTrusted() && restarted.isTrusted(), Boolean)
    expect(gauge('fundproof_database_clock_jumped')).toBe(0)
  })
})

test('a database whose clock jumps and comes back is trusted again', async () => {
  const { open, shifted, gauge } = await setUp()
  const clock = await open()
  await shifted.setAhead(2 * HOUR_MS)
  await waitFor('the jump to be seen', () => gauge('fundproof_database_clock_jumped'), Boolean)
  await shifted.setAhead(0)
  await waitFor('it to be trusted', () => clock.isTrusted(), Boolean)
})

test('a database whose clock jumps for so long that its stored time is old is trusted when it comes back', async () => {
  const { open, shifted, store, gauge } = await setUp()
  const clock = await open()
  await shifted.setAhead(4 * HOUR_MS)
  await waitFor('the jump to be seen', () => gauge('fundproof_database_clock_jumped'), Boolean)
  await store(-6 * HOUR_MS)
  await shifted.setAhead(0)
  await waitFor('it to be trusted', () => clock.isTrusted(), Boolean)
})

test('a report that fails once does not end the corrections', async () => {
  const { open, metrics, shifted, gauge } = await setUp()
  const clock = await open()
  const { promise: failed, resolve } = Promise.withResolvers<void>()
  const write = metrics.gauge
  metrics.gauge = () => {
    resolve()
    throw new Error('no metrics')
  }
  await failed
  metrics.gauge = write
  await shifted.setAhead(2 * HOUR_MS)
  await waitFor('the jump to be seen', () => gauge('fundproof_database_clock_jumped'), Boolean)
  expect(clock.isTrusted()).toBe(false)
})

test('a jump of half an hour changes nothing for a process that jumps with it', async () => {
  const { open, shifted, sql, lines } = await setUp()
  const clock = await open()
  const jumpedAt = Date.now() + 30 * MINUTE_MS
  setProcessAhead(30 * MINUTE_MS)
  await shifted.setAhead(30 * MINUTE_MS)
  await waitFor('the time', () => clock.now().getTime() >= jumpedAt - MINUTE_MS, Boolean)
  expect(clock.isTrusted()).toBe(true)
  expect(lines.filter((line) => line.includes('has jumped'))).toEqual([])
  expect(Math.abs(clock.now().getTime() - (await databaseTime({ sql })))).toBeLessThan(MINUTE_MS)
})

test.each([
  ['in the future', 2 * HOUR_MS],
  ['100 days old', -100 * DAY_MS],
])(
  'a process that starts when the stored time is %s does not trust the database',
  async (_, ms) => {
    const { open, store } = await setUp()
    await store(ms)
    expect((await open()).isTrusted()).toBe(false)
  },
)

test('a process that has run all the time trusts a database that was away for two hours', async () => {
  const { open, store, sql } = await setUp()
  const clock = await open()
  await store(-2 * HOUR_MS)
  await waitFor(
    'the time to be stored',
    () => sql<{ ageS: number }[]>`
      select extract(epoch from clock_timestamp() - trusted_at)::float8 as age_s from database_clock`,
    ([row]) => row !== undefined && row.ageS < 3_600,
  )
  expect(clock.isTrusted()).toBe(true)
})

test.each([
  ['was stopped for a night is trusted', -10 * HOUR_MS, true],
  ['is set back is not trusted', 2 * HOUR_MS, false],
])('an embedded database that %s', async (_, ms, isTrusted) => {
  const { open, store } = await setUp()
  await store(ms)
  expect((await open(true)).isTrusted()).toBe(isTrusted)
})
