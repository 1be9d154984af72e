import { z } from 'zod'
import { isOpen } from './enums.ts'

export type JsonSchema = Record<string, unknown>

/**
 * Converts a zod schema to JSON Schema (version 2020-12, which OpenAPI 3.1 uses). Parts with a name
 * (`.meta({ id })`) are moved to `components`, and a `$ref` replaces them.
 */
export const toJsonSchema = (
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema => {
  const override = io === 'input' ? tidy : tidyAnswer
  const made: JsonSchema = { ...z.toJSONSchema(schema, { io, unrepresentable: 'any', override }) }
  const { $schema: _, $defs, ...root } = made
  for (const [name, part] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
    components[name] = hoisted(part)
  }
  return hoisted(root)
}

type Made = { jsonSchema: JsonSchema }

/** Adds the type that client generators need for a constant, and removes redundant keywords. */
const tidy = ({ jsonSchema }: Made): void => {
  if (Number.isInteger(jsonSchema.const)) jsonSchema.type = 'integer'
  if (PATTERN_IS_KNOWN.has(String(jsonSchema.format))) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Like `tidy`, but also allows any other text where later versions may add values. */
const tidyAnswer = (made: Made): void => {
  tidy(made)
  const { type, enum: values } = made.jsonSchema
  if (!isOpen(values)) return
  delete made.jsonSchema.type
  delete made.jsonSchema.enum
  made.jsonSchema.anyOf = [{ type, enum: values }, { type }]
}

const PATTERN_IS_KNOWN: ReadonlySet<string> = new Set(['uuid', 'date', 'date-time', 'email'])

/**
 * Moves the defaults of a body's schema into the descriptions. Otherwise, client generators would
 * require the fields with a default, which a caller may leave out.
 */
export const withSpokenDefaults = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('default' in part)) return part
    const { default: value, description, ...rest } = part as JsonSchema
    const sentence = `Default: \`${JSON.stringify(value)}\`.`
    return { ...rest, description: description ? `${description} ${sentence}` : sentence }
  }) as JsonSchema

/** Changes references to a schema's own parts into references to the document's components. */
const hoisted = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as JsonSchema
