import { z } from 'zod'
import type { ErrorCode } from '../kernel/errors.ts'
import type { AppDeps } from './deps.ts'
import { STATUS_OF } from './errors.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import type { Operation } from './operation.ts'
import { ErrorBody } from './schemas.ts'

type Components = Record<string, JsonSchema>

/** The OpenAPI 3.1 document of the operations: of the very schemas that validate. Made once, as text. */
export const createDocument = (
  operations: readonly Operation[],
  { settings, version }: Pick<AppDeps, 'settings' | 'version'>,
): (() => string) => {
  let text: string | undefined
  return () => {
    text ??= JSON.stringify(describe(operations, settings.publicUrl, version))
    return text
  }
}

const describe = (operations: readonly Operation[], url: string, version: string): JsonSchema => {
  const components: Components = {}
  toJsonSchema(ErrorBody, 'output', components)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: describeOne(operation, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fundproof',
      version,
      summary: 'Crowdfunding whose every credited cent is proven by a public blockchain.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

const describeOne = (operation: Operation, components: Components): JsonSchema => ({
  operationId: operation.operationId,
  summary: operation.summary,
  tags: [operation.tag],
  security: securityOf(operation),
  parameters: [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
    ...(operation.method === 'post' ? [IDEMPOTENCY_KEY] : []),
  ],
  ...(operation.body
    ? {
        requestBody: {
          required: true,
          content: json(toJsonSchema(operation.body, 'input', components)),
        },
      }
    : {}),
  responses: { ...answersOf(operation, components), ...refusalsOf(operation) },
})

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and body give the first answer again, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const securityOf = ({ auth }: Operation): JsonSchema[] => {
  if (auth === 'none') return []
  return auth === 'optional' ? [{}, { bearer: [] }] : [{ bearer: [] }]
}

const parametersOf = (
  schema: z.ZodType | undefined,
  where: 'path' | 'query',
  components: Components,
): JsonSchema[] => {
  if (!(schema instanceof z.ZodObject)) return []
  const made = toJsonSchema(schema, 'input', components)
  const required = new Set(Array.isArray(made.required) ? made.required : [])
  return Object.entries((made.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, part]) => ({
      name,
      in: where,
      required: where === 'path' || required.has(name),
      schema: part,
    }),
  )
}

const answersOf = ({ answers }: Operation, components: Components): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema }]) => [
      status,
      {
        description,
        headers: { 'X-Request-Id': { schema: { type: 'string' } } },
        ...(schema ? { content: json(toJsonSchema(schema, 'output', components)) } : {}),
      },
    ]),
  )

/** Every code that this operation can refuse with, by status. */
const refusalsOf = (operation: Operation): Record<string, JsonSchema> => {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codesOf(operation)) {
    const status = STATUS_OF[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const refusals = [...byStatus].sort(([one], [other]) => one - other)
  return Object.fromEntries(
    refusals.map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        content: json({ $ref: '#/components/schemas/Error' }),
      },
    ]),
  )
}

const codesOf = (operation: Operation): Set<ErrorCode> =>
  new Set<ErrorCode>([
    ...(operation.errors ?? []),
    ...(operation.params ? (['not_found'] as const) : []),
    ...(operation.query ? (['invalid_input'] as const) : []),
    ...(operation.body
      ? (['invalid_json', 'invalid_input', 'payload_too_large', 'unsupported_media_type'] as const)
      : []),
    ...(operation.auth === 'none' ? [] : (['unauthenticated', 'invalid_token'] as const)),
    ...(operation.auth === 'verified' ? (['email_unverified'] as const) : []),
    ...(operation.method === 'post'
      ? (['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress'] as const)
      : []),
    'internal',
    'unavailable',
  ])
