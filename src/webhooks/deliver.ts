import { Agent, type Dispatcher, request } from 'undici'
import type { Clock } from '../kernel/clock.ts'
import { type ConnectOptions, createGuardedConnector } from './connect.ts'
import { type DeliveryErrorKind, deliveryErrorKind } from './delivery-error.ts'
import { type AddressPolicy, createAddressGuard } from './guard.ts'
import { parseRetryAfter } from './retry-after.ts'
import { signatureHeaders } from './sign.ts'

export type Delivery = {
  url: string
  /** Becomes the `webhook-id`. */
  eventId: string
  /** The stored text, sent byte for byte. */
  body: string
  secrets: readonly string[]
  /** The request that caused the event. */
  requestId: string | null
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
   * Makes one attempt; failures are results. Rejects only with the reason of `signal`, whose
   * attempt then has no result: it may or may not have arrived.
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
const KEEP_ALIVE_MS = 4_000

/** Builds what sends signed events. It follows no redirect and calls only what the guard allows. */
export const createDeliverer = (options: DelivererOptions): Deliverer => {
  const { clock, timeoutMs = 15_000, connectTimeoutMs = 5_000 } = options
  const userAgent = options.userAgent ?? 'Fundproof-Webhooks/1.0'
  const guard = createAddressGuard(options.policy)
  const { resolve, connectorBuilder } = options
  const agent = new Agent({
    connect: createGuardedConnector({ guard, connectTimeoutMs, resolve, connectorBuilder }),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the whole exchange holds instead: these two start anew with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const send = async (delivery: Delivery, startedAt: Date, signal: AbortSignal) =>
    request(guard.checkUrl(delivery.url), {
      dispatcher: agent,
      method: 'POST',
      signal,
      body: delivery.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signatureHeaders(delivery.secrets, {
          id: delivery.eventId,
          at: startedAt,
          body: delivery.body,
        }),
        ...(delivery.requestId === null ? {} : { 'x-request-id': delivery.requestId }),
      },
    })

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
        const answer = await send(delivery, startedAt, deadline.signal)
        statusCode = answer.statusCode
        retryAfterMs = parseRetryAfter(answer.headers['retry-after'], startedAt)
        const body = await readStart(answer.body)
        return result(statusCode >= 200 && statusCode < 300 ? null : 'http', body)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (deadline.passed()) return result('timeout', null)
        return result(statusCode === null ? deliveryErrorKind(error) : 'body', null)
      } finally {
        deadline.clear()
      }
    },
    close: () => agent.destroy(),
  }
}

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
