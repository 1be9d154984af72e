import { z } from 'zod'
import type { AppDeps } from '../../edge/deps.ts'
import type { Operation } from '../../edge/operation.ts'
import { ErrorBody } from '../../edge/schemas.ts'
import samples from './code-samples.json' with { type: 'json' }
import { exampleOf } from './example.ts'
import { HEADERS, successHeaders } from './headers.ts'
import { INTRODUCTION } from './introduction.ts'
import { type JsonSchema, toJsonSchema, withSpokenDefaults } from './json-schema.ts'
import { capital, withNamedParts, withNames } from './naming.ts'
import { codesOf, refusalExamples, refusalsOf, shareRefusals } from './refusals.ts'
import { describeTags } from './tags.ts'
import { describeWebhooks, WEBHOOK_PARAMETERS } from './webhooks.ts'

type Components = Record<string, JsonSchema>
/** `found` has the schemas with a name in the code. `named` also has the schemas inside them. */
type Parts = { found: Components; named: Components }

/** Returns a function that makes the OpenAPI 3.1 document at its first call, and keeps the text. */
export const createDocument = (
  operations: readonly Operation[],
  { settings, version }: Pick<AppDeps, 'settings' | 'version'>,
): (() => string) => {
  let text: string | undefined
  return () => {
    text ??= JSON.stringify(describe(operations, settings, version))
    return text
  }
}

const describe = (
  operations: readonly Operation[],
  { publicUrl, environment }: AppDeps['settings'],
  version: string,
): JsonSchema => {
  const parts: Parts = { found: {}, named: {} }
  toJsonSchema(ErrorBody, 'output', parts.found)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: describeOne(operation, parts) }
  }
  const webhooks = describeWebhooks(parts.found)
  for (const [name, schema] of Object.entries(parts.found)) {
    parts.named[name] = withNamedParts(schema, name, parts.named)
  }
  const responses = shareRefusals(Object.values(paths).flatMap((methods) => Object.values(methods)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fundproof',
      version,
      summary: 'Crowdfunding whose every credited cent is proven by a public blockchain.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl(publicUrl), description: `The ${environment} environment.` }],
    tags: describeTags([...operations.map(({ tag }) => tag), 'events']),
    paths,
    webhooks,
    components: {
      schemas: parts.named,
      responses,
      examples: refusalExamples(new Set(operations.flatMap((each) => [...codesOf(each)]))),
      headers: HEADERS,
      parameters: {
        'Idempotency-Key': IDEMPOTENCY_KEY,
        Prefer: PREFER,
        'Last-Event-ID': LAST_EVENT_ID,
        ...WEBHOOK_PARAMETERS,
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a login, valid for 15 minutes.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: `A key of the ${environment} environment; it acts as its owner within its scopes.`,
        },
      },
    },
  }
}

/** The URL of the server. A local URL becomes `/`, because other computers cannot use this URL. */
const serverUrl = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl)
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
    ? '/'
    : publicUrl.replace(/\/+$/, '')
}

const describeOne = (operation: Operation, parts: Parts): JsonSchema => ({
  operationId: operation.operationId,
  summary: operation.summary,
  tags: [operation.tag],
  security: securityOf(operation),
  parameters: [
    ...parametersOf(operation, 'path', parts),
    ...parametersOf(operation, 'query', parts),
    ...(operation.method === 'post' ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...(operation.probe ? [] : [{ $ref: '#/components/parameters/Prefer' }]),
    ...(isStream(operation) ? [{ $ref: '#/components/parameters/Last-Event-ID' }] : []),
  ],
  ...(operation.upload
    ? {
        requestBody: {
          required: true,
          content: Object.fromEntries(operation.upload.types.map((type) => [type, FILE])),
        },
      }
    : {}),
  ...(operation.body
    ? {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: withNames(
                withSpokenDefaults(toJsonSchema(operation.body, 'input', parts.found)),
                `${capital(operation.operationId)}Request`,
                parts.named,
              ),
              examples: requestExamples(operation),
            },
          },
        },
      }
    : {}),
  responses: { ...answersOf(operation, parts), ...refusalsOf(operation) },
  ...codeSamples(operation.operationId),
})

