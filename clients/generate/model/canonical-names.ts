import { capital, type Document, isAmount, nameIn, type Schema } from './document.ts'
import { camelCase, RENAMED } from './names.ts'

/**
 * Maps the name of each schema to its name in the clients. If the document names equal schemas
 * after the places of their use, they get one name. Bodies of requests keep their names.
 */
export const canonicalNames = (
  { components: { schemas }, paths }: Document,
  bodies: ReadonlySet<string>,
): ReadonlyMap<string, string> => {
  const derived = new Set(derivedNames(schemas))
  const operationIds = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => capital(operationId)),
  )
  const isDerived = (name: string) =>
    derived.has(name) || operationIds.some((prefix) => name !== prefix && name.startsWith(prefix))
  const shapes = shapesOf(schemas)
  const shapeOf = (name: string) =>
    bodies.has(name) ? `body ${name}` : shapes(schemas[name] ?? {})
  const groups = Map.groupBy(Object.keys(schemas), shapeOf)
  const names = new Map(
    [...groups.values()].flatMap((group) => {
      const [best = ''] = group.toSorted(
        (one, other) =>
          Number(isDerived(one)) - Number(isDerived(other)) || one.length - other.length,
      )
      return group.map((name): [string, string] => {
        const chosen = isDerived(name) ? best : name
        return [name, RENAMED[chosen] ?? chosen]
      })
    }),
  )
  for (const [name, all] of Map.groupBy(names.keys(), (each) => names.get(each))) {
    if (new Set(all.map(shapeOf)).size > 1) throw new Error(`Different schemas want ${name}.`)
  }
  return names
}

/** The names that the document derives from a schema and one of its fields. */
const derivedNames = (schemas: Readonly<Record<string, Schema>>): string[] =>
  Object.entries(schemas).flatMap(([parent, { properties = {} }]) =>
    Object.keys(properties).flatMap((field) => {
      const name = parent + capital(camelCase(field))
      return [name, `${name}Entry`, name.replace(/ies$/, 'y'), name.replace(/s$/, '')]
    }),
  )

/**
 * Makes texts that are equal for schemas with equal types. Descriptions and limits do not count.
 */
const shapesOf = (schemas: Readonly<Record<string, Schema>>) => {
  const shape = (schema: Schema): string => {
    if (schema.$ref) return shape(schemas[nameIn(schema.$ref)] ?? {})
    if (isAmount(schema)) return 'amount'
    const { properties, required = [] } = schema
    const fields = Object.entries(properties ?? {})
      .filter(([name]) => name !== 'success')
      .map(([name, part]) => [name, required.includes(name), shape(part)])
    const { additionalProperties: free } = schema
    return JSON.stringify([
      schema.type,
      schema.const,
      schema.enum,
      schema.format,
      fields.sort(),
      [schema.items ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat().map(shape),
      typeof free === 'object' ? shape(free) : undefined,
    ])
  }
  return shape
}
