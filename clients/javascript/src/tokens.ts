import { ConfigurationError } from './errors.ts'
import { newKey } from './runtime.ts'

/** A user's tokens, as `auth.login` and `auth.signIn` return them. */
export type TokenPair = {
  accessToken: string
  /** Without it, the client cannot get a new access token. */
  refreshToken?: string | undefined
  /** The lifetime of the access token in seconds from now. Without it, only a refusal renews it. */
  expires?: number | undefined
}

type FullPair = TokenPair & { refreshToken: string }

/** A token is renewed this long before its end, or at half of its lifetime if that is later. */
const EARLY_S = 30

export type TokenOptions = {
  tokens: TokenPair
  onTokens?: ((tokens: FullPair) => void | Promise<void>) | undefined
}

/** Gets a new pair of tokens. The service answers the same key with the same pair. */
export type Refresh = (refreshToken: string, idempotencyKey: string) => Promise<FullPair>

/** The tokens of a client. At most one refresh is in flight, and all calls wait for it. */
export class TokenKeeper {
  #tokens: TokenPair
  #renewal: Promise<void> | undefined
  /** The idempotency key of the refresh, the same until the refresh succeeds. */
  #key: string | undefined
  #isStoring = false
  #now: () => number = Date.now
  #renewAtMs = Number.POSITIVE_INFINITY
  readonly #onTokens: TokenOptions['onTokens']

  /** @throws ConfigurationError if no header can have the access token */
  constructor({ tokens, onTokens }: TokenOptions) {
    this.#tokens = checked(tokens)
    this.#onTokens = onTokens
  }

  get accessToken(): string {
    return this.#tokens.accessToken
  }

  /** Sets the clock. The lifetime of the tokens begins now. */
  start(now: () => number): void {
    this.#now = now
    this.#take(this.#tokens)
  }

  /** The access token, after a refresh if it ends soon. */
  async access(refresh: Refresh): Promise<string> {
    if (this.#now() >= this.#renewAtMs) await this.renew(this.accessToken, refresh)
    return this.accessToken
  }

  /**
   * Replaces an access token that the service refused. Does nothing if another call has done this.
   * Returns false without a refresh token, and for the new token while `onTokens` runs.
   */
  async renew(refused: string, refresh: Refresh): Promise<boolean> {
    const { accessToken, refreshToken } = this.#tokens
    if (accessToken !== refused) {
      await this.#renewal
      return true
    }
    if (refreshToken === undefined || this.#isStoring) return false
    this.#renewal ??= this.#replace(refreshToken, refresh).finally(() => {
      this.#renewal = undefined
    })
    await this.#renewal
    return true
  }

  /**
   * Lets the user store the pair before the waiting calls use it, because the old pair is used up.
   * `onTokens` may use the client, so the calls that it makes get the new pair.
   */
  async #replace(refreshToken: string, refresh: Refresh): Promise<void> {
    this.#key ??= newKey()
    const pair = checked(await refresh(refreshToken, this.#key))
    this.#key = undefined
    this.#take(pair)
    this.#isStoring = true
    try {
      await this.#onTokens?.(pair)
    } finally {
      this.#isStoring = false
    }
  }

  #take(pair: TokenPair): void {
    const { expires = Number.POSITIVE_INFINITY } = pair
    this.#tokens = pair
    this.#renewAtMs = this.#now() + (expires - Math.min(EARLY_S, expires / 2)) * 1_000
  }
}

const checked = <T extends TokenPair>(pair: T): T => {
  if (typeof pair.accessToken === 'string' && /^[\x21-\x7e]+$/.test(pair.accessToken)) return pair
  throw new ConfigurationError('accessToken must be printable ASCII characters without spaces.')
}
