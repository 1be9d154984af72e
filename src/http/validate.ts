import type { z } from 'zod'
import { DomainError, type ErrorCode, type ErrorDetail } from '../kernel/errors.ts'
import { JsonNumber } from '../kernel/json.ts'
import { isStorableText } from './body.ts'

const MAX_DETAILS = 20

/** Checks a body. Throws DomainError `invalid_input`, or the code that all of its issues name. */
export const parseBody = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const result = schema.safeParse(value)
  if (!result.success) throw refusal(result.error.issues)
  const path = numberTakenForObject(value, result.data)
  if (path === undefined) return result.data
  throw new DomainError('invalid_input', `The input is not valid: ${path}: expected object.`, [
    { path, message: 'Invalid input: expected object, received number' },
  ])
}

/**
 * Where a number beyond a double, which is parsed as an instance of a class, has passed for an
 * object whose fields may all be left out. Zod cannot tell the two apart.
 */
const numberTakenForObject = (given: unknown, made: unknown, path = ''): string | undefined => {
  if (given === made || !isObject(given) || !isObject(made)) return undefined
  if (given instanceof JsonNumber) return path
  for (const [key, item] of Object.entries(made)) {
    if (!Object.hasOwn(given, key)) continue
    const found = numberTakenForObject(given[key], item, path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Checks the query; unknown parameters are ignored. Throws DomainError `invalid_input`. */
export const parseQuery = <T>(schema: z.ZodType<T>, query: Record<string, string>): T => {
  for (const [path, value] of Object.entries(query)) {
    if (!isStorableText(value)) {
      throw new DomainError('invalid_input', 'The query holds NUL characters.', [
        { path, message: 'holds NUL characters' },
      ])
    }
  }
  return parseBody(schema, query)
}

/** Checks what the path names: what cannot be an id names nothing. Throws DomainError `not_found`. */
export const parseParams = <T>(schema: z.ZodType<T>, params: Record<string, string>): T => {
  const result = schema.safeParse(params)
  if (result.success) return result.data
  throw new DomainError('not_found', 'There is nothing at this address.')
}

const refusal = (issues: readonly z.core.$ZodIssue[]): DomainError => {
  const details = issues.slice(0, MAX_DETAILS).map(
    (issue): ErrorDetail => ({
      path: issue.path.map(String).join('.'),
      message: issue.message,
    }),
  )
  const first = details[0]
  const sentence = first
    ? `The input is not valid: ${first.path === '' ? 'the body' : first.path}: ${first.message}.`
    : 'The input is not valid.'
  return new DomainError(codeOf(issues), sentence, details)
}

/** Money that is none has a code of its own, unless something else is wrong too. */
const codeOf = (issues: readonly z.core.$ZodIssue[]): ErrorCode =>
  issues.every((issue) => issue.code === 'custom' && issue.params?.code === 'invalid_amount')
    ? 'invalid_amount'
    : 'invalid_input'
