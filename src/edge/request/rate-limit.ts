import type {
  AttemptLimit,
  Attempts,
  Policies,
  RateLimiter,
  Verdict,
} from '../../domain/service/index.ts'
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
  /**
   * The id of the account, if it exists. Wrong passwords for any name of the account count for this
   * id.
   */
  owner?: string | undefined
  /**
   * Whether the caller has signed in to the account. Other callers must not learn which names one
   * account has.
   */
  isSignedIn?: boolean
}

/** The rate limits of one request. Its methods write the RateLimit headers of the answer. */
export type RequestLimits = ReturnType<ReturnType<typeof createLimits>>

/**
 * Returns a function that creates the limits of a request. The limits write the headers of
 * draft-ietf-httpapi-ratelimit-headers-11. Without `limits`, no request is limited.
 */
export const createLimits = (limits: RateLimits | undefined) => {
  const count = (headers: Record<string, string>, kind: keyof Policies, id: string): void => {
    if (!limits || limits.policies[kind].quota === 0) return
    const verdict = limits.limiter.take(limits.policies[kind], id)
    // The headers name the limit of a whole network only if it refuses the request.
    if (kind !== 'network' || !verdict.allowed) tell(headers, verdict)
  }

  /**
   * The limits of an attempt. An attempt that one limit refuses does not count for the other
   * limits, so one network cannot use up the total of an account.
   */
  const limitsOf = (
    policies: Policies,
    { secret, owner, isSignedIn = false }: Attempt,
    { name, address, isKnown }: { name: string; address: string; isKnown: boolean },
  ): AttemptLimit[] => {
    const site = siteOf(address)
    if (secret === 'code') return [{ policy: policies.code, id: `code:${site} ${name}` }]
    const limitsFor = (whose: string, hidden = false): AttemptLimit[] => [
      { policy: policies.login, id: `login:${site} ${whose}`, hidden },
      // The totals must not lock out the owner, so a network with an earlier sign-in has no total.
      ...(isKnown ? [] : [{ policy: policies.loginTotal, id: `login-account:${whose}`, hidden }]),
    ]
    return [
      ...limitsFor(`name ${name}`),
      ...(isKnown ? [] : [{ policy: policies.loginTotal, id: `login-address:${site}` }]),
      ...limitsFor(wholeOf(owner, name), !isSignedIn),
    ]
  }

  return (address: string, headers: Record<string, string>) => {
    let seen = false
    /** Counts a request for its caller and network. Throws `rate_limited` above a limit. */
    const countRequest = (caller: Caller | null): void => {
      seen = true
      count(headers, caller ? 'user' : 'anonymous', caller ? idOf(caller) : `address:${address}`)
      if (caller) count(headers, 'network', `network:${siteOf(address)}`)
    }
    return {
      countRequest,
      /** Counts a page or its stream for its address. Throws `rate_limited` above the limit. */
      countPage(): void {
        seen = true
        count(headers, 'page', `page:${address}`)
      },
      /** Leaves the request uncounted, for files that need no work. */
      countNothing(): void {
        seen = true
      },
      /**
       * Runs `work` and counts a wrong secret. Throws `rate_limited` after too many wrong secrets
       * for this name. If the account has used up its attempts under other names, `isSpent` is true
       * and `work` must refuse every password: 429 would show that both names are of one account.
       */
      async countAttempt<T>(attempt: Attempt, work: (isSpent: boolean) => Promise<T>): Promise<T> {
        if (!limits || limits.policies.login.quota === 0) return work(false)
        const { attempts, policies } = limits
        const name = attempt.account.trim().toLowerCase()
        const known = `known:${siteOf(address)} ${wholeOf(attempt.owner, name)}`
        const isKnown = attempt.secret === 'password' && (await attempts.isRemembered(known))
        const taken = await attempts.take(limitsOf(policies, attempt, { name, address, isKnown }))
        tell(headers, taken.verdict)
        try {
          const done = await work(taken.isSpent)
          await taken.giveBack()
          if (attempt.secret === 'password') await attempts.remember(known)
          return done
        } catch (error) {
          if (!isWrongSecret(error)) await taken.giveBack()
          throw error
        }
      },
      /** Counts something that a network makes. Throws `rate_limited` above the limit. */
      async countNew(kind: 'guest' | 'account'): Promise<void> {
        if (!limits || limits.policies[kind].quota === 0) return
        const limit = { policy: limits.policies[kind], id: `${kind}:${siteOf(address)}` }
        tell(headers, (await limits.attempts.take([limit])).verdict)
      },
      /** Writes the RateLimit headers without counting the request. */
      writeHeaders(): void {
        seen = true
        if (!limits || limits.policies.anonymous.quota === 0) return
        tell(headers, limits.limiter.look(limits.policies.anonymous, `address:${address}`))
      },
      /** Counts the request for its address, unless the request has been counted before. */
      countAddress(): void {
        if (!seen) countRequest(null)
      },
    }
  }
}

/** Names a whole account. No name that a caller gives can be the name of another account. */
const wholeOf = (owner: string | undefined, name: string): string =>
  owner === undefined ? `unknown ${name}` : `account ${owner}`

const isWrongSecret = (error: unknown): boolean =>
  error instanceof DomainError &&
  (error.code === 'invalid_credentials' || error.code === 'invalid_code')

const idOf = ({ userId, key }: Caller): string => (key ? `key:${key.id}` : `user:${userId}`)

const NAMES: Readonly<Record<string, string>> = {
  default: 'requests',
  page: 'pages',
  guest: 'donations without an account',
  account: 'new accounts from your network',
  network: 'requests from your network',
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
