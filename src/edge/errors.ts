import { DomainError, type ErrorCode } from '../kernel/errors.ts'

export { STATUS_OF } from '../kernel/errors.ts'

const REALM = 'Bearer realm="fundproof"'

/** Additional headers for some error codes. RFC 9110 requires WWW-Authenticate on 401. */
const HEADERS_OF: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  unauthenticated: { 'WWW-Authenticate': REALM },
  invalid_credentials: { 'WWW-Authenticate': REALM },
  invalid_api_key: { 'WWW-Authenticate': REALM },
  refresh_reused: { 'WWW-Authenticate': REALM },
  // The parameter `error` is from RFC 6750, section 3.1.
  invalid_token: { 'WWW-Authenticate': `${REALM}, error="invalid_token"` },
  unavailable: { 'Retry-After': '5' },
  idempotency_in_progress: { 'Retry-After': '1' },
  proof_not_ready: { 'Retry-After': '10' },
  too_many_streams: { 'Retry-After': '10' },
}

/** Steps that some deployments require from a caller before certain operations. */
export const REQUIREMENTS = ['account_proof'] as const
export type Requirement = (typeof REQUIREMENTS)[number]

const REQUIRED_BY: Partial<Record<ErrorCode, Requirement>> = {
  account_not_proven: 'account_proof',
}

/** The body of every answer with a status of 400 or above. */
export const toEnvelope = (error: DomainError, requestId: string) => ({
  success: false as const,
  error: error.message,
  code: error.code,
  requestId,
  ...(error.details ? { details: error.details } : {}),
  ...requirementOf(error.code),
})

/** Returns the field `requires` of an error's body, or {} if the error code requires no step. */
export const requirementOf = (code: ErrorCode): { requires?: Requirement } => {
  const requires = REQUIRED_BY[code]
  return requires === undefined ? {} : { requires }
}

export const headersOf = (code: ErrorCode): Readonly<Record<string, string>> =>
  HEADERS_OF[code] ?? {}

/** Returns a DomainError unchanged. Any other error becomes `internal`, without its message. */
export const toRefusal = (error: unknown): DomainError =>
  error instanceof DomainError
    ? error
    : new DomainError('internal', 'Something went wrong on our side. It has been logged.')
