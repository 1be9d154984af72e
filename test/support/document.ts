import { z } from 'zod'

type JsonSchema = Record<string, unknown>
type Parameter = { name: string; in: string; required?: boolean; schema: JsonSchema }
type Content = { content?: Record<string, { schema: JsonSchema }> }
type Answer = Content & { headers?: JsonSchema }
export type DescribedOperation = {
  operationId: string
  tags: string[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: Content
  responses: Record<string, Answer | { $ref: string }>
}
export type OpenApiDocument = {
  paths: Record<string, Record<string, DescribedOperation>>
  webhooks: Record<string, { post: DescribedOperation }>
  components: Record<
    'schemas' | 'headers' | 'parameters' | 'examples',
    Record<string, JsonSchema>
  > & {
    responses: Record<string, Answer>
  }
}

/** One request and its answer, as they went over the wire. `sent` is the parsed body, if any. */
export type Exchange = {
  method: string
  /** With its query. */
  path: string
  sent?: unknown
  status: number
  headers: Headers
  /** The parsed body of the answer, or its text where that is no JSON; undefined where there is none. */
  received: unknown
}

/** Throws, in words, when an exchange is not what the document says. */
export type DocumentChecker = (exchange: Exchange) => void

const checkers = new Map<string, DocumentChecker>()

/** The checker of a document, built once for each text. */
export const checkerOf = (text: string): DocumentChecker => {
  const made = checkers.get(text) ?? createChecker(JSON.parse(text) as OpenApiDocument)
  checkers.set(text, made)
  return made
}

const createChecker = (document: OpenApiDocument): DocumentChecker => {
  const validators = new Map<JsonSchema, z.ZodType>()
  const validate = (schema: JsonSchema, value: unknown): string | undefined => {
    const validator = validators.get(schema) ?? schemaOf(schema, document)
    validators.set(schema, validator)
    const result = validator.safeParse(value)
    return result.success ? undefined : z.prettifyError(result.error)
  }
  const routes = Object.entries(document.paths).map(([path, methods]) => ({
    methods,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    fixed: path.replaceAll(/\{\w+\}/g, '').length,
  }))
  // `/a/b` before `/a/{id}`.
  routes.sort((one, other) => other.fixed - one.fixed)
  const headerNames = Object.keys(document.components.headers)

  return ({ method, path, sent, status, headers, received }) => {
    const [route = '', query = ''] = path.split('?')
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
    const found = routes.find(({ methods, pattern }) => methods[verb] && pattern.test(route))
    const operation = found?.methods[verb]
    if (!operation) {
      if ([404, 405].includes(status) || verb === 'options') return
      // The edge refuses, by limits or by law, before it asks what the address is.
      if ([429, 451].includes(status)) return
      throw new Error(`${method} ${path} answered ${status}, and the document does not know it.`)
    }
    const what = `${operation.operationId} (${method} ${path}) answered ${status}`
    const answer = resolveAnswer(operation.responses[String(status)], document)
    if (!answer) throw new Error(`${what}, which the document does not list.`)
    const type = headers.get('content-type')?.split(';')[0] ?? 'application/json'
    const schema = answer.content?.[type]?.schema
    if (!schema && received !== undefined)
      throw new Error(`${what} with a body that is not listed.`)
    const problem = schema && method !== 'HEAD' ? validate(schema, received) : undefined
    if (problem) throw new Error(`${what} with a body that is not as documented:\n${problem}`)
    for (const name of headerNames) {
      if (headers.has(name) && !(name in (answer.headers ?? {}))) {
        throw new Error(`${what} with the header ${name}, which the document does not list.`)
      }
    }
    if (status >= 400) return
    const wrong = requestProblem(document, operation, { sent, query }, validate)
    if (wrong) throw new Error(`${what} to what the document does not allow:\n${wrong}`)
  }
}

/** What is wrong with a request that was accepted. */
const requestProblem = (
  document: OpenApiDocument,
  operation: DescribedOperation,
  { sent, query }: { sent?: unknown; query: string },
  validate: (schema: JsonSchema, value: unknown) => string | undefined,
): string | undefined => {
  const body = operation.requestBody?.content?.['application/json']?.schema
  const wrong = body ? validate(body, sent) : undefined
  if (wrong) return wrong
  const asked = new URLSearchParams(query)
  for (const parameter of operation.parameters) {
    const { name, required, schema, ...rest } = resolve(parameter, document)
    if (rest.in !== 'query') continue
    const values = asked.getAll(name)
    asked.delete(name)
    const [value] = values
    if (value === undefined) {
      if (required) return `The parameter ${name} is required.`
      continue
    }
    // A query is text: what the schema calls a number arrives as its digits.
    const forms = schema.type === 'array' ? [values] : [value, Number(value)]
    if (forms.every((form) => validate(schema, form) !== undefined)) {
      return `The parameter ${name} is not as documented: ${values.join()}.`
    }
  }
  const [unknown] = asked.keys()
  return unknown === undefined ? undefined : `The parameter ${unknown} is not documented.`
}

export const resolve = (
  parameter: DescribedOperation['parameters'][number],
  document: OpenApiDocument,
): Parameter =>
  '$ref' in parameter
    ? (document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter)
    : parameter

/** An answer of an operation, which many of them may share. */
export const resolveAnswer = (
  answer: Answer | { $ref: string } | undefined,
  { components }: OpenApiDocument,
): Answer | undefined =>
  answer && '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer

/** A list of values that is open in the document: here nothing but those values stands in an answer. */
const OPEN_ENUM = /"anyOf":\[\{([^{}]*)\},\{"type":"string"\}\]/g

/** A schema of the document as a validator: its references point to the parts that it brings along. */
export const schemaOf = (schema: JsonSchema, { components }: OpenApiDocument): z.ZodType => {
  const local = JSON.parse(
    JSON.stringify({ ...schema, $defs: components.schemas })
      .replaceAll('"#/components/schemas/', '"#/$defs/')
      .replaceAll(OPEN_ENUM, '$1'),
  )
  return z.fromJSONSchema(local)
}
