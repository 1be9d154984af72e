/** A limit of `quota` requests or attempts in each window. A quota of 0 means no limit. */
export type Policy = {
  /** The name of the limit in the RateLimit headers. */
  readonly name: string
  readonly quota: number
  readonly windowMs: number
}

const MINUTE_MS = 60_000
/** `loginTotal` allows as many attempts as this number of networks may make with `login`. */
const NETWORKS = 10
/** A person's visit needs more pages than a program needs requests. Files are not counted. */
const PAGES_PER_REQUEST = 3
const GUEST_DONATIONS = 30
const CODE_GUESSES = 5
const USERS_PER_NETWORK = 8
const ACCOUNTS_PER_LOGIN = 4
/** The largest `integer` in Postgres. */
const MAX_QUOTA = 2_147_483_647

export type Policies = ReturnType<typeof createPolicies>

/** Creates the limits of this service from the configured quotas. */
export const createPolicies = ({
  anonymous,
  user,
  login,
}: Readonly<Record<'anonymous' | 'user' | 'login', number>>) => {
  const policy = (name: string, quota: number, minutes: number): Policy => ({
    name,
    quota,
    windowMs: minutes * MINUTE_MS,
  })
  return {
    /** Requests from one network without a sign-in. */
    anonymous: policy('default', anonymous, 1),
    /** Pages and streams of pages that one network opens. Forms count as requests. */
    page: policy('page', Math.min(MAX_QUOTA, PAGES_PER_REQUEST * anonymous), 1),
    /** Requests of one user, or of one API key. */
    user: policy('default', user, 1),
    /** Requests of all users and API keys of one network together. */
    network: policy('network', Math.min(MAX_QUOTA, USERS_PER_NETWORK * user), 1),
    /** New accounts from one network. */
    account: policy('account', Math.min(MAX_QUOTA, ACCOUNTS_PER_LOGIN * login), 60),
    /** Donations without an account, from one network. */
    guest: policy('guest', anonymous === 0 ? 0 : GUEST_DONATIONS, 60),
    /** Failed attempts to sign in to one account from one network. */
    login: policy('login', login, 15),
    /** Failed sign-ins to one account from all networks, or from one network to all accounts. */
    loginTotal: policy('login-total', Math.min(MAX_QUOTA, NETWORKS * login), 15),
    /** Wrong guesses at the mailed codes of one account from one network. */
    code: policy('code', login === 0 ? 0 : CODE_GUESSES, 15),
  }
}

/**
 * Returns the start of the window that contains `nowMs`. Windows of different keys start at
 * different times, so that the windows of all callers do not start in the same second.
 *
 * @param key the hash that stands for one caller, as 32 hexadecimal digits
 */
export const windowStartMs = (key: string, windowMs: number, nowMs: number): number => {
  const phaseMs = Number.parseInt(key.slice(0, 8), 16) % windowMs
  return Math.floor((nowMs - phaseMs) / windowMs) * windowMs + phaseMs
}
