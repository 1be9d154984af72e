import { ConfigurationError } from './errors.ts'
import { newKey, unlessAborted } from './runtime.ts'

/** A user's tokens, as `auth.login` and `auth.signIn` return them. */
export type TokenPair = {
  accessToken: string
  /** Without a refresh token, the client cannot get a new access token. */
  refreshToken?: string | undefined
  /**
   * The lifetime of the access token in seconds from now. Without this lifetime, the client renews
   * the token only after a refusal.
   */
  expires?: number | undefined
}

type FullPair = TokenPair & { refreshToken: string }

/** The tokens of a store. Keep all fields as they are. */
export type StoredTokens = TokenPair & {
  /**
   * The idempotency key of a refresh that began. With this key, another process can complete the
   * refresh.
   */
  refreshKey?: string | undefined
}

/** Keeps the tokens of a session that several processes share: in a file or in a database. */
export type TokenStore = {
  /** Runs `work` while no other process runs its own. A process that is killed frees the lock. */
  lock(work: () => Promise<void>): Promise<unknown>
  /** The newest tokens. Null without a session. */
  load(): Promise<StoredTokens | null>
  /** Replaces the tokens, whole or not at all. Call it yourself after a sign-in. */
  save(tokens: StoredTokens): Promise<unknown>
}

/**
 * A token is renewed this long before its end. A token with a short lifetime is renewed after half
 * of this lifetime.
 */
const EARLY_S = 30

export type TokenOptions = {
  tokens?: TokenPair | undefined
  tokenStore?: TokenStore | undefined
  onTokens?: ((tokens: FullPair) => void | Promise<void>) | undefined
}

/** Gets a new pair of tokens. For the same key the service returns the same pair. */
export type Refresh = (refreshToken: string, idempotencyKey: string) => Promise<FullPair>

/** The tokens of a client. At most one refresh is in flight, and all calls wait for it. */
export class TokenKeeper {
  #tokens: StoredTokens | undefined
  #renewal: Promise<'refreshed' | 'loaded'> | undefined
  #isStoring = false
  /** The access token that the newest pair has replaced. */
  #replaced: string | undefined
  #now: () => number = Date.now
  #renewAtMs = Number.POSITIVE_INFINITY
  readonly #store: TokenStore | undefined
  readonly #onTokens: TokenOptions['onTokens']

  /** @throws ConfigurationError if no header can have the access token, or for a wrong store */
  constructor({ tokens, tokenStore, onTokens }: TokenOptions) {
    this.#tokens = tokens && checked(tokens)
    this.#store = tokenStore
    this.#onTokens = onTokens
    for (const name of ['lock', 'load', 'save'] as const) {
      if (!tokenStore || typeof tokenStore[name] === 'function') continue
      throw new ConfigurationError(`tokenStore needs the methods lock, load and save: no ${name}.`)
    }
  }

  /** Sets the clock. The lifetime of the first tokens starts now. */
  start(now: () => number): void {
    this.#now = now
    if (this.#tokens) this.#take(this.#tokens)
  }

  /** Returns the access token, after a refresh if it ends soon. */
  async access(refresh: Refresh, signal?: AbortSignal): Promise<string> {
    const { accessToken } = this.#tokens ?? (await unlessAborted(this.#load(), signal))
    if (this.#now() >= this.#renewAtMs) await this.renew(accessToken, refresh, signal)
    return this.#tokens?.accessToken ?? accessToken
  }

  /**
   * Replaces an access token that the service refused: by a refresh, or by the newer token of
   * another call or process. Returns null without a refresh token, and for the new token while
   * `onTokens` runs. The signal ends only the wait for a refresh and not the refresh, because other
   * calls wait for it too.
   */
  async renew(
    refused: string,
    refresh: Refresh,
    signal?: AbortSignal,
  ): Promise<'refreshed' | 'loaded' | null> {
    const { accessToken, refreshToken } = this.#tokens ?? (await this.#load())
    if (accessToken !== refused) {
      await unlessAborted(Promise.resolve(this.#renewal), signal)
      return 'loaded'
    }
    if (refreshToken === undefined || this.#isStoring) return null
    this.#renewal ??= this.#replace(refused, refresh).finally(() => {
      this.#renewal = undefined
    })
    // Avoids an unhandled rejection if all calls that wait for the refresh have been aborted.
    this.#renewal.catch(() => undefined)
    return unlessAborted(this.#renewal, signal)
  }

  /**
   * Lets the user store the pair before the waiting calls use it, because the old pair is used up.
   * `onTokens` may use the client, so the calls that it makes get the new pair.
   */
  async #replace(refused: string, refresh: Refresh): Promise<'refreshed' | 'loaded'> {
    let pair: FullPair | undefined
    const work = async (): Promise<void> => {
      const tokens = await this.#load()
      if (tokens.accessToken === refused) pair = await this.#refresh(tokens, refresh)
    }
    await (this.#store ? this.#store.lock(work) : work())
    if (!pair) return 'loaded'
    this.#isStoring = true
    try {
      await this.#onTokens?.(pair)
    } finally {
      this.#isStoring = false
    }
    return 'refreshed'
  }

  /** Stores the key first, so that a refresh without an answer can be repeated by any process. */
  async #refresh(tokens: StoredTokens, refresh: Refresh): Promise<FullPair> {
    const { refreshToken = '', refreshKey = newKey() } = tokens
    this.#tokens = { ...tokens, refreshKey }
    await this.#store?.save(this.#tokens)
    const pair = checked(await refresh(refreshToken, refreshKey))
    this.#take(pair)
    this.#replaced = tokens.accessToken
    await this.#store?.save(pair)
    return pair
  }

  /** Returns the newest tokens from the store, or from this client if it has no store. */
  async #load(): Promise<StoredTokens> {
    const stored = this.#store ? await this.#store.load() : this.#tokens
    // After a failed save, the store still has the old pair, which is used up.
    const isUsedUp = stored != null && stored.accessToken === this.#replaced
    const tokens = isUsedUp ? this.#tokens : stored
    if (!tokens)
      throw new ConfigurationError('The tokenStore is empty: save the tokens of a sign-in.')
    if (this.#tokens?.accessToken !== tokens.accessToken) this.#take(checked(tokens))
    return tokens
  }

  #take(pair: StoredTokens): void {
    const { expires = Number.POSITIVE_INFINITY } = pair
    this.#tokens = pair
    this.#renewAtMs = this.#now() + (expires - Math.min(EARLY_S, expires / 2)) * 1_000
  }
}

const checked = <T extends TokenPair>(pair: T): T => {
  if (typeof pair.accessToken === 'string' && /^[\x21-\x7e]+$/.test(pair.accessToken)) return pair
  throw new ConfigurationError('accessToken must be printable ASCII characters without spaces.')
}
