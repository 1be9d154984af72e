import { z } from 'zod'
import { isOpen } from './enums.ts'

export type JsonSchema = Record<string, unknown>

/**
 * JSON Schema (2020-12, as OpenAPI 3.1 uses it) of a zod schema. Named parts (`.meta({ id })`) are
 * collected in `components` and referred to.
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

/** What OpenAPI asks for beside the schema, and without what says nothing to a reader. */
const tidy = ({ jsonSchema }: Made): void => {
  if (Number.isInteger(jsonSchema.const)) jsonSchema.type = 'integer'
  if (PATTERN_IS_KNOWN.has(String(jsonSchema.format))) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Besides, takes any text where later versions may add to a list of values. */
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
 * The schema of a body with its defaults in words. Generators make a field with a default one that
 * is always there, which is true of what the server has, and not of what a caller has to send.
 */
export const withSpokenDefaults = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('default' in part)) return part
    const { default: value, description, ...rest } = part as JsonSchema
    const sentence = `Default: \`${JSON.stringify(value)}\`.`
    return { ...rest, description: description ? `${description} ${sentence}` : sentence }
  }) as JsonSchema

/** Points references at the document's components instead of at the schema's own parts. */
const hoisted = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as JsonSchema
