import { Agent, type buildConnector } from 'undici'
import { parseRetryAfter } from '../kernel/formats/retry-after.ts'
import { createLru } from '../kernel/lru.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { type ConnectOptions, createGuardedConnector } from './connect.ts'
import { type DeliveryErrorKind, deliveryErrorKind, hasBroken } from './delivery-error.ts'
import { type Answer, postAndRead } from './exchange.ts'
import { type AddressPolicy, createAddressGuard } from './guard.ts'
import type { Signer } from './keys.ts'
import { createWebhookSigner } from './sign.ts'

export type Delivery = {
  url: string
  /** The id of the event, sent as the header `webhook-id`. */
  eventId: string
  /** The stored body, as text or UTF-8 bytes. This body is sent unchanged. */
  body: string | Uint8Array
  signers: readonly Signer[]
  /** Headers that the endpoint's owner added. They never replace the headers of this service. */
  headers: Readonly<Record<string, string>>
  /** The id of the API request that caused the event. */
  requestId: string | null
  /** The trace in which the event occurred, as a W3C `traceparent`. */
  traceParent: string | null
}

/** The result of an attempt. `errorKind` is null on success. */
export type DeliveryResult = {
  startedAt: Date
  durationMs: number
  statusCode: number | null
  errorKind: DeliveryErrorKind | null
  /** The first 20 kB of the response body. Null if the response is missing or incomplete. */
  responseBody: string | null
  /** The pause that the receiver asks for with `Retry-After`. */
  retryAfterMs: number | null
}

export type Deliverer = {
  /**
   * Makes one attempt, and sends the request again if the connection breaks. A failure is a normal
   * result. Rejects only if `signal` aborts; then the receiver may already have the request.
   */
  deliver(delivery: Delivery, signal?: AbortSignal): Promise<DeliveryResult>
  close(): Promise<void>
}

type DelivererOptions = {
  policy: AddressPolicy
  clock: Clock
  userAgent?: string
  /** The longest time for an attempt: DNS, connection, request and complete response. */
  timeoutMs?: number
  connectTimeoutMs?: number
} & Pick<ConnectOptions, 'resolve' | 'connectorBuilder'>

const MAX_HEADER_BYTES = 32 * 1024
const KEEP_ALIVE_MS = 4_000
/** The highest number of URLs in the cache of checked URLs. */
const MAX_TARGETS = 1_000

type Target = { origin: string; path: string }

/** Creates a sender of webhooks that follows no redirects and calls only allowed addresses. */
export const createDeliverer = (options: DelivererOptions): Deliverer => {
  const { clock, timeoutMs = 15_000, connectTimeoutMs = 5_000 } = options
  const userAgent = options.userAgent ?? 'Fundproof-Webhooks/1.0'
  const guard = createAddressGuard(options.policy)
  const signatureHeaders = createWebhookSigner()
  const { resolve, connectorBuilder } = options
  const connect = createGuardedConnector({ guard, connectTimeoutMs, resolve, connectorBuilder })
  const agent = createAgent(connect, { reuse: true })
  const freshAgent = createAgent(connect, { reuse: false })

  const targets = createLru<Target>(MAX_TARGETS)
  const targetOf = (url: string): Target => {
    const known = targets.get(url)
    if (known) return known
    const { origin, pathname, search } = guard.checkUrl(url)
    const target = { origin, path: `${pathname}${search}` }
    targets.set(url, target)
    return target
  }

  /** Assigns each header by name, because a second object spread would be slow. */
  const headersOf = (delivery: Delivery, at: Date): Record<string, string> => {
    const { eventId: id, body, requestId, traceParent, signers } = delivery
    const headers: Record<string, string> = { ...delivery.headers }
    const signed = signatureHeaders(signers, { id, at, body })
    headers['content-type'] = 'application/json'
    headers['user-agent'] = userAgent
    headers['webhook-id'] = signed['webhook-id']
    headers['webhook-timestamp'] = signed['webhook-timestamp']
    headers['webhook-signature'] = signed['webhook-signature']
    if (requestId !== null) headers['x-request-id'] = requestId
    if (traceParent !== null) headers.traceparent = traceParent
    return headers
  }

  const send = (delivery: Delivery, dispatcher: Agent, at: Date, signal: AbortSignal) => {
    const { origin, path } = targetOf(delivery.url)
    const headers = headersOf(delivery, at)
    return postAndRead(dispatcher, { origin, path, headers, body: delivery.body, signal })
  }

  return {
    async deliver(delivery, signal) {
      signal?.throwIfAborted()
      const startedAt = clock.now()
      const start = performance.now()
      const attempt = new AbortController()
      const giveUp = () => attempt.abort()
      const timer = setTimeout(giveUp, timeoutMs)
      signal?.addEventListener('abort', giveUp, { once: true })
      const resultOf = (
        errorKind: DeliveryErrorKind | null,
        { statusCode, body, retryAfter }: Answer,
      ): DeliveryResult => ({
        startedAt,
        durationMs: Math.round(performance.now() - start),
        statusCode,
        errorKind,
        responseBody: body,
        retryAfterMs: parseRetryAfter(retryAfter, startedAt),
      })
      /**
       * If the connection broke, sends the request again over a new connection. A receiver may
       * close an idle connection while a request is sent. Both requests have the same `webhook-id`.
       */
      const again = (error: unknown): Promise<Answer> => {
        if (attempt.signal.aborted || !hasBroken(error)) throw error
        return send(delivery, freshAgent, startedAt, attempt.signal)
      }
      try {
        const answer = await send(delivery, agent, startedAt, attempt.signal).catch(again)
        signal?.throwIfAborted()
        if (answer.body === null) {
          return resultOf(attempt.signal.aborted ? 'timeout' : 'body', answer)
        }
        const { statusCode } = answer
        const isGood = statusCode !== null && statusCode >= 200 && statusCode < 300
        return resultOf(isGood ? null : 'http', answer)
      } catch (error) {
        signal?.throwIfAborted()
        const kind = attempt.signal.aborted ? 'timeout' : deliveryErrorKind(error)
        return resultOf(kind, { statusCode: null, body: null, retryAfter: undefined })
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
      }
    },
    async close() {
      await Promise.all([agent.destroy(), freshAgent.destroy()])
    },
  }
}

/** Creates an HTTP agent. Without `reuse`, the agent opens a new connection for each request. */
const createAgent = (connect: buildConnector.connector, { reuse }: { reuse: boolean }): Agent =>
  new Agent({
    connect,
    allowH2: false,
    pipelining: reuse ? 1 : 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Both timeouts are off, because they begin again at each byte. `timeoutMs` limits the attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
