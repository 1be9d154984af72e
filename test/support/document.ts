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

/** A request and its answer over HTTP. `sent` is the parsed body of the request, if any. */
export type Exchange = {
  method: string
  /** The path with its query. */
  path: string
  sent?: unknown
  status: number
  headers: Headers
  /** The parsed body of the answer, its text if that is no JSON, or undefined without a body. */
  received: unknown
}

/** Throws an error with a description if an exchange violates the document. */
export type DocumentChecker = (exchange: Exchange) => void

const checkers = new Map<string, DocumentChecker>()

/** The checker of a document. Each document is compiled once. */
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
  // A literal path `/a/b` goes before a template `/a/{id}`.
  routes.sort((one, other) => other.fixed - one.fixed)
  const headerNames = Object.keys(document.components.headers)

  return ({ method, path, sent, status, headers, received }) => {
    const [route = '', query = ''] = path.split('?')
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
    const found = routes.find(({ methods, pattern }) => methods[verb] && pattern.test(route))
    const operation = found?.methods[verb]
    if (!operation) {
      if ([404, 405].includes(status) || verb === 'options') return
      // The service checks rate limits and legal blocks before the path, so any path may get these
      // answers.
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

/** Describes how an accepted request violates the document. */
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
    // A query parameter is text, so a number in the schema arrives as its digits.
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

/** Resolves the reference to an answer that several operations share. */
export const resolveAnswer = (
  answer: Answer | { $ref: string } | undefined,
  { components }: OpenApiDocument,
): Answer | undefined =>
  answer && '$ref' in answer ? components.responses[answer.$ref.split('/').at(-1) ?? ''] : answer

/**
 * An enum that later versions may extend. The answers of this version contain only the listed
 * values.
 */
const OPEN_ENUM = /"anyOf":\[\{([^{}]*)\},\{"type":"string"\}\]/g

/** Compiles a schema of the document. Its references point to the included components. */
export const schemaOf = (schema: JsonSchema, { components }: OpenApiDocument): z.ZodType => {
  const local = JSON.parse(
    JSON.stringify({ ...schema, $defs: components.schemas })
      .replaceAll('"#/components/schemas/', '"#/$defs/')
      .replaceAll(OPEN_ENUM, '$1'),
  )
  return z.fromJSONSchema(local)
}
