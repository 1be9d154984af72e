import { newKey } from './runtime.ts'

/** A user's tokens, as `auth.login` and `auth.signIn` return them. */
export type TokenPair = {
  accessToken: string
  /** Without it, the client cannot get a new access token. */
  refreshToken?: string | undefined
}

type FullPair = { accessToken: string; refreshToken: string }

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
  readonly #onTokens: TokenOptions['onTokens']

  constructor({ tokens, onTokens }: TokenOptions) {
    this.#tokens = tokens
    this.#onTokens = onTokens
  }

  get accessToken(): string {
    return this.#tokens.accessToken
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
    const pair = await refresh(refreshToken, this.#key)
    this.#key = undefined
    this.#tokens = pair
    this.#isStoring = true
    try {
      await this.#onTokens?.(pair)
    } finally {
      this.#isStoring = false
    }
  }
}
