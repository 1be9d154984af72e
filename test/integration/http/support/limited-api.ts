import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { createApp } from '../../../../src/api/app.ts'
import {
  createAttempts,
  createPolicies,
  createRateLimiter,
} from '../../../../src/domain/service/index.ts'
import { codeFor, PASSWORD } from './account.ts'
import { createClockedApi, requestOf } from './api.ts'

export type LimitedAsked = Parameters<typeof requestOf>[1] & { from?: string }

const LIMITS = { anonymous: 5, user: 8, login: 4 }

/** An API with rate limits, which a test can call from any address. */
export const createLimitedApi = async (
  options: { trustedProxies?: number; limits?: Partial<typeof LIMITS> } = {},
) => {
  const { api, clock } = await createClockedApi(new Date('2026-11-20T12:00:00Z'))
  const hash = (id: string) => createHash('sha256').update(id).digest('hex')
  const limiter = createRateLimiter({ sql: api.ctx.sql, clock, log: api.ctx.log, hash })
  const policies = createPolicies({ ...LIMITS, ...options.limits })
  const attempts = createAttempts({ sql: api.ctx.sql, clock, hash })
  const rateLimits = { limiter, attempts, policies, trustedProxies: options.trustedProxies ?? 0 }
  const app = createApp({ ...api.deps, corsOrigins: ['https://app.example'], rateLimits })
  const ask = async (
    method: string,
    path: string,
    { from = '192.0.2.1', ...asked }: LimitedAsked = {},
  ) =>
    app.request(path, requestOf(method, asked), { incoming: { socket: { remoteAddress: from } } })
  const statuses = async (count: number, ...request: Parameters<typeof ask>) => {
    const found: number[] = []
    for (let i = 0; i < count; i++) found.push((await ask(...request)).status)
    return found
  }
  const rateLimitsOfAnother = () => ({
    ...rateLimits,
    limiter: createRateLimiter({ sql: api.ctx.sql, clock, log: api.ctx.log, hash }),
    attempts: createAttempts({ sql: api.ctx.sql, clock, hash }),
  })
  const mailedCode = (email: string) => codeFor(api, email)
  return { ...api, clock, ask, statuses, rateLimitsOfAnother, mailedCode }
}

/** An API with one account, and functions that sign in to it from any address. */
export const withAccount = async (options: Parameters<typeof createLimitedApi>[0] = {}) => {
  const api = await createLimitedApi({ limits: { anonymous: 0 }, ...options })
  const body = { email: 'ada@example.org', username: 'ada', password: PASSWORD }
  expect((await api.ask('POST', '/api/auth/register', { body })).status).toBe(201)
  const attempt = (username: string, from: string, password = PASSWORD) =>
    api.ask('POST', '/api/auth/login', { body: { username, password }, from })
  const statusesOf = async (
    times: number,
    ...[username, from, password]: Parameters<typeof attempt>
  ) => {
    const found: number[] = []
    for (let i = 0; i < times; i++) found.push((await attempt(username, from, password)).status)
    return found
  }
  return { ...api, attempt, statusesOf }
}
