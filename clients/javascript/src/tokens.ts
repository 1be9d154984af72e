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

/** The tokens of a client. At most one refresh is in flight, and all calls wait for it. */
export class TokenKeeper {
  #tokens: TokenPair
  #renewal: Promise<void> | undefined
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
   * Returns false without a refresh token.
   */
  async renew(refused: string, refresh: (token: string) => Promise<FullPair>): Promise<boolean> {
    const { accessToken, refreshToken } = this.#tokens
    if (accessToken !== refused) return true
    if (refreshToken === undefined) return false
    this.#renewal ??= this.#replace(refresh(refreshToken)).finally(() => {
      this.#renewal = undefined
    })
    await this.#renewal
    return true
  }

  /** Lets the user store the pair before its first use, because the old pair is used up. */
  async #replace(renewed: Promise<FullPair>): Promise<void> {
    const pair = await renewed
    try {
      await this.#onTokens?.(pair)
    } finally {
      this.#tokens = pair
    }
  }
}
