import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/outbox/events.ts'
import { createTestApi } from './support/api.ts'

type Schema = Record<string, unknown>
type Answer = { description: string; content?: Record<string, { schema: Schema }> }
type Described = {
  operationId: string
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer | { $ref: string }>
  security: Schema[]
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Answer>
    securitySchemes: Schema
  }
}

/** Resolves a reference of the document. Returns anything else unchanged. */
const referred = <T>(part: T | { $ref: string } | undefined, parts: Record<string, T>) =>
  part !== undefined && typeof part === 'object' && part !== null && '$ref' in part
    ? parts[part.$ref.split('/').at(-1) ?? '']
    : part

const read = async () => {
  const api = await createTestApi()
  const answer = await api.ask('GET', '/openapi.json')
  expect(answer.status).toBe(200)
  return { api, text: answer.text, document: answer.body as unknown as Document }
}

test('describes every operation, each with its own id, its refusals and a body that exists', async () => {
  const { api, document } = await read()
  expect(document.openapi).toBe('3.1.0')
  expect(document.info).toMatchObject({ title: 'Fundproof', version: '0.0.0' })
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  const operationRoutes = api.app.routes.filter(({ path }) => !/^\/(docs|robots\.txt|$)/.test(path))
  const routed = operationRoutes.map(
    ({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(described.toSorted()).toEqual(routed.toSorted())
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { responses } of operations) {
    expect(Object.keys(responses).some((status) => Number(status) < 300)).toBe(true)
    for (const [status, answer] of Object.entries(responses)) {
      const { description, content } = referred(answer, document.components.responses) ?? {}
      expect(description).toBeTruthy()
      if (Number(status) >= 400) {
        expect(content?.['application/json']?.schema.allOf).toContainEqual({
          $ref: '#/components/schemas/ApiError',
        })
      }
    }
  }
})

test('refers only to what it holds, and names every parameter of every path', async () => {
  const { text, document } = await read()
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    expect(document.components.schemas).toHaveProperty(name)
  }
  expect(text).not.toContain('#/$defs/')
  for (const [path, methods] of Object.entries(document.paths)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const { parameters } of Object.values(methods)) {
      const named = parameters.filter((parameter) => parameter.in === 'path')
      expect(named.map(({ name }) => name)).toEqual(inPath)
      expect(named.every(({ required }) => required)).toBe(true)
    }
  }
})

test('says what a donation takes and gives in the words of the interface', async () => {
  const { document } = await read()
  const post = document.paths['/api/donations']?.post
  const { schemas } = document.components
  const body = referred(post?.requestBody?.content['application/json']?.schema, schemas) as {
    required: string[]
    properties: Record<string, Schema>
  }
  const amount = referred(body.properties.amount, schemas) as {
    properties: { value: { anyOf: unknown[] } }
  }
  expect(body.required.toSorted()).toEqual(['amount', 'campaignId', 'transaction'])
  expect(amount.properties.value.anyOf).toHaveLength(2)
  expect(Object.keys(post?.responses ?? {})).toEqual(
    expect.arrayContaining(['200', '201', '400', '401', '403', '404', '409', '413', '415', '422']),
  )
  expect(post?.security).toEqual([{ bearer: [] }, { apiKey: ['donations:write'] }])
  expect(JSON.stringify(document.paths['/api/webhooks'])).toContain(EVENT_TYPES[0])
})
