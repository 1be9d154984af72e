import postgres from 'postgres'
import { DomainError } from '../kernel/errors.ts'

/** Thrown if a statement finds no usable connection. The driver uses the same codes. */
export class ConnectionError extends Error {
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED'
  constructor(code: ConnectionError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The SQLSTATE codes that this file handles (PostgreSQL documentation, appendix A). */
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const PROTOCOL_VIOLATION = '08P01'
const FEATURE_NOT_SUPPORTED = '0A000'
const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const INVALID_PARAMETER_VALUE = '22023'
const INSUFFICIENT_PRIVILEGE = '42501'

const UNAVAILABLE = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '53100', // disk_full
  '53200', // out_of_memory
  '57014', // query_canceled: statement_timeout
  '55P03', // lock_not_available
  '25006', // read_only_sql_transaction
  '28000', // invalid_authorization_specification
  '28P01', // invalid_password
  '3D000', // invalid_catalog_name
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
])

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Whether the same transaction may succeed if it runs again. */
export const isRetryable = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || isStalePlan(error)
}

/** Whether a table changed after a statement was prepared. A retry prepares the statement again. */
const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === FEATURE_NOT_SUPPORTED &&
  error instanceof Error &&
  'routine' in error &&
  error.routine === 'RevalidateCachedQuery'

/** Whether the database cannot run statements now: unreachable, overloaded or read-only. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.has(codeOf(error) ?? '')

/** Whether PostgreSQL has ended a statement because of its `statement_timeout`. */
export const isTimeout = (error: unknown): boolean => codeOf(error) === '57014'

/** Whether the database role of the connection lacks a right for the statement. */
export const isNotPermitted = (error: unknown): boolean => codeOf(error) === INSUFFICIENT_PRIVILEGE

/** Whether the role of a connection does not exist or has no rights. */
export const isRoleMissing = (error: unknown): boolean =>
  codeOf(error) === INVALID_PARAMETER_VALUE || isNotPermitted(error)

/** Whether a pooler has refused a setting that a connection asked for. */
export const isRefusedParameter = (error: unknown): boolean =>
  codeOf(error) === PROTOCOL_VIOLATION &&
  error instanceof Error &&
  /startup param/.test(error.message)

/** Whether a statement would leave rows that refer to a missing row. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === FOREIGN_KEY_VIOLATION

/** The name of the unique constraint that a write violated, or undefined. */
export const violatedUnique = (error: unknown): string | undefined =>
  error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION
    ? error.constraint_name
    : undefined

/** Returns the error `unavailable`, without details, if `isUnavailable(error)`; else `error`. */
export const toDomainError = (error: unknown): unknown =>
  isUnavailable(error)
    ? new DomainError('unavailable', 'The service cannot reach its database. Try again shortly.')
    : error
