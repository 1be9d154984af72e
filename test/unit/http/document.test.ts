import { expect, test } from 'vitest'
import { z } from 'zod'
import { exampleEventData } from '../../../src/api/openapi/webhooks.ts'
import {
  EVENT_TYPES,
  type EventData,
  type EventType,
  eventData,
} from '../../../src/outbox/events.ts'
import { type OpenApiDocument, resolve, resolveAnswer, schemaOf } from '../../support/document.ts'
import { readInterface, readProductionInterface } from '../../support/interface.ts'

/** These tests check rules of an OpenAPI linter that no other test checks. */
type Media = {
  schema: Record<string, unknown>
  examples?: Record<string, { value?: unknown }>
}
type Document = OpenApiDocument & {
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  components: { securitySchemes: Record<string, unknown> }
}

const { text } = readInterface()
const document = JSON.parse(text) as Document
const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const sent = Object.values(document.webhooks).map(({ post }) => post)

/** Lists the media types of a request body or a response. */
const mediaOf = (holder: unknown): Media[] =>
  Object.values((holder as { content?: Record<string, Media> } | undefined)?.content ?? {})

const valuesOf = (examples: NonNullable<Media['examples']>) =>
  Object.values(examples).map(({ value }) => value)

const exampleIn = (media: Media | undefined): unknown => valuesOf(media?.examples ?? {})[0]

test('resolves every reference, and keeps no part that nothing refers to', () => {
  const used = new Set(
    [...text.matchAll(/"\$ref":"#\/components\/(\w+\/[\w-]+)"/g)].map(([, path]) => path),
  )
  const { securitySchemes: _, ...parts } = document.components
  const held = Object.entries(parts).flatMap(([kind, names]) =>
    Object.keys(names).map((name) => `${kind}/${name}`),
  )
  expect([...used].sort()).toEqual(held.sort())
  expect(text).not.toContain('#/$defs/')
})

test('gives examples that are valid by the schemas beside them', () => {
  for (const operation of [...described, ...sent]) {
    const media = [
      ...mediaOf(operation.requestBody),
      ...Object.values(operation.responses).flatMap(mediaOf),
    ]
    for (const { schema, examples = {} } of media) {
      for (const example of valuesOf(examples)) {
        if (example === undefined) continue
        const result = schemaOf(schema, document).safeParse(example)
        expect(result.success, `${operation.operationId}: ${result.error?.message}`).toBe(true)
      }
    }
  }
})

test('describes the statuses and headers of every answer', () => {
  for (const { operationId, responses } of described) {
    const statuses = Object.keys(responses)
    expect(
      statuses.some((status) => status < '300'),
      operationId,
    ).toBe(true)
    expect(statuses, operationId).toEqual(expect.arrayContaining(['429', '451', '500', '503']))
    for (const [status, answer] of Object.entries(responses)) {
      const { headers = {} } = resolveAnswer(answer, document) ?? {}
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
      )
      if (['429', '503'].includes(status)) expect(headers).toHaveProperty('Retry-After')
      if (status === '401') expect(headers).toHaveProperty('WWW-Authenticate')
      if (status === '451') expect(headers).toHaveProperty('Link')
    }
  }
})

test('describes every event as the request that an endpoint gets', () => {
  expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES)
  for (const { parameters } of sent) {
    expect(parameters.map((one) => resolve(one, document).name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
  }
})

test('shows of every event an example that says something in each field', () => {
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const [media] = mediaOf(post.requestBody)
    const example = exampleIn(media) as Record<string, unknown>
    expect(example, type).toMatchObject({ event: type, data: expect.any(Object) })
    const data = z.object(eventData[type as EventType].shape).strict()
    expect(data.safeParse(example.data).error, type).toBeUndefined()
    expect(JSON.stringify(example), type).not.toMatch(/null|"(\w+)":\["?\1"?\]|"(\w+)":"\2"|\[\]/)
  }
})

/** The names of fields and parameters that hold an event type, or a list of event types. */
const eventTypeNames = (part: unknown, name: string): string[] => {
  if (typeof part !== 'object' || part === null) return []
  if ('$ref' in part) return String(part.$ref).endsWith('/EventType') ? [name] : []
  const isParameter = 'name' in part && 'schema' in part
  return Object.entries(part).flatMap(([key, value]) => {
    const isField = !['items', 'anyOf', 'schema'].includes(key) && !/^\d+$/.test(key)
    return eventTypeNames(value, isParameter ? String(part.name) : isField ? key : name)
  })
}

test('calls the type of an event `event` wherever it stands, and a list of types `events`', () => {
  const names = eventTypeNames([document.paths, document.components], '')
  expect([...new Set(names)].sort()).toEqual(['event', 'events'])
})

test('gives no example of an answer that only repeats the name of a field', () => {
  for (const { operationId, responses } of described) {
    const examples = Object.values(responses).flatMap((answer) => mediaOf(answer).map(exampleIn))
    expect(JSON.stringify(examples), operationId).not.toMatch(/"(\w+)":\["?\1"?\]|"(\w+)":"\2"/)
  }
})

test('names its licence, tags, security schemes and operations, each once', () => {
  expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' })
  const names = document.tags.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { description } of document.tags) expect(description).not.toMatch(/^Operations on/)
  const ids = [...described, ...sent].map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { tags, security } of [...described, ...sent] as ((typeof described)[number] & {
    security: Record<string, unknown>[]
  })[]) {
    expect(names).toEqual(expect.arrayContaining(tags))
    for (const scheme of security.flatMap(Object.keys)) {
      expect(document.components.securitySchemes).toHaveProperty(scheme)
    }
  }
})

