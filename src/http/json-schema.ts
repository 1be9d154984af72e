import { z } from 'zod'

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
  const made: JsonSchema = { ...z.toJSONSchema(schema, { io, unrepresentable: 'any', override }) }
  const { $schema: _, $defs, ...root } = made
  for (const [name, part] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
    components[name] = hoisted(part)
  }
  return hoisted(root)
}

/** A literal whole number is an integer. */
const override = ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
  if (Number.isInteger(jsonSchema.const)) jsonSchema.type = 'integer'
}

/** Points references at the document's components instead of at the schema's own parts. */
const hoisted = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
  ) as JsonSchema
