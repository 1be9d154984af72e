import { Agent, type buildConnector } from 'undici'
import type { Clock } from '../kernel/clock.ts'
import { createLru } from '../kernel/lru.ts'
import { type ConnectOptions, createGuardedConnector } from './connect.ts'
import { type DeliveryErrorKind, deliveryErrorKind, hasBroken } from './delivery-error.ts'
import { type Answer, type Exchange, startExchange } from './exchange.ts'
import { type AddressPolicy, createAddressGuard } from './guard.ts'
import type { Signer } from './keys.ts'
import { parseRetryAfter } from './retry-after.ts'
import { createWebhookSigner } from './sign.ts'

export type Delivery = {
  url: string
  /** Becomes the `webhook-id`. */
  eventId: string
  /** The stored text, or its bytes in UTF-8; sent byte for byte. */
  body: string | Uint8Array
  signers: readonly Signer[]
  /** The endpoint's own, none of which is one of ours. */
  headers: Readonly<Record<string, string>>
  /** The request that caused the event. */
  requestId: string | null
  /** W3C Trace Context of what caused it. */
  traceParent: string | null
}

/** One attempt, as it is stored. Success is `errorKind` null. */
export type DeliveryResult = {
  startedAt: Date
  durationMs: number
  statusCode: number | null
  errorKind: DeliveryErrorKind | null
  /** The first 20 kB of the answer's body. */
  responseBody: string | null
  /** How long the receiver asks us to wait. */
  retryAfterMs: number | null
}

export type Deliverer = {
  /**
   * Makes one attempt, in two tries where a connection breaks; failures are results. Rejects only
   * with the reason of `signal`, whose attempt then has no result: it may or may not have arrived.
   */
  deliver(delivery: Delivery, signal?: AbortSignal): Promise<DeliveryResult>
  close(): Promise<void>
}

export type DelivererOptions = {
  policy: AddressPolicy
  clock: Clock
  userAgent?: string
  /** For the whole exchange: name, connection, request, answer with its body. */
  timeoutMs?: number
  connectTimeoutMs?: number
} & Pick<ConnectOptions, 'resolve' | 'connectorBuilder'>

const MAX_HEADER_BYTES = 32 * 1024
const KEEP_ALIVE_MS = 4_000
/** URLs that were checked lately, and found good: what they say by themselves does not change. */
const MAX_TARGETS = 1_000

type Target = { origin: string; path: string }

/** Builds what sends signed events. It follows no redirect and calls only what the guard allows. */
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

  /** Written one by one: a spread of each would take as long as signing. */
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

  const begin = (delivery: Delivery, dispatcher: Agent, startedAt: Date): Exchange => {
    const { origin, path } = targetOf(delivery.url)
    const headers = headersOf(delivery, startedAt)
    return startExchange(dispatcher, { origin, path, method: 'POST', body: delivery.body, headers })
  }

  /** What is under way and ends with a signal, by the signal. */
  const underWay = new WeakMap<AbortSignal, Set<Attempt>>()
  const attemptsUnder = (signal: AbortSignal): Set<Attempt> => {
    const known = underWay.get(signal)
    if (known) return known
    const attempts = new Set<Attempt>()
    underWay.set(signal, attempts)
    const abort = () => {
      for (const attempt of attempts) attempt.giveUp()
    }
    signal.addEventListener('abort', abort, { once: true })
    return attempts
  }

  /**
   * A receiver may close a kept connection in the moment in which it is used again: what breaks
   * before an answer is sent once more, at once and over a new one. A double has the same id.
   */
  const again = (delivery: Delivery, attempt: Attempt, error: unknown): Promise<Answer> => {
    if (attempt.over || !hasBroken(error)) throw error
    return attempt.run(begin(delivery, freshAgent, attempt.startedAt))
  }

  return {
    async deliver(delivery, signal) {
      if (signal?.aborted) throw signal.reason
      const attempt = new Attempt(clock.now())
      const timer = setTimeout(() => attempt.giveUp(), timeoutMs)
      const others = signal && attemptsUnder(signal)
      others?.add(attempt)
      try {
        const { statusCode, body, retryAfter } = await attempt
          .run(begin(delivery, agent, attempt.startedAt))
          .catch((error: unknown) => again(delivery, attempt, error))
        if (signal?.aborted) throw signal.reason
        const retryAfterMs = parseRetryAfter(retryAfter, attempt.startedAt)
        const failed = statusCode >= 200 && statusCode < 300 ? null : 'http'
        const cut = attempt.over ? 'timeout' : 'body'
        return attempt.result(body === null ? cut : failed, { statusCode, body, retryAfterMs })
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        return attempt.result(attempt.over ? 'timeout' : deliveryErrorKind(error), NO_ANSWER)
      } finally {
        clearTimeout(timer)
        others?.delete(attempt)
      }
    },
    async close() {
      await Promise.all([agent.destroy(), freshAgent.destroy()])
    },
  }
}

/** A pool of connections for each origin, or one for each request. */
const createAgent = (connect: buildConnector.connector, { reuse }: { reuse: boolean }): Agent =>
  new Agent({
    connect,
    allowH2: false,
    pipelining: reuse ? 1 : 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the whole exchange holds instead: these two start anew with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

const NO_ANSWER = { statusCode: null, body: null, retryAfterMs: null }

/** What is under way for one delivery, until it has an answer or is given up. */
class Attempt {
  readonly startedAt: Date
  readonly #start = performance.now()
  #exchange: Exchange | undefined
  /** Given up: by its deadline or by the caller. */
  over = false

  constructor(startedAt: Date) {
    this.startedAt = startedAt
  }

  run(exchange: Exchange): Promise<Answer> {
    this.#exchange = exchange
    return exchange.answer
  }

  giveUp(): void {
    this.over = true
    this.#exchange?.abort()
  }

  result(
    errorKind: DeliveryErrorKind | null,
    answer: { statusCode: number | null; body: string | null; retryAfterMs: number | null },
  ): DeliveryResult {
    const durationMs = Math.round(performance.now() - this.#start)
    const { statusCode, body: responseBody, retryAfterMs } = answer
    return {
      startedAt: this.startedAt,
      durationMs,
      statusCode,
      errorKind,
      responseBody,
      retryAfterMs,
    }
  }
}
