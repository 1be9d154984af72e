import {
  type Document,
  type Media,
  nameIn,
  type Operation,
  type Parameter,
  type Reply,
  type Schema,
} from './document.ts'
import { CONTENT, HELPERS, PLACES, QUERY_EXAMPLES } from './names.ts'
import type { Reader } from './schemas.ts'
import type { AnswerModel, Body, Field, OperationModel } from './types.ts'

const JSON_TYPE = 'application/json'

/** The methods of the clients: one method for each operation, and the helpers. */
export const readOperations = (document: Document, reader: Reader): OperationModel[] => {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId: id } = operation
      const at = PLACES.get(id)
      if (!at) throw new Error(`names.ts has no place for ${id}.`)
      const made = readOperation(document, reader, { path, method, operation })
      const helpers = HELPERS.filter((helper) => helper.id === id)
      return [{ ...made, at: [...at] }, ...helpers.map((helper) => helperOf(made, helper))]
    }),
  )
}

type Described = { path: string; method: string; operation: Operation }

const readOperation = (
  document: Document,
  reader: Reader,
  { path, method, operation }: Described,
): OperationModel => {
  const helpers = HELPERS.filter(({ id }) => id === operation.operationId)
  const fixed = helpers.flatMap(({ fixedQuery }) => Object.keys(fixedQuery))
  const parameters = operation.parameters.filter((one): one is Parameter => 'name' in one)
  const paths = parameters.filter((one) => one.in === 'path')
  const queries = parameters.filter(
    ({ name, in: where }) => where === 'query' && !fixed.includes(name),
  )
  const asField = (one: Parameter): Field => ({
    ...reader.fieldOf(one.name, one.schema, 'in'),
    required: one.required ?? false,
    description: one.description ?? null,
  })
  const required = queries.filter((one) => one.required).map(({ name }) => name)
  return {
    id: operation.operationId,
    at: ['', ''],
    method: method.toUpperCase() as OperationModel['method'],
    path,
    summary: operation.summary,
    pathFields: paths.map(asField),
    query: queries.map(asField),
    fixedQuery: {},
    without: [],
    body: bodyOf(operation, reader),
    answer: answerOf(document, operation, reader),
    errors: errorsOf(document, operation),
    example: {
      path: paths.map(({ example = '' }) => example),
      query: Object.fromEntries(required.map((name) => [name, QUERY_EXAMPLES[name] ?? ''])),
      body: operation.requestBody?.content[JSON_TYPE]?.examples?.minimal?.value ?? null,
    },
  }
}

const helperOf = (made: OperationModel, helper: (typeof HELPERS)[number]): OperationModel => {
  const body = made.example.body as object | null
  const kept = Object.entries(body ?? {}).filter(([name]) => !helper.without.includes(name))
  return {
    ...made,
    at: [...helper.at],
    summary: helper.summary,
    fixedQuery: helper.fixedQuery,
    without: helper.without,
    answer: helper.fixedQuery.format === 'csv' ? { kind: 'csv' } : made.answer,
    example: { ...made.example, body: body && Object.fromEntries(kept) },
  }
}

/** The schemas that are the whole body of a request. */
export const bodiesIn = ({ paths }: Document): ReadonlySet<string> =>
  new Set(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody }) => requestBody?.content[JSON_TYPE]?.schema.$ref ?? [])
      .map(nameIn),
  )

const bodyOf = ({ requestBody, operationId }: Operation, reader: Reader): Body => {
  if (!requestBody) return null
  const json = requestBody.content[JSON_TYPE]
  if (!json) return { kind: 'file', types: Object.keys(requestBody.content) }
  const type = reader.typeOf(json.schema, 'in')
  if (type.kind !== 'object') throw new Error(`The body of ${operationId} is no object.`)
  return { kind: 'json', object: type.name, required: requestBody.required ?? false }
}

const answerOf = (document: Document, operation: Operation, reader: Reader): AnswerModel => {
  const content = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, reply]) => reply.content)
    .find((one) => one !== undefined)
  if (!content) return { kind: 'none' }
  const json = content[JSON_TYPE]
  if (json) return envelopeOf(document, json, operation, reader)
  if ('text/event-stream' in content) return { kind: 'stream' }
  return { kind: 'text/csv' in content ? 'csv' : 'file' }
}

const envelopeOf = (
  { components: { schemas } }: Document,
  { schema }: Media,
  { operationId }: Operation,
  reader: Reader,
): AnswerModel => {
  const { properties = {} }: Schema = schema.$ref ? (schemas[nameIn(schema.$ref)] ?? {}) : schema
  const { success, pagination, nextCursor, hasMore, ...content } = properties
  const chosen = CONTENT[operationId]
  const [wire, ...others] = chosen ? [chosen] : Object.keys(content)
  if (success && wire === undefined) return { kind: 'none' }
  if (!success || wire === undefined || others.length > 0) {
    return { kind: 'whole', type: reader.typeOf(schema, 'out') }
  }
  const type = reader.typeOf(content[wire] ?? {}, 'out')
  if (!pagination && !hasMore) return { kind: 'content', wire, type }
  if (type.kind !== 'list') throw new Error(`${operationId} lists no list.`)
  return { kind: 'list', wire, item: type.of, by: pagination ? 'cursor' : 'after' }
}

const errorsOf = ({ components }: Document, { responses }: Operation): string[] => {
  const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const replies = refused.map(
    ([, reply]): Reply => (reply.$ref ? (components.responses[nameIn(reply.$ref)] ?? {}) : reply),
  )
  return replies.flatMap(({ content }) => Object.keys(content?.[JSON_TYPE]?.examples ?? {}))
}
