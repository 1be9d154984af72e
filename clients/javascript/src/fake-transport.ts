import { ConnectionError } from './errors.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

/** An answer of a FakeTransport. A `body` that is no text or bytes is sent as JSON. */
export type FakeAnswer = {
  /** Default: 200. */
  status?: number | undefined
  /** The default `Content-Type` is `text/event-stream` if the request asks for a stream. */
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
}

/** An answer, an error to throw, or a function that makes one of them. */
export type FakeStep =
  | FakeAnswer
  | Error
  | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>)

/** A request that a FakeTransport got. */
export type FakeRequest = TransportRequest & {
  /** The path with its query, without the base address. */
  path: string
  /** The parsed JSON body. Null without a body. */
  json: unknown
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Answers calls without a network, for the tests of your program.
 *
 * @example
 * const transport = new FakeTransport([{ body: { id: '1', status: 'completed' } }])
 * const fundproof = new Fundproof({ environment: 'sandbox', baseUrl: 'https://test', transport })
 * await fundproof.donations.get('1')
 * transport.requests[0].path // '/api/donations/1'
 */
export class FakeTransport implements Transport {
  /** The requests so far. */
  readonly requests: FakeRequest[] = []
  readonly #steps: FakeStep[]

  /** @param steps the answers in the order of the requests; a further request throws */
  constructor(steps: readonly FakeStep[] = []) {
    this.#steps = [...steps]
  }

  /** Adds an answer for a later request. */
  add(step: FakeStep): this {
    this.#steps.push(step)
    return this
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { pathname, search } = new URL(request.url)
    const text = request.body === null ? '' : decoder.decode(request.body)
    const isJson = request.headers['content-type'] === 'application/json'
    const seen = { ...request, path: pathname + search, json: isJson ? JSON.parse(text) : null }
    this.requests.push(seen)
    const step = this.#steps.shift()
    if (step === undefined) {
      throw new ConnectionError(
        `The FakeTransport has no answer left for ${request.method} ${seen.path}: give it one more.`,
      )
    }
    if (step instanceof Error) throw step
    const answer = typeof step === 'function' ? await step(seen) : step
    const type = request.stream ? { 'content-type': 'text/event-stream' } : {}
    const headers = Object.entries({ ...type, ...answer.headers })
    return {
      status: answer.status ?? 200,
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: bytesOf(answer.body),
    }
  }
}

const bytesOf = (body: unknown): Uint8Array<ArrayBuffer> => {
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (body === undefined) return new Uint8Array()
  return encoder.encode(typeof body === 'string' ? body : JSON.stringify(body))
}
