import type { RateLimit } from './errors.ts'

/** The options of one call, which take precedence over the options of the client. */
export type CallOptions = {
  /** The most milliseconds of each attempt, until the last byte of the answer. */
  timeout?: number | undefined
  /** The number of retries of a failed call. 0 means none. */
  maxRetries?: number | undefined
  /** Ends the call, also while it waits for a retry. */
  signal?: AbortSignal | undefined
  /**
   * Makes a POST safe to repeat, also in another process: for 24 hours the service answers the same
   * key with the same answer. By default each call gets a new key.
   */
  idempotencyKey?: string | undefined
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** Facts about the answer to a call, without its content. */
export type ResponseInfo = {
  status: number
  /** Finds this call in the logs of the service. */
  requestId: string | null
  /** Whether this is the stored answer to an earlier call with the same idempotency key. */
  replayed: boolean
  rateLimit: RateLimit | null
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** The number of attempts of the call. */
  attempts: number
}

export type WithResponse<T> = { data: T; response: ResponseInfo }

/**
 * A running call. `await` gives the content. `withResponse()` also gives the request id and the
 * rate limit.
 */
export class Call<T> implements Promise<T> {
  readonly #answer: Promise<WithResponse<T>>

  constructor(answer: Promise<WithResponse<T>>) {
    this.#answer = answer
  }

  get [Symbol.toStringTag](): string {
    return 'Call'
  }

  /** Returns the content of the answer, with its status, request id, rate limit and headers. */
  withResponse(): Promise<WithResponse<T>> {
    return this.#answer
  }

  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}
