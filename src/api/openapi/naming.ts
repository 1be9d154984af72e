import { isDeepStrictEqual } from 'node:util'
import { ENUMS } from './enums.ts'
import type { JsonSchema } from './json-schema.ts'

type Components = Record<string, JsonSchema>

/**
 * Makes a named component of each object and enum in a schema, because generated clients need the
 * names. The field `transaction` of `Donation` becomes `DonationTransaction`; items of a list
 * `milestones` get a name that ends in `Milestone`.
 *
 * @param name the name of the schema itself, if it is an object or an enum
 * @returns the schema to use instead: a reference, or a schema that contains references
 */
export const withNames = (schema: JsonSchema, name: string, components: Components): JsonSchema => {
  if (typeof schema.$ref === 'string') return schema
  const { description, default: usual, ...rest } = schema
  const aside = {
    ...(description ? { description } : {}),
    ...(usual === undefined ? {} : { default: usual }),
  }
  if (Array.isArray(schema.enum)) {
    const known = Object.entries(ENUMS).find(([, one]) => isDeepStrictEqual(schema.enum, one))
    return {
      ...named(known?.[0] ?? name, { type: 'string', enum: schema.enum }, components),
      ...aside,
    }
  }
  if (!isObject(schema.properties)) return withNamedParts(schema, name, components)
  return { ...named(name, withNamedParts(rest, name, components), components), ...aside }
}

/** Replaces the objects and enums in a schema by references, but not the schema itself. */
export const withNamedParts = (
  schema: JsonSchema,
  name: string,
  components: Components,
): JsonSchema => {
  const made = { ...schema }
  if (isObject(schema.properties)) {
    made.properties = Object.fromEntries(
      Object.entries(schema.properties as Record<string, JsonSchema>).map(([key, part]) => [
        key,
        withNames(part, name + capital(key), components),
      ]),
    )
  }
  if (isObject(schema.items)) made.items = withNames(schema.items, singular(name), components)
  if (isObject(schema.additionalProperties)) {
    made.additionalProperties = withNames(schema.additionalProperties, `${name}Entry`, components)
  }
  for (const choice of ['anyOf', 'oneOf'] as const) {
    const options = schema[choice]
    if (!Array.isArray(options)) continue
    made[choice] = options.map((option) => withNames(option as JsonSchema, name, components))
  }
  return made
}

const named = (name: string, schema: JsonSchema, components: Components): JsonSchema => {
  const there = components[name]
  if (there && !isDeepStrictEqual(there, schema)) {
    throw new Error(`Two schemas of the document want the name ${name}.`)
  }
  components[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}

/** Makes a schema name: `verification_docs` and `verificationDocs` become `VerificationDocs`. */
export const capital = (word: string): string =>
  word.replaceAll(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase())

const singular = (name: string): string =>
  name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '')

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
