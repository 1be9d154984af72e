import { isDeepStrictEqual } from 'node:util'
import { ENUMS } from './enums.ts'
import type { JsonSchema } from './json-schema.ts'

type Components = Record<string, JsonSchema>

/**
 * The schema with each of its objects and enums as a component of its own, named by what it is a
 * part of, so that generators of clients have a name for each: `Donation` and its field
 * `transaction` make `DonationTransaction`, a list `milestones` makes `…Milestone`.
 *
 * @param name of the schema itself, where it is an object or an enum
 * @returns what stands in its place: a reference, or a list or a choice of them
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

/** The same schema with names for the objects in it. */
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

/** `verification_docs` and `verificationDocs` both end in `VerificationDocs`. */
export const capital = (word: string): string =>
  word.replaceAll(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase())

const singular = (name: string): string =>
  name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '')

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
