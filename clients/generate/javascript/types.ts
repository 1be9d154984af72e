import type { ClientModel, Field, ObjectModel, OperationModel, Type } from '../model.ts'
import { sharedObjects } from '../shared-objects.ts'
import { capital, docOf, quoted, WIDTH } from './source.ts'

type Use = 'in' | 'out'

/** The types of the interface. Enums are open, because later versions may have more values. */
export const emitTypes = (model: ClientModel): string => {
  const typeOf = createTypeNames(model)
  const enums = model.enums.map(({ name }) => `export type ${name} = Open<'${name}'>`).join('\n')
  const isShared = new Set(sharedObjects(model))
  const objects = model.objects.flatMap((object) =>
    (['out', 'in'] as const)
      .filter((use) => object[use])
      .map((use) => {
        const name = typeOf.nameOf(object, use)
        const type = isShared.has(object.name) ? name.slice(2) : objectType(object, use, typeOf.of)
        return `${docOf(object.description)}export type ${name} = ${type}`
      }),
  )
  const queries = model.operations
    .filter(({ query, at }) => query.length > 0 && at.join('.') !== 'reconciliation.csv')
    .map((operation) => queryType(operation, typeOf.of))
  const unions = model.unions.map(({ name, of }) =>
    choice(
      `export type ${name} =`,
      of.map((member) => typeOf.of(member, 'out')),
    ),
  )
  return `
import type { Amount, AmountInput } from '../amount.ts'
import type { ENUMS, ERROR_CODES } from './facts.ts'

/** The known values of an enum, and any other text. Editors still complete the known values. */
type Open<E extends keyof typeof ENUMS> = (typeof ENUMS)[E][number] | (string & {})

export type ErrorCode = (typeof ERROR_CODES)[number] | (string & {})

${[enums, ...unions, ...objects, ...queries].join('\n\n')}
`
}

/** Writes a union in one line, or each member in a line if that is too long. */
const choice = (before: string, members: readonly string[]): string => {
  const one = `${before} ${members.join(' | ')}`
  if (one.length <= WIDTH) return one
  return [before, ...members.map((member) => `  | ${member}`)].join('\n')
}

/** The names of types in requests and in answers, which differ for objects with amounts. */
export const createTypeNames = ({ objects }: ClientModel) => {
  const both = new Set(objects.filter((one) => one.in && one.out).map(({ name }) => name))
  const nameOf = ({ name }: { name: string }, use: Use): string =>
    use === 'in' && both.has(name) ? `${name}Input` : name

  const of = (type: Type, use: Use): string => {
    switch (type.kind) {
      case 'text':
      case 'time':
        return 'string'
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'any':
        return 'unknown'
      case 'amount':
        return use === 'in' ? 'AmountInput' : 'Amount'
      case 'literal':
        return quoted(type.value)
      case 'enum':
        return type.name
      case 'object':
        return nameOf(type, use)
      case 'union':
        return type.name ?? type.of.map((member) => of(member, use)).join(' | ')
      case 'list':
        return `${use === 'in' ? 'readonly ' : ''}${grouped(of(type.of, use))}[]`
      case 'map':
        return `Record<string, ${of(type.of, use)}>`
    }
  }
  return { of, nameOf }
}

const grouped = (text: string): string => (text.includes(' ') ? `(${text})` : text)

type TypeOf = (type: Type, use: Use) => string

const objectType = (object: ObjectModel, use: Use, typeOf: TypeOf): string =>
  `{
${object.fields.map((field) => fieldLine(field, use, typeOf)).join('\n')}
}`

const fieldLine = (field: Field, use: Use, typeOf: TypeOf): string => {
  const { name, type, nullable, required, description } = field
  const missing = required ? '' : '?'
  const text = typeOf(type, use) + (nullable ? ' | null' : '')
  const absent = !required && use === 'in' ? ' | undefined' : ''
  return `${docOf(description, '  ')}  ${name}${missing}: ${text}${absent}`
}

const queryType = ({ id, query, at }: OperationModel, typeOf: TypeOf): string =>
  `/** The parameters of \`${at.join('.')}\`. */
export type ${queryName(id)} = {
${query.map((field) => fieldLine(field, 'in', typeOf)).join('\n')}
}`

/** The name of the type of an operation's query. */
export const queryName = (id: string): string => `${capital(id)}Params`
