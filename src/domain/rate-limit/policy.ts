/**
 * How often something may be done: `quota` times in each window. A quota of 0 means without limit.
 */
export type Policy = {
  /** Its name in the RateLimit headers. */
  readonly name: string
  readonly quota: number
  readonly windowMs: number
}

export type Policies = {
  /** Each address that is not signed in. */
  readonly anonymous: Policy
  /** Each user, and each API key. */
  readonly user: Policy
  /** Donations that one network records without an account. */
  readonly guest: Policy
  /** Failed attempts to sign in to one account from one network. */
  readonly login: Policy
  /** Failed attempts to sign in to one account from everywhere, or from one address to all. */
  readonly loginTotal: Policy
  /** Wrong guesses at the mailed codes of one account from one network. */
  readonly code: Policy
}

export type Quotas = Readonly<Record<'anonymous' | 'user' | 'login', number>>

const MINUTE_MS = 60_000
/** One stranger has a few networks, so it takes many of them to use up the total of an account. */
const NETWORKS = 10
const GUEST_DONATIONS = 30
const CODE_GUESSES = 5
/** Of an `integer` in Postgres. */
const MAX_QUOTA = 2_147_483_647

/** The policies of this service with the quotas that are configured. */
export const createPolicies = (quotas: Quotas): Policies => ({
  anonymous: { name: 'default', quota: quotas.anonymous, windowMs: MINUTE_MS },
  user: { name: 'default', quota: quotas.user, windowMs: MINUTE_MS },
  guest: {
    name: 'guest',
    quota: quotas.anonymous === 0 ? 0 : GUEST_DONATIONS,
    windowMs: 60 * MINUTE_MS,
  },
  login: { name: 'login', quota: quotas.login, windowMs: 15 * MINUTE_MS },
  loginTotal: {
    name: 'login-total',
    quota: Math.min(MAX_QUOTA, NETWORKS * quotas.login),
    windowMs: 15 * MINUTE_MS,
  },
  code: { name: 'code', quota: quotas.login === 0 ? 0 : CODE_GUESSES, windowMs: 15 * MINUTE_MS },
})

/**
 * When the window began that `nowMs` is in. Windows are fixed, but every key's begin at a moment of
 * its own that its hash decides: the allowances of all callers are not asked for at the same
 * second.
 *
 * @param key 32 hexadecimal digits
 */
export const windowStartMs = (key: string, windowMs: number, nowMs: number): number => {
  const phaseMs = Number.parseInt(key.slice(0, 8), 16) % windowMs
  return Math.floor((nowMs - phaseMs) / windowMs) * windowMs + phaseMs
}