const requestExamples = ({ examples }: Operation): JsonSchema => {
  if (!examples) return {}
  const { minimal, full = minimal, ...others } = examples
  const all = { minimal, full, ...others }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, { value }]))
}

const answerContent = (schema: z.ZodType, parts: Parts, name: string) => {
  const made = toJsonSchema(schema, 'output', parts.found)
  const example = exampleOf(made, parts.found)
  const examples = { example: { value: example } }
  return { 'application/json': { schema: withNames(made, name, parts.named), examples } }
}

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours the same key and body get the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
}

const LAST_EVENT_ID: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last event that arrived. The stream continues after it.',
  schema: { type: 'string', maxLength: 100 },
  example: 'NzUxLjE5',
}

const isStream = ({ answers }: Operation): boolean =>
  answers[200]?.otherTypes?.['text/event-stream'] !== undefined

const PREFER: JsonSchema = {
  name: 'Prefer',
  in: 'header',
  description: '`amounts=text`: amounts of the answer are texts (RFC 7240).',
  schema: { type: 'string', maxLength: 200 },
}

/** Lists the scope that an API key needs. OpenAPI 3.1 allows such a list for every scheme. */
const securityOf = ({ auth, scope }: Operation): JsonSchema[] => {
  if (auth === 'none') return []
  const schemes: JsonSchema[] = [{ bearer: [] }]
  if (scope !== 'session') schemes.push({ apiKey: [scope] })
  return auth === 'optional' || auth === 'guest' ? [{}, ...schemes] : schemes
}

const parametersOf = (
  { params, query, operationId }: Operation,
  where: 'path' | 'query',
  parts: Parts,
): JsonSchema[] => {
  const schema = where === 'path' ? params : query
  if (!(schema instanceof z.ZodObject)) return []
  const made = toJsonSchema(schema, 'input', parts.found)
  const required = new Set(Array.isArray(made.required) ? made.required : [])
  return Object.entries((made.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, { description, ...part }]) => ({
      name,
      in: where,
      required: where === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: withNames(part, capital(operationId) + capital(name), parts.named),
      ...(where === 'path' ? { example: exampleOf(part, parts.found, name) } : {}),
    }),
  )
}

const answersOf = (operation: Operation, parts: Parts): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(operation.answers).map(([status, { description, schema, otherTypes }]) => [
      status,
      {
        description,
        headers: successHeaders(operation, Number(status)),
        ...(schema || otherTypes
          ? {
              content: {
                ...(schema
                  ? answerContent(schema, parts, `${capital(operation.operationId)}Response`)
                  : {}),
                ...othersOf(otherTypes),
              },
            }
          : {}),
      },
    ]),
  )

/** The schema of an event stream: the `data` of each event is a FundproofEvent in JSON. */
const STREAM: JsonSchema = {
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: { $ref: '#/components/schemas/FundproofEvent' },
}

const FILE: JsonSchema = { schema: { type: 'string', format: 'binary' } }

const othersOf = (types: Readonly<Record<string, string | null>> = {}): JsonSchema =>
  Object.fromEntries(
    Object.entries(types).map(([type, example]) => [
      type,
      example === null
        ? FILE
        : { schema: type === 'text/event-stream' ? STREAM : { type: 'string' }, example },
    ]),
  )

/** The languages of the client libraries. `npm run clients` writes their samples. */
const LANGUAGES = { javascript: 'JavaScript', python: 'Python', php: 'PHP' } as const

type Sample = Readonly<Record<keyof typeof LANGUAGES, string>>

const SAMPLES: Readonly<Record<string, Sample>> = samples

/** The field `x-codeSamples` of an operation, which tools show beside its description. */
const codeSamples = (operationId: string): JsonSchema => {
  const sample = SAMPLES[operationId]
  if (!sample) return {}
  return {
    'x-codeSamples': Object.entries(LANGUAGES).map(([key, label]) => ({
      lang: label,
      label,
      source: sample[key as keyof Sample],
    })),
  }
}
