import { z } from 'zod'
import { DomainError, type ErrorCode, type ErrorDetail } from '../../kernel/errors.ts'
import { JsonNumber } from '../../kernel/formats/json.ts'
import { messageOf, unknownMessage } from '../../kernel/input-messages.ts'
import { isStorableText } from './body.ts'

const NO_PARAMETERS: z.ZodType = z.strictObject({})
const NO_OBJECT = 'must be an object'
const MAX_DETAILS = 20
/** An answer repeats at most this many characters of an unknown field's name. */
const MAX_NAME = 64

/**
 * Checks a body. Unknown fields are refused.
 *
 * @throws DomainError `unknown_parameter` if a field is unknown; `invalid_amount` if only amounts
 *   are wrong; otherwise `invalid_input`
 */
export const parseBody = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const unknown: ErrorDetail[] = []
  const result = schema.safeParse(value, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return messageOf(issue)
      // Zod takes a JsonNumber (a number that a double cannot hold) for an object.
      if (issue.input instanceof JsonNumber) return NO_OBJECT
      if (unknown.length < MAX_DETAILS) unknown.push(...unknownKeys(issue))
      return undefined
    },
  })
  if (!result.success) throw refusal(result.error.issues, unknown)
  const path = numberTakenForObject(value, result.data)
  if (path === undefined) return result.data
  throw refused('invalid_input', [{ path, message: NO_OBJECT }])
}

const unknownKeys = (issue: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>) => {
  const known = Object.keys((issue.inst as Partial<z.ZodObject> | undefined)?.shape ?? {})
  return issue.keys.slice(0, MAX_DETAILS).map((key) => {
    const name = key.slice(0, MAX_NAME)
    return {
      path: [...(issue.path ?? []), name].map(String).join('.'),
      message: unknownMessage(name, known),
    }
  })
}

/**
 * Zod takes a JsonNumber (a number that a double cannot hold) for an object if the schema allows
 * any field names. Returns the path of the first such JsonNumber, or undefined.
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

/**
 * Checks the query. Without `schema`, every parameter is refused. Only a parameter whose schema is
 * a list may be repeated.
 *
 * @throws DomainError `unknown_parameter` for an unknown name; `invalid_input` for a wrong value
 */
export const parseQuery = <T>(
  schema: z.ZodType<T> | undefined,
  query: Readonly<Record<string, string[]>>,
): T => {
  const values: [name: string, value: string | string[]][] = []
  for (const [name, given] of Object.entries(query)) {
    const [value = ''] = given
    const path = name.slice(0, MAX_NAME)
    const isList = schema instanceof z.ZodObject && takesList(schema.shape[name])
    if (!given.every(isStorableText)) {
      throw refused('invalid_input', [{ path, message: 'must not hold NUL characters' }])
    }
    if (given.length > 1 && !isList) {
      throw refused('invalid_input', [{ path, message: 'must be there once' }])
    }
    values.push([name, isList ? given : value])
  }
  // `Object.fromEntries` keeps a parameter `__proto__`. An assignment would set the prototype.
  return parseBody(schema ?? (NO_PARAMETERS as z.ZodType<T>), Object.fromEntries(values))
}

const takesList = (schema: unknown): boolean => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return takesList(schema.unwrap())
  }
  if (schema instanceof z.ZodPipe) return takesList(schema.in)
  return schema instanceof z.ZodArray
}

/** Checks the path parameters. Throws DomainError `not_found` if a parameter is not valid. */
export const parseParams = <T>(schema: z.ZodType<T>, params: Record<string, string>): T => {
  const result = schema.safeParse(params)
  if (result.success) return result.data
  throw new DomainError('not_found', 'The address does not exist.')
}

const refusal = (issues: readonly z.core.$ZodIssue[], unknown: ErrorDetail[]): DomainError => {
  const others = issues
    .filter(({ code, message }) => code !== 'unrecognized_keys' || message === NO_OBJECT)
    .map(({ path, message }): ErrorDetail => ({ path: path.map(String).join('.'), message }))
  const code = unknown.length > 0 ? 'unknown_parameter' : codeOf(issues)
  return refused(code, [...unknown, ...others].slice(0, MAX_DETAILS))
}

const refused = (code: ErrorCode, details: ErrorDetail[]): DomainError => {
  const [{ path, message } = { path: '', message: 'is not valid' }] = details
  const sentence = `${path === '' ? 'The body' : path} ${message}`
  return new DomainError(code, sentence.endsWith('?') ? sentence : `${sentence}.`, details)
}

/** Returns `invalid_amount` if only amounts are wrong, otherwise `invalid_input`. */
const codeOf = (issues: readonly z.core.$ZodIssue[]): ErrorCode =>
  issues.every((issue) => issue.code === 'custom' && issue.params?.code === 'invalid_amount')
    ? 'invalid_amount'
    : 'invalid_input'
