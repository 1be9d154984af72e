import { Agent, type buildConnector, type Dispatcher, errors, request } from 'undici'
import type { Clock } from '../kernel/clock.ts'
import { type ConnectOptions, createGuardedConnector } from './connect.ts'
import { type DeliveryErrorKind, deliveryErrorKind, hasBroken } from './delivery-error.ts'
import { type AddressPolicy, createAddressGuard } from './guard.ts'
import type { Signer } from './keys.ts'
import { parseRetryAfter } from './retry-after.ts'
import { createWebhookSigner } from './sign.ts'

export type Delivery = {
  url: string
  /** Becomes the `webhook-id`. */
  eventId: string
  /** The stored text, sent byte for byte. */
  body: string
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

const MAX_BODY_BYTES = 20_000
const MAX_HEADER_BYTES = 32 * 1024
/** 1xx, of which nobody needs any: an endless row of them would keep this thread busy. */
const MAX_INTERIM_ANSWERS = 10
const KEEP_ALIVE_MS = 4_000

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

  const send = (delivery: Delivery, dispatcher: Agent, startedAt: Date, signal: AbortSignal) => {
    let interimAnswers = 0
    return request(guard.checkUrl(delivery.url), {
      dispatcher,
      method: 'POST',
      signal,
      onInfo() {
        if (++interimAnswers > MAX_INTERIM_ANSWERS) throw new errors.HeadersOverflowError()
      },
      body: delivery.body,
      headers: {
        ...delivery.headers,
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signatureHeaders(delivery.signers, {
          id: delivery.eventId,
          at: startedAt,
          body: delivery.body,
        }),
        ...(delivery.requestId === null ? {} : { 'x-request-id': delivery.requestId }),
        ...(delivery.traceParent === null ? {} : { traceparent: delivery.traceParent }),
      },
    })
  }

  /**
   * A receiver may close a kept connection in the moment in which it is used again: what breaks
   * before an answer is sent once more, at once and over a new one. A double has the same id.
   */
  const sendTwice = async (delivery: Delivery, startedAt: Date, signal: AbortSignal) => {
    try {
      return await send(delivery, agent, startedAt, signal)
    } catch (error) {
      if (signal.aborted || !hasBroken(error)) throw error
      return send(delivery, freshAgent, startedAt, signal)
    }
  }

  return {
    async deliver(delivery, signal) {
      const startedAt = clock.now()
      const start = performance.now()
      const deadline = createDeadline(timeoutMs, signal)
      let statusCode: number | null = null
      let retryAfterMs: number | null = null
      const result = (errorKind: DeliveryErrorKind | null, responseBody: string | null) => {
        const durationMs = Math.round(performance.now() - start)
        return { startedAt, durationMs, statusCode, errorKind, responseBody, retryAfterMs }
      }
      try {
        const answer = await sendTwice(delivery, startedAt, deadline.signal)
        statusCode = answer.statusCode
        retryAfterMs = parseRetryAfter(answer.headers['retry-after'], startedAt)
        const empty = statusCode === 204 || answer.headers['content-length'] === '0'
        const body = empty ? await answer.body.dump().then(() => '') : await readStart(answer.body)
        return result(statusCode >= 200 && statusCode < 300 ? null : 'http', body)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (deadline.passed()) return result('timeout', null)
        return result(statusCode === null ? deliveryErrorKind(error) : 'body', null)
      } finally {
        deadline.clear()
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

/** One signal for the time limit and the caller's wish, which leaves nothing behind when cleared. */
const createDeadline = (timeoutMs: number, outer: AbortSignal | undefined) => {
  const controller = new AbortController()
  let passed = false
  const timer = setTimeout(() => {
    passed = true
    controller.abort()
  }, timeoutMs)
  const abort = () => controller.abort()
  if (outer?.aborted) abort()
  else outer?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    passed: () => passed,
    clear() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', abort)
    },
  }
}

/**
 * The beginning of a body as text that Postgres can store. What is longer is cut and the
 * connection dropped, which fails nothing: the receiver's status has said what it had to say.
 */
const readStart = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    const piece = Buffer.from(chunk)
    chunks.push(piece)
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES), {
    // A character cut in the middle at the end is left out.
    stream: bytes > MAX_BODY_BYTES,
  })
  return text.replaceAll('\0', '')
}
