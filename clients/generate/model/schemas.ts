import { type Document, isAmount, nameIn, type Schema } from './document.ts'
import { camelCase, FIELDS } from './names.ts'
import type { ClientModel, Field, ObjectModel, Type, UnionType } from './types.ts'

const TIMES: ReadonlySet<string> = new Set(['date', 'date-time'])

export type Use = 'in' | 'out'
type Found = Pick<ClientModel, 'enums' | 'objects' | 'unions'>

/** Reads schemas, and collects the enums, objects and unions that they refer to. */
export const createReader = (
  { components: { schemas } }: Document,
  canonical: ReadonlyMap<string, string>,
  bodies: ReadonlySet<string>,
) => {
  const objects = new Map<string, ObjectModel>()
  const enums = new Map<string, string[]>()
  const unions = new Map<string, UnionType>()

  const typeOf = (schema: Schema, use: Use): Type => {
    const { $ref, type, enum: values } = schema
    if ($ref) return named(nameIn($ref), use)
    if (schema.const !== undefined) return { kind: 'literal', value: schema.const }
    if (isAmount(schema)) return { kind: 'amount' }
    if (values) throw new Error(`An enum without a name: ${values}`)
    const options = withoutNull(schema.anyOf ?? schema.oneOf)
    if (options) return choiceOf(options, use)
    if (schema.properties) throw new Error('An object without a name.')
    const only = [type].flat().find((one) => one !== 'null')
    if (only === 'array') {
      const item = schema.prefixItems?.[0] ?? schema.items ?? {}
      return { kind: 'list', of: typeOf(item, use) }
    }
    if (only === 'object') {
      const { additionalProperties: free } = schema
      return { kind: 'map', of: typeOf(typeof free === 'object' ? free : {}, use) }
    }
    if (only === 'string') {
      return { kind: TIMES.has(schema.format ?? '') ? 'time' : 'text' }
    }
    if (only === 'integer' || only === 'number' || only === 'boolean') return { kind: only }
    if (only === undefined) return { kind: 'any' }
    throw new Error(`No type for ${JSON.stringify(schema)}`)
  }

  const named = (name: string, use: Use): Type => {
    const schema = schemas[name]
    if (!schema) throw new Error(`No schema ${name}`)
    const known = canonical.get(name) ?? name
    if (schema.enum) {
      enums.set(known, schema.enum)
      return { kind: 'enum', name: known }
    }
    if (!schema.properties) {
      const type = typeOf(schema, use)
      if (type.kind !== 'union') return type
      const union = { ...type, name: known }
      unions.set(known, union)
      return union
    }
    addObject(known, schema, use, bodies.has(name))
    return { kind: 'object', name: known }
  }

  /** Called once for each direction, because the same object may be in requests and in answers. */
  const addObject = (name: string, schema: Schema, use: Use, body: boolean): void => {
    const made = objects.get(name) ?? emptyObject(name, schema, body)
    if (made[use]) return
    made[use] = true
    objects.set(name, made)
    const fields = Object.entries(schema.properties ?? {}).filter(([wire]) => wire !== 'success')
    const nameOf = (wire: string) => FIELDS[name]?.[wire] ?? camelCase(wire)
    const named = (text: string) =>
      text.replaceAll(/(?<=`)\w+(?=`)/g, (word) =>
        schema.properties?.[word] ? nameOf(word) : word,
      )
    made.fields = fields.map(([wire, part]) => ({
      ...fieldOf(wire, part, use),
      name: nameOf(wire),
      description: part.description === undefined ? null : named(part.description),
      required: schema.required?.includes(wire) ?? false,
    }))
  }

  const fieldOf = (wire: string, schema: Schema, use: Use): Field => ({
    wire,
    name: camelCase(wire),
    type: typeOf(schema, use),
    nullable: isNullable(schema),
    required: false,
    description: schema.description ?? null,
  })

  const choiceOf = (options: readonly Schema[], use: Use): Type => {
    const types = options.map((option) => typeOf(option, use))
    const members = types.flatMap((type) =>
      type.kind === 'union' && type.name === null ? type.of : [type],
    )
    const [first] = members
    if (first && members.length === 1) return first
    // A list of known values together with any text is an open enum.
    const open = members.find(({ kind }) => kind === 'enum')
    if (open && members.every(({ kind }) => kind === 'enum' || kind === 'text')) return open
    if (first && members.every(({ kind }) => kind === first.kind && kind !== 'object')) {
      if (first.kind !== 'literal') return first
    }
    return { kind: 'union', of: members, name: null, by: discriminatorOf(members) }
  }

  /** The first field whose type is a different literal in each member. */
  const discriminatorOf = (members: readonly Type[]): string | null => {
    const literals = members.map((member) =>
      member.kind === 'object'
        ? (objects.get(member.name)?.fields ?? []).flatMap(({ wire, type }) =>
            type.kind === 'literal' ? [{ wire, value: type.value }] : [],
          )
        : [],
    )
    const by = literals[0]?.find(({ wire }) => {
      const values = literals.flatMap((each) => each.filter((one) => one.wire === wire))
      return new Set(values.map(({ value }) => value)).size === members.length
    })
    return by?.wire ?? null
  }

  const found = (): Found => ({
    enums: [...enums]
      .map(([name, values]) => ({ name, values }))
      .sort((one, other) => one.name.localeCompare(other.name)),
    objects: [...objects.values()],
    unions: [...unions.values()],
  })

  return { typeOf, fieldOf, named, found }
}

export type Reader = ReturnType<typeof createReader>

const emptyObject = (
  name: string,
  { description = null }: { description?: string | null },
  body: boolean,
): ObjectModel => ({
  name,
  description,
  fields: [],
  in: false,
  out: false,
  body,
  verbatim: false,
})

const isNull = ({ type }: Schema): boolean => type === 'null'

const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf.some(isNull)

const withoutNull = (options: readonly Schema[] | undefined): Schema[] | undefined =>
  options?.filter((option) => !isNull(option))
