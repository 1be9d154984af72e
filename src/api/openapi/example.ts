import { BY_NAME } from './example-values.ts'
import type { JsonSchema } from './json-schema.ts'
import {
  EXAMPLE_ACCOUNT as ACCOUNT,
  EXAMPLE_ID,
  EXAMPLE_HASH as HASH,
  EXAMPLE_SIGNATURE as SIGNATURE,
  EXAMPLE_TIME as TIME,
} from './samples.ts'

/** An example has at most this many levels, so that a schema that refers to itself ends. */
const MAX_DEPTH = 20

/** Sample texts. The first text that matches the pattern of a field is the field's example. */
const SAMPLES = [ACCOUNT, HASH, SIGNATURE, 'c0ffee'.padEnd(32, '0'), '12.5', '123456', 'en', 'text']

/** Returns the first of a schema's `examples`, or a value made from its type and field names. */
export const exampleOf = (
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  name = '',
  depth = MAX_DEPTH,
): unknown => {
  const make = (part: unknown, partName = name) =>
    exampleOf(part as JsonSchema, components, partName, depth - 1)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (depth === 0) return null
  if (typeof schema.$ref === 'string') return make(components[schema.$ref.split('/').at(-1) ?? ''])
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) return make(options.find((option) => option.type !== 'null') ?? {})
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...schema.allOf.map((part) => make(part)))
  if (Array.isArray(schema.type)) {
    return make({ ...schema, type: schema.type.find((type) => type !== 'null') })
  }
  if (fits(BY_NAME[name], schema)) return BY_NAME[name]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as JsonSchema).map(([key, part]) => [
          key,
          make(part, key),
        ]),
      )
    case 'array':
      return itemsOf(schema).map((item) => make(item))
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return true
    default:
      return 'default' in schema ? schema.default : null
  }
}

const itemsOf = (schema: JsonSchema): unknown[] => {
  if (Array.isArray(schema.prefixItems)) return schema.prefixItems
  const count = typeof schema.minItems === 'number' ? Math.max(1, schema.minItems) : 1
  return schema.items ? new Array<unknown>(count).fill(schema.items) : []
}

const textOf = (schema: JsonSchema, name: string): string => {
  if (schema.format === 'uuid') return EXAMPLE_ID
  if (schema.format === 'date-time') return TIME
  if (schema.format === 'date') return TIME.slice(0, 10)
  if (schema.format === 'email') return 'ada@example.org'
  if (schema.format === 'uri') return 'https://example.org/'
  if (typeof schema.default === 'string') return schema.default
  if (typeof schema.pattern === 'string') {
    const pattern = new RegExp(schema.pattern, 'u')
    const sample = SAMPLES.find((text) => pattern.test(text))
    if (sample !== undefined) return sample
  }
  const text = name === '' ? 'text' : name
  return text.padEnd(Number(schema.minLength ?? 0), 'x').slice(0, Number(schema.maxLength ?? 200))
}

const numberOf = (schema: JsonSchema): number => {
  if (typeof schema.default === 'number') return schema.default
  const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? 1)
  return Math.min(Math.max(1, least), Number(schema.maximum ?? 1_000))
}

const fits = (value: unknown, schema: JsonSchema): boolean => {
  if (value === undefined) return false
  if (schema.type === 'array') return Array.isArray(value)
  if (schema.type === 'integer' || schema.type === 'number') return typeof value === 'number'
  if (schema.type !== 'string' || typeof value !== 'string') return false
  if (schema.format !== undefined && schema.format !== 'email' && schema.format !== 'uri')
    return false
  return typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test(value)
}
