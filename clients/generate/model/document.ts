/** The parts of the OpenAPI document that the model is made from. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: string | number | boolean
  enum?: string[]
  format?: string
  pattern?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export type Parameter = {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description?: string
  schema: Schema
  example?: string
}

export type Media = { schema: Schema; examples?: Record<string, { value: unknown }> }

export type Reply = { $ref?: string; content?: Record<string, Media> }

export type Operation = {
  operationId: string
  summary: string
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Reply>
}

export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Reply> }
}

/** The last part of a reference: the name of the component. */
export const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Whether the schema is an exact decimal number, which the clients read and write as text. */
export const isAmount = ({ anyOf = [], pattern }: Schema): boolean =>
  pattern?.endsWith('\\d+(\\.\\d+)?$') ||
  (anyOf.some(({ type }) => type === 'number') && anyOf.some(({ type }) => type === 'string'))
