import { z } from 'zod'
import { capital } from '../openapi/naming.ts'

/**
 * A family of paths: `/api` or `/v1`. `/api` spells the fields of campaigns and milestones in
 * snake_case. `/v1` puts the content of an answer into a field `data`.
 */
export type Family = {
  readonly prefix: '/api' | '/v1'
  readonly operationId: (name: string) => string
  /** The name of a schema in the OpenAPI document. */
  readonly schemaId: (name: string) => string
  /** The name of the field with an answer's content: `name` in `/api`, and `data` in `/v1`. */
  readonly content: (name: string) => string
  readonly field: (name: string) => string
  /** Spells the names of fields as this family does. Only `/api` sorts the fields by `order`. */
  readonly spell: <T>(fields: Fields<T>, order?: readonly string[]) => Record<string, T>
  /** The schema of a body with these fields. The parsed body has camelCase names in each family. */
  readonly body: <T extends z.ZodRawShape>(shape: T) => z.ZodType<z.output<z.ZodObject<T>>>
}

type Fields<T> = Readonly<Record<string, T>>

const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const spellInSnake = <T>(
  fields: Fields<T>,
  order: readonly string[] = Object.keys(fields),
): Record<string, T> => Object.fromEntries(order.map((name) => [snake(name), fields[name] as T]))

export const API: Family = {
  prefix: '/api',
  operationId: (name) => name,
  schemaId: (name) => name,
  content: (name) => name,
  field: snake,
  spell: spellInSnake,
  body: (shape) => {
    const names = new Map(Object.keys(shape).map((name) => [snake(name), name]))
    const ours = (body: object) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [names.get(name), value]))
    return withNamesOf<typeof shape>(z.strictObject(spellInSnake(shape)).transform(ours))
  },
}

export const V1: Family = {
  prefix: '/v1',
  operationId: (name) => `v1${capital(name)}`,
  schemaId: (name) => `V1${name}`,
  content: () => 'data',
  field: (name) => name,
  spell: (fields) => ({ ...fields }),
  body: (shape) => withNamesOf<typeof shape>(z.strictObject(shape)),
}

/** Gives a schema its type. The cast is needed, because TypeScript cannot infer the new names. */
const withNamesOf = <T extends z.ZodRawShape>(schema: z.ZodType) =>
  schema as z.ZodType<z.output<z.ZodObject<T>>>
