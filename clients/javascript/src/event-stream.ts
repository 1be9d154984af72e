import type { CallOptions } from './call.ts'
import type { Core } from './core.ts'
import { ApiError, ConnectionError, FundproofError, TimeoutError } from './errors.ts'
import { objectOf } from './json.ts'
import type { Operation } from './operation.ts'
import { isRetryable, pauseBefore } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { SseParser } from './sse.ts'

/** The options of a stream. `timeout` bounds only the wait for its beginning. */
export type StreamOptions = Omit<CallOptions, 'idempotencyKey'>

/** Three heartbeats of the service. A connection that is silent for longer is dead. */
const MAX_SILENCE_MS = 45_000
const DEFAULT_RETRY_MS = 1_000
/** The limits of the pause that the service asks for by `retry`. */
const MIN_RETRY_MS = 250
const MAX_RETRY_MS = 60_000
/** The number of event ids that are kept, so that no event comes twice. */
const REMEMBERED = 1_000

/**
 * Events as they happen, for a `for await` loop. After a broken connection the stream connects
 * again, without missing or repeated events. `break`, `close()` or the signal ends the stream.
 *
 * @example for await (const event of fundproof.events.stream()) console.log(event.event)
 */
export class EventStream<T extends { id: string }> implements AsyncIterable<T> {
  readonly #core: Core
  readonly #operation: Operation
  readonly #params: { after?: string | undefined }
  readonly #options: StreamOptions
  readonly #closing = new AbortController()
  readonly #seen = new Set<string>()
  #lastEventId: string | null = null
  #retryMs = DEFAULT_RETRY_MS

  constructor(core: Core, operation: Operation, params: object, options: StreamOptions = {}) {
    this.#core = core
    this.#operation = operation
    this.#params = params
    this.#options = options
  }

  /**
   * The position after the last event, at first `after`. Store it when you have handled the event,
   * and pass it as `after` in another process.
   */
  get lastEventId(): string | null {
    return this.#lastEventId ?? this.#params.after ?? null
  }

  /** Ends the stream and its connection. The iteration ends without an error. */
  close(): void {
    this.#closing.abort()
  }

  /**
   * Yields the events. Throws if the first connection fails after its retries. Later connections
   * are retried until they succeed, unless the service refuses them.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { signal } = this.#options
    let failures = 0
    let wasOpen = false
    try {
      while (!this.#closing.signal.aborted) {
        let failure: FundproofError | undefined
        try {
          for await (const event of this.#connection(!wasOpen)) {
            if (event === OPENED) {
              wasOpen = true
              continue
            }
            failures = 0
            yield event
          }
        } catch (error) {
          if (this.#closing.signal.aborted) return
          if (signal?.aborted || !wasOpen || !isWorthRepeating(error)) throw error
          failure = error
        }
        failures = failure === undefined ? 0 : failures + 1
        await this.#pause(failures, failure)
      }
    } finally {
      this.close()
    }
  }

  /**
   * Waits as long as the service asks for, or longer after each failure.
   *
   * @throws the failure if the service asks for more than `maxRetryAfter`
   */
  async #pause(failures: number, failure: FundproofError | undefined): Promise<void> {
    const { maxRetryAfter, runtime } = this.#core
    const { random, sleep } = runtime
    const longer = failure ? pauseBefore(failure, failures - 1, { maxRetryAfter, random }) : 0
    if (longer === null) throw failure
    const { signal } = this.#options
    const either = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    await sleep(Math.max(this.#retryMs, longer), either).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) throw error
    })
  }

  /** Yields the events of one connection, after a mark that the connection is open. */
  async *#connection(isFirst: boolean): AsyncGenerator<T | typeof OPENED> {
    const { signal, headers, maxRetries, ...rest } = this.#options
    const ending = new AbortController()
    const signals = [ending.signal, this.#closing.signal, ...(signal ? [signal] : [])]
    const position = this.#lastEventId
    const options = {
      ...rest,
      signal: AbortSignal.any(signals),
      headers: { ...headers, ...(position === null ? {} : { 'last-event-id': position }) },
      ...(isFirst ? { maxRetries } : { maxRetries: 0 }),
    }
    const asked = { operation: this.#operation, segments: [], params: this.#params, options }
    try {
      const body = await this.#core.open(asked)
      yield OPENED
      const parser = new SseParser(position ?? '')
      for await (const bytes of withoutSilence(body, this.#core.runtime.sleep)) {
        for (const { id, data } of parser.push(bytes)) {
          const event = this.#read(data)
          this.#lastEventId = id || this.#lastEventId
          if (event) yield event
        }
        this.#lastEventId = parser.lastEventId || this.#lastEventId
        const retryMs = parser.retryMs ?? this.#retryMs
        this.#retryMs = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, retryMs))
      }
    } finally {
      ending.abort()
    }
  }

  /**
   * Parses the event of a message, also if the event is malformed. Undefined for an event that came
   * before.
   */
  #read(data: string): T | undefined {
    const event = (objectOf(data) ?? { data }) as T
    if (this.#seen.has(event.id)) return undefined
    if (event.id) this.#seen.add(event.id)
    const [oldest] = this.#seen
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest)
    return event
  }
}

const OPENED = Symbol('opened')

/** Whether another connection may succeed: no for a refusal, except while the service is busy. */
const isWorthRepeating = (error: unknown): error is FundproofError => {
  if (error instanceof ApiError && error.code === 'too_many_streams') return false
  return error instanceof FundproofError && isRetryable(error)
}

/** Yields the pieces of a body. Throws TimeoutError after too long a silence. */
async function* withoutSilence(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  sleep: Runtime['sleep'],
): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    yield body
    return
  }
  const pieces = body[Symbol.asyncIterator]()
  try {
    while (true) {
      const piece = await nextOf(pieces, sleep)
      if (piece.done) return
      yield piece.value
    }
  } finally {
    // Does not wait for the end, because a dead connection may never answer.
    pieces.return?.().catch(() => undefined)
  }
}

const nextOf = async (
  pieces: AsyncIterator<Uint8Array>,
  sleep: Runtime['sleep'],
): Promise<IteratorResult<Uint8Array>> => {
  const waiting = new AbortController()
  const silence = sleep(MAX_SILENCE_MS, waiting.signal).then((): never => {
    throw new TimeoutError(`The stream was silent for ${MAX_SILENCE_MS} ms.`)
  })
  try {
    return await Promise.race([pieces.next(), silence])
  } catch (error) {
    if (error instanceof FundproofError) throw error
    throw new ConnectionError('The connection of the stream broke.', { cause: error })
  } finally {
    waiting.abort()
  }
}
