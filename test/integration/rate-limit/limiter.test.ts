import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import {
  createPolicies,
  createRateLimiter,
  pruneRateLimits,
  type RateLimiter,
} from '../../../src/domain/service/index.ts'
import type { RateLimiterDeps } from '../../../src/domain/service/rate-limit/limiter.ts'
import type { Policy } from '../../../src/domain/service/rate-limit/policy.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { exactly, waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'

const POLICY: Policy = { name: 'default', quota: 600, windowMs: 60_000 }

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

/** Counts how many of these requests are allowed. */
const hammer = (limiter: RateLimiter, times: number, id = 'user:1', policy = POLICY): number =>
  Array.from({ length: times }, () => limiter.take(policy, id)).filter(({ allowed }) => allowed)
    .length

const taken = async (ctx: Context, id = 'user:1') => {
  const [row] = await ctx.sql<{ taken: number }[]>`
    select taken from rate_limit where key = ${hash(id).slice(0, 32)} order by window_start desc`
  return row?.taken
}

test('allows one process exactly the quota, without a database statement', async () => {
  const { limiters, statements } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  expect(hammer(limiter, 1_000)).toBe(600)
  expect(hammer(limiter, 1_000, 'user:2')).toBe(600)
  expect(statements()).toBe(0)
})

test('two processes allow the quota together to a caller who gives them time to share', async () => {
  const { limiters, ctx } = await createLimiters(2)
  const [one, two] = limiters as [RateLimiter, RateLimiter]
  one.start()
  two.start()
  expect(hammer(one, 400)).toBe(400)
  await waitFor('the first one to share', () => taken(ctx), exactly(400))
  expect(hammer(two, 1)).toBe(1)
  await waitFor(
    'the second one to know',
    async () => two.look(POLICY, 'user:1').remaining,
    exactly(199),
  )
  expect(hammer(two, 300)).toBe(199)
  await waitFor('the second one to share', () => taken(ctx), exactly(600))
  await Promise.all([one.stop(), two.stop()])
})

test('shares what is left to share when it stops', async () => {
  const { limiters, ctx } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  hammer(limiter, 7)
  await limiter.stop()
  expect(await taken(ctx)).toBe(7)
})

test('asks the database nothing while there is nothing to share', async () => {
  const { limiters, ctx, statements } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  limiter.start()
  hammer(limiter, 3)
  await waitFor('one statement', () => taken(ctx), exactly(3))
  await limiter.stop()
  expect(statements()).toBe(1)
})

test('starts again with each window, and reports fewer remaining requests within a window', async () => {
  const { limiters, clock } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  let last = limiter.take(POLICY, 'user:1')
  expect(last.remaining).toBe(599)
  clock.advance(Math.max(0, last.resetMs - 10_000))
  for (let i = 0; i < 700; i++) {
    const verdict = limiter.take(POLICY, 'user:1')
    expect(verdict.remaining).toBe(Math.max(0, last.remaining - 1))
    expect(verdict.resetMs).toBeLessThanOrEqual(last.resetMs)
    last = verdict
  }
  expect(last.allowed).toBe(false)
  clock.advance(last.resetMs)
  expect(limiter.take(POLICY, 'user:1')).toMatchObject({
    allowed: true,
    remaining: 599,
    resetMs: 60_000,
  })
})

test('begins anew after a clock that was 80 hours ahead was set back', async () => {
  const { limiters, clock } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  clock.advance(80 * 3_600_000)
  expect(hammer(limiter, 1_000)).toBe(600)
  clock.advance(-80 * 3_600_000)
  expect(limiter.look(POLICY, 'user:1').remaining).toBe(600)
  expect(limiter.take(POLICY, 'user:1')).toMatchObject({ allowed: true, remaining: 599 })
})

test('keeps the windows of different callers apart in time', async () => {
  const { limiters } = await createLimiters(1)
  const [limiter] = limiters as [RateLimiter]
  const ends = Array.from({ length: 50 }, (_, i) => limiter.look(POLICY, `user:${i}`).resetMs)
  expect(new Set(ends).size).toBeGreaterThan(45)
})

test('remembers a bounded number of callers, and shares many in one statement', async () => {
  const { limiters, statements, ctx } = await createLimiters(1, { capacity: 1_000 })
  const [limiter] = limiters as [RateLimiter]
  for (let i = 0; i < 10_000; i++) {
    expect(limiter.take(POLICY, `address:${i}`).allowed).toBe(true)
  }
  expect(limiter.size()).toBe(1_000)
  await limiter.stop()
  expect(statements()).toBe(1)
  expect(await ctx.sql`select count(*)::int as rows from rate_limit`).toEqual([{ rows: 1_000 }])
})

test('processes that share the same callers in different orders never wait for each other', async () => {
  const { limiters, ctx } = await createLimiters(4)
  const ids = Array.from({ length: 300 }, (_, i) => `user:${i}`)
  limiters.forEach((limiter, turn) => {
    const order = ids.map((_, i) => ids[(i * 7 + turn * 71) % ids.length] ?? '')
    for (const id of order) limiter.take(POLICY, id)
  })
  await Promise.all(limiters.map((limiter) => limiter.stop()))
  expect(await ctx.sql`select sum(taken)::int as sum from rate_limit`).toEqual([{ sum: 300 * 4 }])
})

test('counts only its own requests while the database is away, and shares all of them afterwards', async () => {
  const { clock, ctx } = await createLimiters(0)
  let away = true
  const sql = new Proxy(ctx.sql, {
    apply: (target, self, args) =>
      away ? Promise.reject(new Error('connection refused')) : Reflect.apply(target, self, args),
  })
  const limiter = createRateLimiter({ sql, clock, log: ctx.log, hash })
  expect(hammer(limiter, 500)).toBe(500)
  await limiter.stop()
  expect(hammer(limiter, 200)).toBe(100)
  expect(limiter.take(POLICY, 'user:1')).toMatchObject({ allowed: false, remaining: 0 })
  away = false
  await limiter.stop()
  expect(await taken(ctx)).toBe(600)
})

test('counts only its own requests while the database hangs, and stops without delay', async () => {
  const { clock, ctx } = await createLimiters(0)
  const hanging = new Proxy(ctx.sql, { apply: () => new Promise(() => {}) })
  const limiter = createRateLimiter({ sql: hanging, clock, log: ctx.log, hash })
  expect(hammer(limiter, 10)).toBe(10)
  await limiter.stop()
  expect(hammer(limiter, 600)).toBe(590)
})

test('prunes windows that are over, and none that still counts', async () => {
  const { clock, ctx } = await createLimiters(0)
  const policies = Object.values(createPolicies({ anonymous: 100, user: 600, login: 10 }))
  const now = clock.now().getTime()
  for (const [index, { windowMs }] of policies.entries()) {
    await ctx.sql`
      insert into rate_limit (key, window_start, taken)
      values (${`key ${index}`}, ${now - windowMs + 1}, 1)`
  }
  expect(await pruneRateLimits(ctx)).toBe(0)
  clock.advance(2 * Math.max(...policies.map(({ windowMs }) => windowMs)))
  expect(await pruneRateLimits(ctx)).toBe(policies.length)
})
