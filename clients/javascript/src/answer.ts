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
import { jsonOf, objectOf } from './json.ts'
import type { Rule } from './operation.ts'
import { retryAfterMs } from './retry.ts'
import { decodePath } from './shapes.ts'
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

/** The number of attempts of a call, the present time, and the rule for the answer's body. */
export type Facts = { attempts: number; now: number; rule?: Rule | undefined }

/**
 * The error of an answer that is no success, or a success without readable content. A body that is
 * not from Fundproof gives an error without a code, whose message says what came.
 */
export const toApiError = (
  response: WholeResponse,
  { attempts, now, rule }: Facts,
  problem?: string,
): ApiError => {
  const { status, headers } = response
  const text = textOf(response)
  const body = ownBody(text)
  const details = [body?.details ?? []].flat() as (ErrorDetail | null)[]
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Class({
    message: body?.error ?? (problem ?? problemOf(response, text)) + text.slice(0, EXCERPT_CHARS),
    status,
    code: body?.code ?? null,
    requestId: stringOf(body?.requestId) ?? headers['x-request-id'] ?? null,
    details: details.flatMap((one) =>
      typeof one?.path === 'string' ? { ...one, path: decodePath(one.path, rule) } : [],
    ),
    requires: stringOf(body?.requires),
    retryAfter: retryAfterMs(headers['retry-after'], now),
    rateLimit: rateLimitOf(headers),
    headers,
    attempts,
  })
}

type OwnBody = { error: string; code: string; [field: string]: unknown }

/** The body of an error, or null if Fundproof did not write it. */
const ownBody = (text: string): OwnBody | null => {
  const body = objectOf(text)
  const isOwn = typeof body?.error === 'string' && typeof body.code === 'string'
  return isOwn ? (body as OwnBody) : null
}

/**
 * Describes the response that came instead of an answer of Fundproof. Its text follows the
 * description.
 */
const problemOf = ({ status, headers, body }: WholeResponse, text: string): string => {
  const answer = `The answer with status ${status}`
  if (status >= 300 && status < 400) {
    return `${answer} is a redirect to ${headers.location}, which is not followed. Set baseUrl to the address to which it leads. ${text && 'It begins: '}`
  }
  if (text === '') return `${answer} is empty.`
  const isPage =
    /^text\/html/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(text)
  const what = isPage
    ? 'a web page'
    : jsonOf(body) !== undefined
      ? 'JSON'
      : /^\s*[[{]/.test(text)
        ? 'broken or cut JSON'
        : 'a text'
  return `${answer} is ${what} and not from Fundproof, perhaps from a proxy. It begins: `
}

/** Reads the header `RateLimit`, for example `"default";r=50;t=30`. */
export const rateLimitOf = (headers: Readonly<Record<string, string>>): RateLimit | null => {
  const header = headers.ratelimit ?? ''
  const remaining = /;\s*r=(\d+)/.exec(header)?.[1]
  const resetAfter = /;\s*t=(\d+)/.exec(header)?.[1]
  if (remaining === undefined || resetAfter === undefined) return null
  return { remaining: Number(remaining), resetAfter: Number(resetAfter) }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
