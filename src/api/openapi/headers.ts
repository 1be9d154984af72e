import type { Operation } from '../../edge/operation.ts'
import type { JsonSchema } from './json-schema.ts'

/** The response headers that a client can use, with their descriptions. */
export const HEADERS = {
  'X-Request-Id': text(
    'The id of this request in our logs. It is the id that you sent, if that was valid.',
  ),
  'RateLimit-Policy': text('The limits that apply, such as `"default";q=600;w=60`.'),
  RateLimit: text(
    'The remaining requests and the seconds until the limit is reset, such as `"default";r=599;t=60`.',
  ),
  Location: text('The address of the new resource.'),
  Link: text('First, previous, next and last page (RFC 8288), relative to this service.'),
  ETag: text('The version of this answer, for `If-None-Match`.'),
  'Preference-Applied': text('`amounts=text`, if `Prefer` asked for it.'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored answer of an earlier request.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': text('How to sign in (RFC 6750).'),
} as const satisfies Record<string, JsonSchema>

type HeaderName = keyof typeof HEADERS

const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']

export const successHeaders = (operation: Operation, status: number): JsonSchema => {
  const names: HeaderName[] = [...ALWAYS]
  if (!operation.probe) names.push('Preference-Applied')
  if (operation.method === 'post') names.push('Location', 'Idempotent-Replayed')
  if (isList(operation, status)) names.push('Link')
  if (304 in operation.answers) names.push('ETag')
  return references(names)
}

export const refusalHeaders = (status: number): JsonSchema => {
  const names: HeaderName[] = [...ALWAYS]
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 409 || status === 429 || status === 503) names.push('Retry-After')
  if (status === 451) names.push('Link')
  return references(names)
}

const references = (names: readonly HeaderName[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const isList = ({ answers }: Operation, status: number): boolean => {
  const schema = answers[status]?.schema
  return schema !== undefined && 'shape' in schema && hasKey(schema.shape, 'pagination')
}

const hasKey = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && key in value

function text(description: string): JsonSchema {
  return { description, schema: { type: 'string' } }
}
