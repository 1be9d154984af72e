import { ConnectionError, FundproofError, TimeoutError } from './errors.ts'
import { abortError, MAX_TIMER_MS } from './runtime.ts'

/** One attempt of a call, ready to send. */
export type TransportRequest = {
  method: string
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array<ArrayBuffer> | null
  /** The most milliseconds until the last byte of the body. In a stream: until the headers. */
  timeout: number
  signal?: AbortSignal | undefined
  /** Whether the body of the answer is read piece by piece, for events. */
  stream: boolean
}

export type TransportResponse = {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** The whole body. Or its pieces, if the request has `stream`. */
  body: Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>
}

/**
 * Sends one attempt, does not repeat it and does not follow redirects. A client uses `fetch`; give
 * another transport for a proxy of your own, and `FakeTransport` in tests.
 */
export type Transport = {
  send(request: TransportRequest): Promise<TransportResponse>
}

/** Sends requests with the `fetch` of the platform, or with the given function `fetch`. */
export class FetchTransport implements Transport {
  readonly #fetch: typeof fetch

  constructor(options: { fetch?: typeof fetch | undefined } = {}) {
    // Browsers refuse a `fetch` that is called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return withinLimits(request, async (signal) => {
      const { method, url, headers, body } = request
      const send = this.#fetch
      const response = await send(url, { method, headers, body, signal, redirect: 'manual' })
      if (response.status === 0) {
        throw new ConnectionError(
          `${new URL(url).origin} answers with a redirect, which is not followed. Set baseUrl to the address to which it leads.`,
        )
      }
      const head = { status: response.status, headers: Object.fromEntries(response.headers) }
      if (request.stream && isEventStream(head) && response.body) {
        return { ...head, body: piecesOf(response.body) }
      }
      return { ...head, body: new Uint8Array(await response.arrayBuffer()) }
    })
  }
}

/** Whether an answer is a stream of events. Other answers are read as a whole. */
export const isEventStream = ({ status, headers }: Omit<TransportResponse, 'body'>): boolean =>
  status === 200 && /^text\/event-stream\s*(;|$)/i.test(headers['content-type'] ?? '')

/** Ends the work at the timeout or with the caller's signal, even if `fetch` ignores both. */
const withinLimits = async (
  request: TransportRequest,
  work: (signal: AbortSignal) => Promise<TransportResponse>,
): Promise<TransportResponse> => {
  const { signal, timeout, url } = request
  if (signal?.aborted) throw abortError(signal)
  const controller = new AbortController()
  const stop = (error: FundproofError): void => controller.abort(error)
  // `Promise.withResolvers` is missing in Node 20.
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
  })
  const onAbort = (): void => stop(signal ? abortError(signal) : new FundproofError())
  const expire = (): void =>
    stop(new TimeoutError(`No complete answer from ${originOf(url)} within ${timeout} ms.`))
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = timeout <= MAX_TIMER_MS ? setTimeout(expire, timeout) : undefined
  let handedOut = false
  try {
    const response = await Promise.race([work(controller.signal), stopped])
    handedOut = !(response.body instanceof Uint8Array)
    return response
  } catch (error) {
    throw toConnectionError(error, url)
  } finally {
    clearTimeout(timer)
    // The signal of a stream is still needed while its pieces are read.
    if (!handedOut) signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Turns an unknown error into a ConnectionError with the innermost message, such as ECONNREFUSED.
 */
export const toConnectionError = (error: unknown, url: string): FundproofError => {
  if (error instanceof FundproofError) return error
  const deepest = deepestOf(error)
  return new ConnectionError(
    `No complete answer from ${originOf(url)}: ${deepest}. Is the service running, and is baseUrl right?`,
    { cause: error },
  )
}

const deepestOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return deepestOf(error.cause)
  const code = (error as { code?: unknown }).code
  return error.message || (typeof code === 'string' ? code : error.name)
}

const originOf = (url: string): string => new URL(url).origin

/** Reads with a reader, because not every browser can iterate over a ReadableStream. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
