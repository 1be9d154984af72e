import { toApiError, type WholeResponse } from './answer.ts'
import { ApiError, type FundproofError } from './errors.ts'
import type { Rule } from './operation.ts'
import { isRetryable, pauseBefore } from './retry.ts'
import { abortError, type Runtime } from './runtime.ts'
import type { Refresh, TokenKeeper } from './tokens.ts'
import {
  type Transport,
  type TransportRequest,
  type TransportResponse,
  toConnectionError,
} from './transport.ts'

/** A call that is sent. `attempt` counts from 1. */
export type RequestNotice = { method: string; path: string; attempt: number }
/** An answer. `ms` is the time from the request to the last byte. */
export type ResponseNotice = RequestNotice & {
  status: number
  requestId: string | null
  ms: number
}
/** A failed attempt that is repeated after `waitMs`. */
export type RetryNotice = RequestNotice & { error: FundproofError; waitMs: number }

/** Functions that see each attempt. They see no bodies, no keys and no queries. */
export type Hooks = {
  onRequest?: ((notice: RequestNotice) => void) | undefined
  onResponse?: ((notice: ResponseNotice) => void) | undefined
  onRetry?: ((notice: RetryNotice) => void) | undefined
}

/** A call that is ready to be sent, also several times. */
export type Prepared = Omit<TransportRequest, 'headers'> & {
  path: string
  headers: Readonly<Record<string, string>>
  maxRetries: number
  /** The rule of the request's body. With it, an error names a field as this library does. */
  rule: Rule | undefined
  /** Whether to send the key or token of the client. */
  authenticated: boolean
}

export type ExchangeSettings = {
  transport: Transport
  apiKey: string | null
  tokens: TokenKeeper | null
  maxRetryAfter: number
  hooks: Hooks
  refresh: Refresh
}

/** Sends a call until it succeeds, fails for good or has used its retries. */
export const exchange = async (
  prepared: Prepared,
  settings: ExchangeSettings,
  runtime: Runtime,
): Promise<{ response: TransportResponse; attempts: number }> => {
  const { method, path, signal, maxRetries } = prepared
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) throw abortError(signal)
    const result = await tryOnce(prepared, attempt, settings, runtime)
    if ('response' in result) return { response: result.response, attempts: attempt }
    const { error } = result
    // An earlier attempt has deleted the resource, but its answer was lost.
    const isGone = method === 'DELETE' && attempt > 1 && error instanceof ApiError
    if (isGone && error.status === 404) {
      return {
        response: { status: 204, headers: error.headers, body: new Uint8Array() },
        attempts: attempt,
      }
    }
    const pause = { maxRetryAfter: settings.maxRetryAfter, random: runtime.random }
    const waitMs =
      attempt <= maxRetries && isRetryable(error) ? pauseBefore(error, attempt - 1, pause) : null
    if (waitMs === null) throw error
    settings.hooks.onRetry?.({ method, path, attempt, error, waitMs })
    await runtime.sleep(waitMs, signal)
  }
}

type Result = { response: TransportResponse } | { error: FundproofError }

/**
 * The number of times that one attempt loads newer tokens of other processes, which may also end
 * soon.
 */
const MAX_LOADS = 3

/**
 * Makes one attempt. If the token was refused, repeats the request at once with a new access token.
 */
const tryOnce = async (
  prepared: Prepared,
  attempt: number,
  settings: ExchangeSettings,
  runtime: Runtime,
): Promise<Result> => {
  const { refresh } = settings
  const { signal } = prepared
  const tokens = prepared.authenticated ? settings.tokens : null
  for (let loads = 0; ; loads++) {
    const token = await tokens?.access(refresh, signal)
    const result = await send(prepared, token, attempt, settings, runtime)
    const isRefused =
      'error' in result && 'code' in result.error && result.error.code === 'invalid_token'
    if (!isRefused || !tokens || token === undefined || loads === MAX_LOADS) return result
    const renewed = await tokens.renew(token, refresh, signal)
    if (renewed === null) return result
    if (renewed === 'refreshed') loads = MAX_LOADS - 1
  }
}

/**
 * Sends one request. Errors of hooks are thrown as they are, because they are no connection errors.
 */
const send = async (
  prepared: Prepared,
  token: string | undefined,
  attempt: number,
  settings: ExchangeSettings,
  runtime: Runtime,
): Promise<Result> => {
  const { method, path, url, body, timeout, signal, stream } = prepared
  const headers = { ...prepared.headers, ...credentials(prepared, token, settings) }
  const { transport, hooks } = settings
  hooks.onRequest?.({ method, path, attempt })
  const startedAt = runtime.now()
  let response: TransportResponse
  try {
    response = await transport.send({ method, url, headers, body, timeout, signal, stream })
  } catch (error) {
    return { error: toConnectionError(error, url) }
  }
  const { status } = response
  const requestId = response.headers['x-request-id'] ?? null
  hooks.onResponse?.({ method, path, attempt, status, requestId, ms: runtime.now() - startedAt })
  if (status >= 200 && status < 300) return { response }
  const whole: WholeResponse = { ...response, body: await wholeOf(response.body) }
  const facts = { attempts: attempt, now: runtime.now(), rule: prepared.rule }
  return { error: toApiError(whole, facts) }
}

const credentials = (
  { authenticated }: Prepared,
  token: string | undefined,
  { apiKey }: ExchangeSettings,
): Record<string, string> => {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  return apiKey === null || !authenticated ? {} : { 'x-api-key': apiKey }
}

/** Joins the body of a transport, which comes in one part or in pieces. */
export const wholeOf = async (
  body: TransportResponse['body'],
): Promise<Uint8Array<ArrayBuffer>> => {
  if (body instanceof Uint8Array) return body
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of body) pieces.push(new Uint8Array(piece))
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}
