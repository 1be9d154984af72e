import type { ClientModel, Field, Type } from '../model.ts'
import type { PhpFile } from './file.ts'
import { createClassNames, modelClass, quote } from './names.ts'

/** Writes a type in a PHP file, and the code that reads and writes its values. */
export type Php = ReturnType<typeof createPhp>

const WIRE = 'Fundproof\\Internal\\Wire'
const FIELD = 'Fundproof\\Internal\\Field'
const AMOUNT = 'Fundproof\\Amount'
const NOT_GIVEN = 'Fundproof\\NotGiven'

/** The types in one file. Writing the name of a class imports the class. */
export const createPhp = (model: ClientModel, { use }: PhpFile) => {
  const classOf = createClassNames(model)
  const verbatim = new Set(model.objects.filter((one) => one.verbatim).map(({ name }) => name))

  /**
   * The native PHP type. The type of amounts includes float and bool, because otherwise PHP would
   * turn them into texts in files without strict types. The library refuses them.
   */
  const native = (type: Type, isIn: boolean): string => {
    switch (type.kind) {
      case 'text':
      case 'enum':
        return 'string'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'amount':
        return isIn ? 'string|int|float|bool' : 'string'
      case 'time':
        return use(isIn ? 'DateTimeInterface' : 'DateTimeImmutable')
      case 'any':
        return 'mixed'
      case 'literal':
        return ofLiteral(type.value)
      case 'object':
        return verbatim.has(type.name) ? use('stdClass') : use(classOf(type.name))
      case 'union':
        return ofUnion(type.of, type.name, isIn)
      case 'list':
      case 'map':
        return 'array'
    }
  }

  const ofUnion = (members: readonly Type[], name: string | null, isIn: boolean): string => {
    if (name === 'FundproofEvent') return use('Fundproof\\Event')
    const types = members.map((member) => native(member, isIn))
    return [...new Set(name === null ? types : [...types, use('stdClass')])].join('|')
  }

  /** The documented type. */
  const documented = (type: Type, isIn: boolean): string => {
    if (type.kind === 'list') return `list<${documented(type.of, isIn)}>`
    if (type.kind === 'map') return `array<string, ${documented(type.of, isIn)}>`
    return type.kind === 'amount' && isIn ? 'string|int' : native(type, isIn)
  }

  /** An expression that reads a value, or null if the value is already right. */
  const reader = (type: Type): string | null => {
    switch (type.kind) {
      case 'amount':
        return `${use(AMOUNT)}::read(...)`
      case 'time':
        return `${use(WIRE)}::time(...)`
      case 'object':
        return verbatim.has(type.name) ? null : `${use(classOf(type.name))}::fromWire(...)`
      case 'union':
        if (type.name === null) return null
        return type.name === 'FundproofEvent'
          ? `${use('Fundproof\\Event')}::fromWire(...)`
          : `${use(modelClass(type.name))}::read(...)`
      case 'list': {
        const item = reader(type.of)
        return item && `static fn (array $items): array => ${use(WIRE)}::each($items, ${item})`
      }
      case 'map': {
        const value = reader(type.of)
        const more = value === null ? '' : `, ${value}`
        return `static fn (\\stdClass $map): array => ${use(WIRE)}::values($map${more})`
      }
      default:
        return null
    }
  }

  /** The class whose `fromWire` or `read` reads a value, or null if the native type is enough. */
  const readClass = (type: Type): string | null => {
    if (type.kind === 'amount') return `${use(AMOUNT)}::class`
    if (type.kind === 'map') return "'map'"
    if (type.kind === 'union' && type.name) return `${use(modelClass(type.name))}::class`
    if (type.kind !== 'object' || verbatim.has(type.name)) return null
    return `${use(classOf(type.name))}::class`
  }

  /** How `Internal\\Shape` reads and writes a property, if its name and type are not enough. */
  const rule = ({ wire, name, type }: Field, isRead: boolean): string => {
    const holds = type.kind === 'list' || type.kind === 'map' ? type.of : type
    const of = isRead && type.kind !== 'object' ? readClass(holds) : null
    const parts = [
      wire === name ? '' : quote(wire),
      of && `of: ${of}`,
      type.kind === 'map' ? 'map: true' : '',
    ].filter(Boolean)
    return parts.length === 0 ? '' : `#[${use(FIELD)}(${parts.join(', ')})] `
  }

  /** Writes an argument or property into a request. */
  const write = ({ type, nullable, required }: Field, value: string): string => {
    const written =
      type.kind === 'amount'
        ? `${use(AMOUNT)}::write(${value})`
        : type.kind === 'map'
          ? `${use(WIRE)}::map(${value})`
          : type.kind === 'list'
            ? `${use(WIRE)}::list(${value})`
            : value
    return required || nullable ? written : `${written} ?? ${use(NOT_GIVEN)}::Value`
  }

  /** The declaration of an argument, its default, and its documented type. */
  const argument = (field: Field): { type: string; docType: string; initial: string } => {
    const { type, nullable, required } = field
    const base = native(type, true)
    const docs = documented(type, true)
    const canBeNull = nullable || !required
    const plain = base === 'mixed' || !canBeNull ? base : orNull(base)
    const docType = canBeNull ? `${docs}|null` : docs
    if (required) return { type: plain, docType, initial: '' }
    if (!nullable) return { type: plain, docType, initial: ' = null' }
    const absent = use(NOT_GIVEN)
    return {
      type: `${base}|null|${absent}`,
      docType: `${docType}|${absent}`,
      initial: ` = ${absent}::Value`,
    }
  }

  const amount = () => use(AMOUNT)

  return { native, documented, reader, rule, write, argument, orNull, amount }
}

/** The type with null, in its shorter form. */
const orNull = (type: string): string => (type.includes('|') ? `${type}|null` : `?${type}`)

const ofLiteral = (value: string | number | boolean): string => {
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'number' ? 'int' : 'string'
}
