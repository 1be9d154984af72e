import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import {
  createRateLimiter,
  type Policy,
  pruneRateLimits,
  type RateLimiter,
  type RateLimiterDeps,
} from '../../../src/domain/rate-limit/index.ts'
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'

const POLICY: Policy = { name: 'default', quota: 600, windowMs: 60_000 }
const RECHECK_MS = 500

const hash = (id: string): string => createHash('sha256').update(id).digest('hex')

/** Counts the statements that go through a pool. */
const counting = (sql: Context['sql']) => {
  let statements = 0
  const counted = new Proxy(sql, {
    apply(target, self, args) {
      statements++
      return Reflect.apply(target, self, args)
    },
  })
  return { sql: counted, statements: () => statements }
}

const createLimiters = async (count: number, changes: Partial<RateLimiterDeps> = {}) => {
  const clock = createFakeClock(new Date('2026-11-20T12:00:00Z'))
  const { ctx } = await createWorld({ clock })
  const counted = counting(ctx.sql)
  const limiters = Array.from({ length: count }, () =>
    createRateLimiter({ sql: counted.sql, clock, log: ctx.log, hash, ...changes }),
  )
  return { ctx, clock, limiters, statements: counted.statements }
}

const hammer = async (limiter: RateLimiter, times: number, id = 'user:1', policy = POLICY) => {
  const verdicts = await Promise.all(Array.from({ length: times }, () => limiter.take(policy, id)))
  return verdicts.filter(({ allowed }) => allowed).length
}

const held = async (ctx: Context, id = 'user:1') => {
  const [row] = await ctx.sql<{ taken: number }[]>`
    select taken from rate_limit where key = ${hash(id).slice(0, 32)} order by window_start desc`
  return row?.taken
}

const pass = (clock: FakeClock) => clock.advance(RECHECK_MS)

test('allows exactly the quota to one process', async () => {
  const { limiters, statements } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  expect(await hammer(limiter, 1_000)).toBe(600)
  let allowed = 0
  for (let i = 0; i < 1_000; i++) {
    if ((await limiter.take(POLICY, 'user:2')).allowed) allowed++
  }
  expect(allowed).toBe(600)
  expect(statements()).toBeLessThan(80)
})

test('allows the quota to a caller who alternates between processes, and never more', async () => {
  const { limiters, clock } = await createLimiters(2)
  const [one, two] = limiters as [RateLimiter, RateLimiter]
  let allowed = 0
  for (let i = 0; i < 800; i++) {
    if ((await (i % 2 === 0 ? one : two).take(POLICY, 'user:1')).allowed) allowed++
  }
  expect(allowed).toBeGreaterThanOrEqual(594)
  pass(clock)
  allowed += (await hammer(one, 50)) + (await hammer(two, 50))
  expect(allowed).toBe(600)
})

test('gives a caller who moves to another process what the first one held', async () => {
  const { limiters, clock } = await createLimiters(2)
  const [one, two] = limiters as [RateLimiter, RateLimiter]
  one.start()
  two.start()
  let allowed = await hammer(one, 1)
  const first = await hammer(two, 700)
  // The first one holds a tenth of everything and has used one of it.
  expect(first).toBe(540)
  allowed += first
  await waitFor(
    'the rest to be returned',
    async () => {
      pass(clock)
      allowed += await hammer(two, 100)
      return allowed
    },
    (total) => total >= 600,
  )
  expect(allowed).toBe(600)
  pass(clock)
  expect(await hammer(one, 10)).toBe(0)
  await Promise.all([one.stop(), two.stop()])
})

test('leaves unused portions alone where nobody is short of them', async () => {
  const { limiters, ctx, statements } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  await hammer(limiter, 1)
  limiter.start()
  const before = statements()
  await waitFor('two looks at the database', statements, (now) => now >= before + 2)
  expect(await held(ctx)).toBe(60)
  await limiter.stop()
  expect(await held(ctx)).toBe(1)
})

