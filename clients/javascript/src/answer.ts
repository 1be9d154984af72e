import {
  ApiError,
  AuthenticationError,
  ConflictError,
  type ErrorDetail,
  InvalidRequestError,
  LegalError,
  NotFoundError,
  PermissionError,
  type RateLimit,
  RateLimitError,
  type Refusal,
  ServerError,
} from './errors.ts'
import { retryAfterMs } from './retry.ts'
import type { TransportResponse } from './transport.ts'

/** An answer with its whole body. */
export type WholeResponse = TransportResponse & { body: Uint8Array<ArrayBuffer> }

const EXCERPT_CHARS = 200

const CLASSES: Readonly<Record<number, new (refusal: Refusal) => ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
  451: LegalError,
}

const decoder = new TextDecoder()

export const textOf = (response: WholeResponse): string => decoder.decode(response.body)

/**
 * The error of an answer that is no success, or a success without readable content. A body that is
 * not from Fundproof gives an error without a code.
 */
export const toApiError = (
  response: WholeResponse,
  { attempts, now }: { attempts: number; now: number },
): ApiError => {
  const { status, headers } = response
  const text = textOf(response)
  const body = ownBody(text)
  const details = body?.details
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Class({
    message: body?.error ?? (text.slice(0, EXCERPT_CHARS) || emptyMessage(response)),
    status,
    code: body?.code ?? null,
    requestId: stringOf(body?.requestId) ?? headers['x-request-id'] ?? null,
    details: Array.isArray(details) ? (details as ErrorDetail[]) : [],
    requires: stringOf(body?.requires),
    retryAfter: retryAfterMs(headers['retry-after'], now),
    rateLimit: rateLimitOf(headers),
    headers,
    attempts,
  })
}

type OwnBody = { error: string; code: string; [field: string]: unknown }

/** The body of an error, if Fundproof wrote it. */
const ownBody = (text: string): OwnBody | null => {
  const body = objectOf(text)
  const isOwn = typeof body?.error === 'string' && typeof body.code === 'string'
  return isOwn ? (body as OwnBody) : null
}

const emptyMessage = ({ status, headers }: WholeResponse): string =>
  status >= 300 && status < 400
    ? `The service redirects to ${headers.location}, which is not followed. Set baseUrl to the address to which it leads.`
    : `The service answered with status ${status} and no body.`

/** The object of a JSON text. Null for another JSON value, and for a text that is no JSON. */
export const objectOf = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Reads `RateLimit: "default";r=50;t=30`. */
export const rateLimitOf = (headers: Readonly<Record<string, string>>): RateLimit | null => {
  const header = headers.ratelimit ?? ''
  const remaining = /;\s*r=(\d+)/.exec(header)?.[1]
  const resetAfter = /;\s*t=(\d+)/.exec(header)?.[1]
  if (remaining === undefined || resetAfter === undefined) return null
  return { remaining: Number(remaining), resetAfter: Number(resetAfter) }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
