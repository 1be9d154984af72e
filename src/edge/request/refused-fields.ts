import { z } from 'zod'
import { DomainError, type ErrorCode } from '../../kernel/errors.ts'

/** The fields that may cause an error. The answer names the first one in the request's schema. */
const FIELDS_OF: Partial<Record<ErrorCode, readonly string[]>> = {
  invalid_cursor: ['cursor', 'after'],
  invalid_code: ['code'],
  invalid_challenge: ['message', 'signature'],
  invalid_signature: ['verification.verifierSignature', 'signature'],
  unknown_chain: ['ledgerAccount', 'chainId'],
  unknown_currency: ['amount.currency', 'currency'],
  invalid_amount: ['amount.value', 'amount'],
}

/**
 * Adds the name of the wrong field to a domain error, in the spelling of the request. The domain
 * has one name for each field, but `/api` and `/v1` may spell the name differently.
 */
export const withFields = (
  error: DomainError,
  schemas: readonly (z.ZodType | undefined)[],
): DomainError => {
  const { code, message, details } = error
  const find = (path: string) =>
    schemas.map((schema) => spelled(path.split('.'), schema)).find((found) => found !== undefined)
  if (details) {
    const named = details.map((one) => ({ ...one, path: find(one.path) ?? one.path }))
    return new DomainError(code, message, named)
  }
  const path = (FIELDS_OF[code] ?? []).map(find).find((found) => found !== undefined)
  return path === undefined ? error : new DomainError(code, message, [{ path, message }])
}

/** Returns the path in the spelling of the schema, or undefined if the schema lacks the field. */
const spelled = (path: readonly string[], schema: unknown): string | undefined => {
  const [first, ...rest] = path
  if (first === undefined) return ''
  const inner = unwrapped(schema)
  let name: string | undefined = first
  let part: unknown
  if (inner instanceof z.ZodArray) part = inner.element
  else if (inner instanceof z.ZodObject) {
    name = Object.keys(inner.shape).find((key) => plain(key) === plain(first))
    part = name === undefined ? undefined : inner.shape[name]
  } else return undefined
  const end = name === undefined ? undefined : spelled(rest, part)
  if (end === undefined) return undefined
  return end === '' ? name : `${name}.${end}`
}

const unwrapped = (schema: unknown): unknown => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  ) {
    return unwrapped(schema.unwrap())
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema
}

const plain = (name: string): string => name.toLowerCase().replaceAll('_', '')
