import { rateLimitOf, toApiError, type WholeResponse } from './answer.ts'
import { Call, type CallOptions, type ResponseInfo, type WithResponse } from './call.ts'
import { contentOf } from './content.ts'
import { ConfigurationError } from './errors.ts'
import { type ExchangeSettings, exchange, type Hooks, type Prepared, wholeOf } from './exchange.ts'
import { operations } from './generated/operations.ts'
import type { Tokens } from './generated/types.ts'
import { knowsOnly } from './known-names.ts'
import type { Operation } from './operation.ts'
import { newKey, type Runtime, realRuntime } from './runtime.ts'
import { encode } from './shapes.ts'
import type { Refresh, TokenKeeper } from './tokens.ts'
import { isEventStream, type Transport, type TransportResponse } from './transport.ts'
import { fillPath, queryText } from './url.ts'

/** The checked options of a client. Times are in milliseconds. */
export type Settings = {
  environment: 'sandbox' | 'production'
  /** Without a slash at its end. */
  baseUrl: string
  apiKey: string | null
  tokens: TokenKeeper | null
  timeout: number
  maxRetries: number
  maxRetryAfter: number
  transport: Transport
  /** Null in browsers, which refuse other headers than the service's CORS list allows. */
  userAgent: string | null
  hooks: Hooks
}

/** The content of an upload: a Blob or File, or bytes with their media type. */
export type FileInput = Blob | { data: Uint8Array | ArrayBuffer; type: string }

/**
 * The parts of one call. `params` are the query of a GET or DELETE, and the JSON body of any other
 * request.
 */
export type Asked = {
  operation: Operation
  segments: readonly unknown[]
  params?: object | undefined
  file?: FileInput | undefined
  options?: CallOptions | undefined
}

const CALL_OPTIONS = 'timeout maxRetries signal idempotencyKey headers'.split(' ')

const encoder = new TextEncoder()

/** Sends the calls of one client. All resources of a client share it. */
export class Core {
  readonly runtime: Runtime
  readonly maxRetryAfter: number
  readonly timeout: number
  readonly #settings: Settings
  readonly #exchange: ExchangeSettings

  constructor(settings: Settings, runtime: Runtime = realRuntime) {
    this.runtime = runtime
    this.maxRetryAfter = settings.maxRetryAfter
    this.timeout = settings.timeout
    this.#settings = settings
    const { transport, apiKey, tokens, maxRetryAfter, hooks } = settings
    const refresh: Refresh = (...asked) => this.#refresh(...asked)
    tokens?.start(runtime.now)
    this.#exchange = { transport, apiKey, tokens, maxRetryAfter, hooks, refresh }
  }

  call<T>(asked: Asked): Call<T> {
    return new Call<T>(
      this.send(asked).then(({ data, response }) => ({ data: data as T, response })),
    )
  }

  /** Sends a call and reads the content of its answer. */
  async send(asked: Asked): Promise<WithResponse<unknown>> {
    return this.#read(asked.operation, await this.#prepare(asked))
  }

  /**
   * Opens a stream. Does not retry, because the stream itself connects again.
   *
   * @throws ApiError if the answer is no stream
   */
  async open(asked: Asked): Promise<TransportResponse['body']> {
    const prepared = await this.#prepare(asked)
    const headers = { ...prepared.headers, accept: 'text/event-stream' }
    const { response, attempts } = await this.#send({ ...prepared, headers, stream: true })
    if (isEventStream(response)) return response.body
    const whole = { ...response, body: await wholeOf(response.body) }
    throw toApiError(whole, { attempts, now: this.runtime.now() })
  }

  async #read(operation: Operation, prepared: Prepared): Promise<WithResponse<unknown>> {
    const { response, attempts } = await this.#send(prepared)
    const whole: WholeResponse = { ...response, body: await wholeOf(response.body) }
    const data = contentOf(operation, whole, { attempts, now: this.runtime.now() })
    return { data, response: infoOf(whole, attempts) }
  }

  #send(prepared: Prepared): Promise<{ response: TransportResponse; attempts: number }> {
    return exchange(prepared, this.#exchange, this.runtime)
  }

  async #refresh(refreshToken: string, idempotencyKey: string): Promise<Tokens> {
    const prepared = await this.#prepare({
      operation: operations.refresh,
      segments: [],
      params: { refreshToken },
      options: { idempotencyKey },
    })
    const answer = await this.#read(operations.refresh, { ...prepared, authenticated: false })
    return answer.data as Tokens
  }

  async #prepare({ operation, segments, params, file, options = {} }: Asked): Promise<Prepared> {
    knowsOnly(options, CALL_OPTIONS)
    const { baseUrl, userAgent } = this.#settings
    const [method = '', template = ''] = operation.at.split(' ')
    const isQuery = method === 'GET' || method === 'DELETE'
    const path = fillPath(template, segments)
    const query = isQuery ? queryText({ ...params }) : ''
    const body = isQuery ? null : await bodyOf(operation, params, file)
    const headers = {
      accept: 'application/json',
      prefer: 'amounts=text',
      ...(userAgent === null ? {} : { 'user-agent': userAgent }),
      ...(body === null ? {} : { 'content-type': body.type }),
      ...(method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? newKey() } : {}),
      ...lowerCase(options.headers ?? {}),
    }
    checkHeaders(headers)
    return {
      method,
      path: path.split('?')[0] ?? path,
      url: baseUrl + (path.includes('?') ? path + query.replace('?', '&') : path + query),
      headers,
      body: body === null ? null : body.data,
      timeout: limit('timeout', options.timeout ?? this.#settings.timeout, 1),
      maxRetries: limit('maxRetries', options.maxRetries ?? this.#settings.maxRetries, 0),
      signal: options.signal,
      rule: operation.in,
      stream: false,
      authenticated: true,
    }
  }
}

/** @throws ConfigurationError unless the value is a number of at least `least` */
export const limit = (name: string, value: number, least: number): number => {
  if (typeof value === 'number' && value >= least) return value
  throw new ConfigurationError(`${name} must be a number of at least ${least}, not ${value}.`)
}

type Body = { data: Uint8Array<ArrayBuffer>; type: string }

const bodyOf = async (
  operation: Operation,
  params: object | undefined,
  file: FileInput | undefined,
): Promise<Body | null> => {
  if (file !== undefined) return fileBody(file)
  if (params === undefined) return null
  const json = JSON.stringify(encode(params, operation.in))
  return { data: encoder.encode(json), type: 'application/json' }
}

const fileBody = async (file: FileInput): Promise<Body> => {
  const data = file instanceof Blob ? await file.arrayBuffer() : file.data
  if (file.type !== '') return { data: new Uint8Array(data), type: file.type }
  throw new TypeError("The type of the file is missing: pass { data, type: 'image/png' }.")
}

const infoOf = ({ status, headers }: WholeResponse, attempts: number): ResponseInfo => ({
  status,
  requestId: headers['x-request-id'] ?? null,
  replayed: headers['idempotent-replayed'] === 'true',
  rateLimit: rateLimitOf(headers),
  headers,
  attempts,
})

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * Checks the headers before `fetch` does, because its errors show the values and look like
 * connection errors.
 */
const checkHeaders = (headers: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError('A header has a wrong name.')
    if (typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue
    throw new TypeError(`The value of the header ${name} is no text of printable characters.`)
  }
}
