import type { ErrorCode } from './generated/types.ts'

/** The base class of every error that this library throws by itself. */
export class FundproofError extends Error {
  override readonly name: string = 'FundproofError'
}

/** An option of the client is missing or wrong. The message names the option and the remedy. */
export class ConfigurationError extends FundproofError {
  override readonly name: string = 'ConfigurationError'
}

/** No complete answer arrived. The service may have done the work: repeating a call is safe. */
export class ConnectionError extends FundproofError {
  override readonly name: string = 'ConnectionError'
}

/** An attempt or a wait took longer than its `timeout`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
  /** The last state that `waitFor` saw. Undefined for an attempt, which has seen nothing. */
  readonly last: unknown

  constructor(message: string, options?: ErrorOptions & { last?: unknown }) {
    super(message, options)
    this.last = options?.last
  }
}

/** The caller's `signal` ended the call. */
export class AbortError extends ConnectionError {
  override readonly name: string = 'AbortError'
}

/** The problem with one field of a request. `path` has the names of this library. */
export type ErrorDetail = { path: string; message: string }

/** The caller's rate limit: `remaining` calls are left until `resetAfter` seconds have passed. */
export type RateLimit = { remaining: number; resetAfter: number }

/** The parts of an error response, which `ApiError` contains. */
export type Refusal = {
  message: string
  status: number
  code: ErrorCode | null
  requestId: string | null
  details: readonly ErrorDetail[]
  requires: string | null
  retryAfter: number | null
  rateLimit: RateLimit | null
  headers: Readonly<Record<string, string>>
  attempts: number
}

/**
 * The service refused the call, or the answer is not from the service: then `code` is null, and
 * `message` says what came. Switch on `code`, which is stable; `message` is for people.
 */
export class ApiError extends FundproofError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /**
   * A stable word, for example `campaign_not_active`. Later versions may add words. Null if the
   * answer is not from Fundproof: a page of a proxy, a redirect, an empty or cut answer.
   */
  readonly code: ErrorCode | null
  /** Finds this call in the logs of the service. */
  readonly requestId: string | null
  /** The wrong fields of the request, if the service names them. */
  readonly details: readonly ErrorDetail[]
  /** A step that this deployment needs first, for example `account_proof`. */
  readonly requires: string | null
  /** The time in milliseconds after which the service wants the next attempt. */
  readonly retryAfter: number | null
  readonly rateLimit: RateLimit | null
  /** The headers of the answer, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The number of attempts of the call. */
  readonly attempts: number

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.status = refusal.status
    this.code = refusal.code
    this.requestId = refusal.requestId
    this.details = refusal.details
    this.requires = refusal.requires
    this.retryAfter = refusal.retryAfter
    this.rateLimit = refusal.rateLimit
    this.headers = refusal.headers
    this.attempts = refusal.attempts
  }
}

/** 400, 413, 415 or 422: the request is wrong. `details` lists the wrong fields. */
export class InvalidRequestError extends ApiError {
  override readonly name: string = 'InvalidRequestError'
}

/** 401: the API key or the token is missing, wrong or expired. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError'
}

/** 403: the caller does not have this permission. */
export class PermissionError extends ApiError {
  override readonly name: string = 'PermissionError'
}

/** 404 or 405: the resource does not exist, or the caller may not see it. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError'
}

/** 409: the state of the resource does not allow this now. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError'
}

/** 429: too many calls. `retryAfter` is the pause before the next call. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError'
}

/** 451: the service may not serve this caller, for legal reasons. */
export class LegalError extends ApiError {
  override readonly name: string = 'LegalError'
}

/** 500 and above: the service failed. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

/** The reason why a webhook was refused. */
export type WebhookReason =
  | 'no_signature'
  | 'bad_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_match'
  | 'not_raw'
  | 'bad_secret'

/** A webhook is not genuine, or cannot be checked. Answer it with status 400. */
export class WebhookVerificationError extends FundproofError {
  override readonly name: string = 'WebhookVerificationError'
  readonly reason: WebhookReason

  constructor(reason: WebhookReason, message: string) {
    super(message)
    this.reason = reason
  }
}
