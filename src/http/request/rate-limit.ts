import type {
  AttemptLimit,
  Attempts,
  Policies,
  Policy,
  RateLimiter,
  Verdict,
} from '../../domain/rate-limit/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Caller } from './authenticate.ts'
import { siteOf } from './client-address.ts'

export type RateLimits = {
  limiter: RateLimiter
  attempts: Attempts
  policies: Policies
  /** The number of proxies in front of the service. Each appends an entry to `X-Forwarded-For`. */
  trustedProxies: number
}

/** An attempt to enter a password or a mailed code. */
export type Attempt = {
  secret: 'password' | 'code'
  /** The user name or mail address that the caller gave. The account may not exist. */
  account: string
}

/** The rate limits of one request. Its methods write the RateLimit headers of the answer. */
export type RequestLimits = {
  /** Counts a request for its caller or else its address. Throws `rate_limited` above the limit. */
  countRequest(caller: Caller | null): void
  /** Counts a page or its stream for its address. Throws `rate_limited` above the limit. */
  countPage(): void
  /** Leaves the request uncounted, for files that need no work. */
  countNothing(): void
  /** Runs `work` and counts a wrong secret. Throws `rate_limited` after too many wrong secrets. */
  countAttempt<T>(attempt: Attempt, work: () => Promise<T>): Promise<T>
  /** Counts the request of a guest's network. Throws `rate_limited` above the limit for guests. */
  countGuest(): Promise<void>
  /** Writes the RateLimit headers without counting the request. */
  writeHeaders(): void
  /** Counts the request for its address, unless the request has been counted before. */
  countAddress(): void
}

const UNLIMITED: RequestLimits = {
  countRequest() {},
  countPage() {},
  countNothing() {},
  countAttempt: (_, work) => work(),
  countGuest: async () => {},
  writeHeaders() {},
  countAddress() {},
}

/**
 * Returns a function that creates the limits of a request. The limits write the headers of
 * draft-ietf-httpapi-ratelimit-headers-11. Without `limits`, no request is limited.
 */
export const createLimits = (
  limits: RateLimits | undefined,
): ((address: string, headers: Record<string, string>) => RequestLimits) => {
  if (!limits) return () => UNLIMITED
  const { limiter, attempts, policies } = limits

  const count = (headers: Record<string, string>, policy: Policy, id: string): void => {
    if (policy.quota > 0) tell(headers, limiter.take(policy, id))
  }

  /**
   * The limits of an attempt. An attempt that one limit refuses does not count for the other
   * limits, so one network cannot use up the total of an account.
   */
  const limitsOf = (
    { secret }: Attempt,
    { name, address, isKnown }: { name: string; address: string; isKnown: boolean },
  ): AttemptLimit[] => {
    const both = pairOf(name, address)
    if (secret === 'code') return [{ policy: policies.code, id: `code:${both}` }]
    const ofBoth = { policy: policies.login, id: `login:${both}` }
    // The totals must not lock out the owner, so a network with an earlier sign-in has no total.
    if (isKnown) return [ofBoth]
    return [
      ofBoth,
      { policy: policies.loginTotal, id: `login-address:${address}` },
      { policy: policies.loginTotal, id: `login-account:${name}` },
    ]
  }

  return (address, headers) => {
    let seen = false
    const countRequest = (caller: Caller | null): void => {
      seen = true
      if (caller) count(headers, policies.user, idOf(caller))
      else count(headers, policies.anonymous, `address:${address}`)
    }
    return {
      countRequest,
      countPage() {
        seen = true
        count(headers, policies.page, `page:${address}`)
      },
      countNothing() {
        seen = true
      },
      async countAttempt(attempt, work) {
        if (policies.login.quota === 0) return work()
        const name = attempt.account.trim().toLowerCase()
        const known = `known:${pairOf(name, address)}`
        const isKnown = attempt.secret === 'password' && (await attempts.isRemembered(known))
        const taken = await attempts.take(limitsOf(attempt, { name, address, isKnown }))
        tell(headers, taken.verdict)
        try {
          const done = await work()
          await taken.giveBack()
          if (attempt.secret === 'password') await attempts.remember(known)
          return done
        } catch (error) {
          if (!isWrongSecret(error)) await taken.giveBack()
          throw error
        }
      },
      async countGuest() {
        if (policies.guest.quota === 0) return
        const limit = { policy: policies.guest, id: `guest:${siteOf(address)}` }
        tell(headers, (await attempts.take([limit])).verdict)
      },
      writeHeaders() {
        seen = true
        if (policies.anonymous.quota === 0) return
        tell(headers, limiter.look(policies.anonymous, `address:${address}`))
      },
      countAddress() {
        if (!seen) countRequest(null)
      },
    }
  }
}

const pairOf = (name: string, address: string): string => `${siteOf(address)} ${name}`

const isWrongSecret = (error: unknown): boolean =>
  error instanceof DomainError &&
  (error.code === 'invalid_credentials' || error.code === 'invalid_code')

const idOf = ({ userId, key }: Caller): string => (key ? `key:${key.id}` : `user:${userId}`)

const NAMES: Readonly<Record<string, string>> = {
  default: 'requests',
  page: 'pages',
  guest: 'donations without an account',
}

/** Writes a limit into the headers. Throws DomainError `rate_limited` if the limit is used up. */
const tell = (headers: Record<string, string>, verdict: Verdict): void => {
  const { policy, allowed, remaining, resetMs } = verdict
  const seconds = Math.max(1, Math.ceil(resetMs / 1_000))
  add(
    headers,
    'RateLimit-Policy',
    `"${policy.name}";q=${policy.quota};w=${policy.windowMs / 1_000}`,
  )
  add(headers, 'RateLimit', `"${policy.name}";r=${remaining};t=${seconds}`)
  if (allowed) return
  headers['Retry-After'] = String(seconds)
  const what = NAMES[policy.name] ?? 'failed attempts'
  throw new DomainError('rate_limited', `Too many ${what}. Try again in ${seconds} seconds.`)
}

/** Adds an item to a header, which is a list (RFC 9651), because a sign-in has several limits. */
const add = (headers: Record<string, string>, name: string, item: string): void => {
  const before = headers[name]
  headers[name] = before === undefined ? item : `${before}, ${item}`
}
