import type { Context as HonoContext } from 'hono'
import type { Policies, Policy, RateLimiter, Verdict } from '../domain/rate-limit/index.ts'
import { DomainError } from '../kernel/errors.ts'
import type { Caller } from './admit.ts'
import { createClientAddress } from './client-address.ts'

export type RateLimits = {
  limiter: RateLimiter
  policies: Policies
  /** How many proxies in front append to `X-Forwarded-For`. */
  trustedProxies: number
}

type Counted = void | Promise<void>

/** The limits of one request. Each of them writes the RateLimit headers of the answer. */
export type RequestLimits = {
  /** Counts the request, for its caller or else its address. Throws DomainError `rate_limited`. */
  admit(caller: Caller | null): Counted
  /** Counts an attempt to sign in as somebody, known or not. Throws DomainError `rate_limited`. */
  attempt(name: string): Counted
  /** For what is not counted: only tells. */
  look(): void
  /** Counts for the address what nobody has counted. Throws DomainError `rate_limited`. */
  rest(): Counted
}

const UNLIMITED: RequestLimits = { admit() {}, attempt() {}, look() {}, rest() {} }

/**
 * The limits of a deployment, with the headers of draft-ietf-httpapi-ratelimit-headers-11. Without
 * any, nothing is counted and nothing told.
 */
export const createLimits = (
  limits: RateLimits | undefined,
): ((c: HonoContext, headers: Record<string, string>) => RequestLimits) => {
  if (!limits) return () => UNLIMITED
  const { limiter, policies } = limits
  const addressOf = createClientAddress(limits.trustedProxies)

  const count = (headers: Record<string, string>, policy: Policy, id: string): Counted => {
    if (policy.quota === 0) return
    const verdict = limiter.take(policy, id)
    if (verdict instanceof Promise) return verdict.then((known) => tell(headers, known))
    tell(headers, verdict)
  }

  const countAttempt = async (
    headers: Record<string, string>,
    address: string,
    name: string,
  ): Promise<void> => {
    const ofAddress = await limiter.take(policies.login, `login-address:${address}`)
    // An address that is out of attempts takes none from the account.
    if (!ofAddress.allowed) return tell(headers, ofAddress)
    const account = name.trim().toLowerCase()
    const ofAccount = await limiter.take(policies.login, `login-account:${account}`)
    const closer = ofAccount.remaining < ofAddress.remaining ? ofAccount : ofAddress
    tell(headers, ofAccount.allowed ? closer : ofAccount)
  }

  return (c, headers) => {
    let seen = false
    const admit = (caller: Caller | null): Counted => {
      seen = true
      if (caller) return count(headers, policies.user, idOf(caller))
      return count(headers, policies.anonymous, `address:${addressOf(c)}`)
    }
    return {
      admit,
      attempt(name) {
        return policies.login.quota === 0 ? undefined : countAttempt(headers, addressOf(c), name)
      },
      look() {
        seen = true
        if (policies.anonymous.quota === 0) return
        tell(headers, limiter.look(policies.anonymous, `address:${addressOf(c)}`))
      },
      rest: () => (seen ? undefined : admit(null)),
    }
  }
}

const idOf = ({ userId, key }: Caller): string => (key ? `key:${key.id}` : `user:${userId}`)

/** Adds a limit to the headers. Throws DomainError `rate_limited` where it is used up. */
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
  const what = policy.name === 'login' ? 'attempts to sign in' : 'requests'
  throw new DomainError('rate_limited', `Too many ${what}. Try again in ${seconds} seconds.`)
}

/** Both headers are lists (RFC 9651): a login has two limits. */
const add = (headers: Record<string, string>, name: string, item: string): void => {
  const before = headers[name]
  headers[name] = before === undefined ? item : `${before}, ${item}`
}
