import { type Dispatcher, errors } from 'undici'

/** What a receiver has answered. */
export type Answer = {
  statusCode: number
  retryAfter: string | undefined
  /** The first 20 kB of its body, as text that Postgres can store; null where it was cut off. */
  body: string | null
}

export type Exchange = {
  /** Rejects where no answer has begun, with what the dispatcher or the socket threw. */
  answer: Promise<Answer>
  /** Gives up: `answer` is null unless its beginning was there. */
  abort(): void
}

const MAX_BODY_BYTES = 20_000
/** 1xx, of which nobody needs any: an endless row of them would keep this thread busy. */
const MAX_INTERIM_ANSWERS = 10

/** Nobody waits for the rest any more. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError'
}

/**
 * Sends one request and reads the beginning of its answer. By the dispatcher itself: a stream, an
 * abort signal and a promise for each part would cost as much again as the exchange.
 */
export const startExchange = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
): Exchange => {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>()
  const reader = new AnswerReader(resolve, reject)
  dispatcher.dispatch(request, reader)
  return { answer, abort: () => reader.abandon() }
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (reason: unknown) => void
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #statusCode = 0
  #retryAfter: string | undefined
  #bytes = 0
  #interimAnswers = 0
  #abandoned = false

  constructor(resolve: (answer: Answer) => void, reject: (reason: unknown) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#abandoned) controller.abort(new AbandonedError())
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (statusCode < 200) {
      if (++this.#interimAnswers > MAX_INTERIM_ANSWERS) throw new errors.HeadersOverflowError()
      return
    }
    this.#statusCode = statusCode
    const retryAfter = headers['retry-after']
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter
  }

  /** What is too long is cut and the connection dropped: the status has said what there was to say. */
  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= MAX_BODY_BYTES) return
    this.#answer(this.#text())
    controller.abort(new AbandonedError())
  }

  onResponseEnd(): void {
    this.#answer(this.#text())
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#statusCode === 0) this.#reject(error)
    else this.#answer(null)
  }

  abandon(): void {
    this.#abandoned = true
    this.onResponseError(this.#controller as Dispatcher.DispatchController, new AbandonedError())
    this.#controller?.abort(new AbandonedError())
  }

  /** The first one counts. */
  #answer(body: string | null): void {
    this.#resolve({ statusCode: this.#statusCode, retryAfter: this.#retryAfter, body })
  }

  #text(): string {
    if (this.#bytes === 0) return ''
    const text = new TextDecoder().decode(
      Buffer.concat(this.#chunks).subarray(0, MAX_BODY_BYTES),
      // A character cut in the middle at the end is left out.
      { stream: this.#bytes > MAX_BODY_BYTES },
    )
    return text.replaceAll('\0', '')
  }
}