test('names only its own server, and in production no sandbox', () => {
  expect(document.servers).toMatchObject([{ url: '/' }])
  expect(text).toContain('/api/sandbox/faucet')
  const production = readProductionInterface()
  expect(JSON.parse(production.text).servers).toMatchObject([{ url: 'https://api.fundproof.org' }])
  expect(production.text).not.toContain('/sandbox/')
  const paths = production.operations.map(({ path }) => path)
  expect(paths.filter((path) => path.includes('sandbox'))).toEqual([])
})

test.each(['donation.completed', 'donation.reversed'] as const)(
  'shows in the example of %s a donation that declares what arrived',
  (type) => {
    const data = exampleEventData(type) as EventData<typeof type>
    expect(data.declaredAmount).toEqual(data.amount)
    expect(data.confirmedAmount).toEqual(data.amount)
    expect(data.creditedAmount).toEqual(data.amount)
    expect(data.discrepancy).toBe(false)
  },
)

test('shows in the example of a donation one that is completed, with what arrived', () => {
  const [media] = mediaOf(document.paths['/api/donations/{id}']?.get?.responses['200'])
  const example = exampleIn(media) as Record<string, unknown>
  expect(example).toMatchObject({
    ...{ status: 'completed', confirmation: null, reason: null, discrepancy: false },
    ...{ declaredAmount: example.amount, confirmedAmount: example.amount },
  })
})

/** For each schema, the paths of the fields that users fill in freely. */
const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  Donation: [
    ...['userId', 'type', 'declaredAmount', 'donor.name', 'donor.message'],
    ...['transaction.txHash', 'transaction.ledgerAddress', 'transaction.logPosition'],
  ],
  Campaign: ['ledger_account', 'creator_name'],
  V1Campaign: ['ledgerAccount', 'creatorName'],
  Milestone: ['verification_docs'],
  V1Milestone: ['verificationDocs'],
  ImpactMetrics: ['metrics', 'beneficiaries', 'evidence'],
  V1ImpactMetrics: ['metrics', 'beneficiaries', 'evidence'],
  MilestoneVerification: ['evidence'],
}

test.each(Object.entries(CLAIMS))(
  'says of the claims in %s that they are claims',
  (name, paths) => {
    for (const path of paths) {
      const field = path.split('.').reduce(memberOf, document.components.schemas[name])
      expect(field?.description, `${name}.${path}`).toMatch(/\bclaim/i)
    }
  },
)

type Member = Record<string, unknown> | undefined

const referred = (schema: Member): Member =>
  typeof schema?.$ref === 'string'
    ? document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    : schema

const memberOf = (schema: Member, name: string): Member => {
  const options = (schema?.anyOf ?? [schema]) as Member[]
  const holder = options.map(referred).find((option) => option?.properties !== undefined)
  return (holder?.properties as Record<string, Member> | undefined)?.[name]
}

/** Objects that may have any fields: the profile of a user, and the headers of a webhook. */
const FREE = ['profile', 'headers']

const openObjects = (schema: unknown, at: string): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  if ('$ref' in schema) return openObjects(referred(schema as Member), at)
  const { properties, additionalProperties } = schema as Record<string, unknown>
  const isOpen = properties !== undefined && additionalProperties !== false
  const parts = Object.entries(schema).filter(([name]) => !FREE.includes(name))
  return [
    ...(isOpen ? [at] : []),
    ...parts.flatMap(([name, part]) => openObjects(part, `${at}.${name}`)),
  ]
}

test('has no default in a body, which generators take for a field that is always there', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    expect(JSON.stringify(schema), name).not.toContain('"default":')
  }
  const lang = memberOf(document.components.schemas.RegisterRequest, 'lang')
  expect(lang?.description).toBe('Default: `"en"`.')
})

test('says of each event which value of `event` is its own', () => {
  const discriminator = document.components.schemas.FundproofEvent?.discriminator as Member
  const events = Object.entries(discriminator?.mapping as Record<string, string>).map(
    ([type, $ref]) => [type, referred({ $ref })],
  )
  expect(events).toEqual(
    EVENT_TYPES.map((type) => [
      type,
      expect.objectContaining({
        properties: expect.objectContaining({ event: { type: 'string', const: type } }),
      }),
    ]),
  )
})

test('lets no request have fields that the document does not name', () => {
  const bodies = described.flatMap(({ operationId, requestBody }) =>
    mediaOf(requestBody).flatMap(({ schema }) => openObjects(schema, operationId)),
  )
  expect(bodies).toEqual([])
})

const numbersIn = (schema: unknown, at: string): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, format } = schema as Record<string, unknown>
  // A double is exact enough for degrees.
  if (format === 'decimal' || format === 'double') return []
  const isNumber = type === 'number'
  return [
    ...(isNumber ? [at] : []),
    ...Object.entries(schema).flatMap(([name, part]) => numbersIn(part, `${at}.${name}`)),
  ]
}

test('knows no numbers but integers, coordinates and amounts', () => {
  const { schemas } = document.components
  expect(schemas.Amount).toMatchObject({ format: 'decimal' })
  const answers = described.map(({ responses }) => responses)
  expect(numbersIn(schemas, 'schemas')).toEqual([])
  expect(numbersIn(answers, 'answers')).toEqual([])
})

test('shows each operation in each language of the client libraries', () => {
  const operations = described as (OpenApiDocument['paths'][string][string] & {
    'x-codeSamples'?: { lang: string; source: string }[]
  })[]
  for (const { operationId, 'x-codeSamples': samples = [] } of operations) {
    const languages = samples.map(({ lang }) => lang)
    expect([operationId, languages]).toEqual([operationId, ['JavaScript', 'Python', 'PHP']])
  }
})