test('begins anew with each window and tells less and less within one', async () => {
  const { limiters, clock } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  let last = await limiter.take(POLICY, 'user:1')
  expect(last.remaining).toBe(599)
  clock.advance(Math.max(0, last.resetMs - 10_000))
  for (let i = 0; i < 700; i++) {
    const verdict = await limiter.take(POLICY, 'user:1')
    expect(verdict.remaining).toBe(Math.max(0, last.remaining - 1))
    expect(verdict.resetMs).toBeLessThanOrEqual(last.resetMs)
    last = verdict
  }
  expect(last.allowed).toBe(false)
  clock.advance(last.resetMs)
  expect(await limiter.take(POLICY, 'user:1')).toMatchObject({
    allowed: true,
    remaining: 599,
    resetMs: 60_000,
  })
})

test('begins anew after a clock that was 80 hours ahead was set back', async () => {
  const { limiters, clock } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  clock.advance(80 * 3_600_000)
  expect(await hammer(limiter, 1_000)).toBe(600)
  clock.advance(-80 * 3_600_000)
  expect(limiter.look(POLICY, 'user:1').remaining).toBe(600)
  expect(await limiter.take(POLICY, 'user:1')).toMatchObject({ allowed: true, remaining: 599 })
})

test('keeps the windows of different callers apart in time', async () => {
  const { limiters } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  const ends = Array.from({ length: 50 }, (_, i) => limiter.look(POLICY, `user:${i}`).resetMs)
  expect(new Set(ends).size).toBeGreaterThan(45)
})

test('remembers a bounded number of callers, and asks for many in one statement', async () => {
  const { limiters, statements, ctx } = await createLimiters(1, { capacity: 1_000 })
  const [limiter] = limiters as [RateLimiter]
  const policy = { ...POLICY, quota: 100 }
  const verdicts = await Promise.all(
    Array.from({ length: 10_000 }, (_, i) => limiter.take(policy, `address:${i}`)),
  )
  expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10_000)
  expect(limiter.size()).toBe(1_000)
  expect(statements()).toBeLessThan(60)
  await limiter.stop()
  const [row] = await ctx.sql<{ rows: number }[]>`select count(*)::int as rows from rate_limit`
  expect(row?.rows).toBe(10_000)
})

test('does not deadlock when processes ask for the same callers in different orders', async () => {
  const { limiters } = await createLimiters(4)
  const ids = Array.from({ length: 300 }, (_, i) => `user:${i}`)
  const allowed = await Promise.all(
    limiters.map(async (limiter, turn) => {
      const order = ids.map((_, i) => ids[(i * 7 + turn * 71) % ids.length] ?? '')
      const verdicts = await Promise.all(
        [...order, ...order].map((id) => limiter.take({ ...POLICY, quota: 4 }, id)),
      )
      return verdicts.filter((verdict) => verdict.allowed).length
    }),
  )
  expect(allowed.reduce((sum, one) => sum + one)).toBe(300 * 4)
})

test('counts alone, and refuses beyond the quota still, while the database does not answer', async () => {
  const { clock, ctx } = await createLimiters(0)
  const broken = new Proxy(ctx.sql, {
    apply: () => Promise.reject(new Error('connection refused')),
  })
  const limiter = createRateLimiter({ sql: broken, clock, log: ctx.log, hash })
  expect(await hammer(limiter, 700)).toBe(600)
  expect(await limiter.take(POLICY, 'user:1')).toMatchObject({ allowed: false, remaining: 0 })
})

test('answers in a second when the database hangs', async () => {
  const { clock, ctx } = await createLimiters(0)
  const hanging = new Proxy(ctx.sql, { apply: () => new Promise(() => {}) })
  const limiter = createRateLimiter({ sql: hanging, clock, log: ctx.log, hash })
  const before = performance.now()
  expect(await hammer(limiter, 10)).toBe(10)
  expect(await hammer(limiter, 600)).toBe(590)
  expect(performance.now() - before).toBeLessThan(5_000)
})

test('prunes windows that are over', async () => {
  const { limiters, clock, ctx } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  await hammer(limiter, 1)
  expect(await pruneRateLimits(ctx)).toBe(0)
  clock.advance(31 * 60_000 + 60_000)
  await hammer(limiter, 1, 'user:2')
  expect(await pruneRateLimits(ctx)).toBe(1)
})
