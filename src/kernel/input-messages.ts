import type { z } from 'zod'
import { nearestTo } from './nearest.ts'

/** An error message such as `is required`. The caller puts the field's path before this text. */
export const messageOf = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${nameOfType(issue.expected)}`
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${orList(issue.values)}`
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'is not in an accepted form'
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum, issue.inclusive)
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum, issue.inclusive)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form'
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'invalid_element':
      return 'is not valid'
    default:
      return undefined
  }
}

/** The error message of an unknown field, with the most similar known field as a suggestion. */
export const unknownMessage = (name: string, known: readonly string[]): string => {
  const words = new Map(known.map((word) => [plain(word), word]))
  const [nearest, typos] = nearestTo(plain(name), [...words.keys()])
  const meant = typos <= Math.ceil(name.length / 3) ? words.get(nearest) : undefined
  return meant === undefined ? 'is unknown' : `is unknown: did you mean ${meant}?`
}

/** Makes the spellings `target_amount` and `targetAmount` equal. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_.-]/g, '')

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
}
const nameOfType = (type: string): string => TYPES[type] ?? 'of another type'

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  url: 'must be a web address',
  email: 'must be an email address',
  datetime: 'must be a time with a time zone, such as 2026-01-31T12:00:00Z',
  date: 'must be a day, such as 2026-01-31',
}

const orList = (values: readonly z.core.util.Primitive[]): string => {
  const texts = values.map(String)
  const last = texts.pop() ?? ''
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`
}

const UNITS: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  tuple: 'item',
  map: 'field',
}

const bound = (
  origin: string,
  relation: 'at least' | 'at most',
  limit: number | bigint,
  inclusive = true,
): string => {
  const unit = UNITS[origin]
  if (unit === undefined) {
    const strict = relation === 'at least' ? 'more than' : 'less than'
    return `must be ${inclusive ? relation : strict} ${limit}`
  }
  if (relation === 'at least' && Number(limit) === 1) return 'must not be empty'
  return `must have ${relation} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
}
