import type { ClientModel, Field, Type } from '../model.ts'
import { literal } from './names.ts'

/** The direction of a value: in a request or in an answer. */
export type Use = 'in' | 'out'

/** Writes types as Python annotations, and collects the names that a module must import. */
export const createAnnotations = (model: ClientModel) => {
  const names = new Set<string>()
  const verbatim = new Set(model.objects.filter((one) => one.verbatim).map(({ name }) => name))

  const annotation = (type: Type, use: Use): string => {
    switch (type.kind) {
      case 'text':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'amount':
        return named(use === 'in' ? 'Amount' : 'Decimal')
      case 'time':
        return named('datetime')
      case 'any':
        return named('Any')
      case 'literal':
        return `${named('Literal')}[${literal(type.value)}]`
      case 'enum':
        return named(type.name)
      case 'object':
        return verbatim.has(type.name) ? `dict[str, ${named('Any')}]` : named(type.name)
      case 'union':
        return type.name ? named(type.name) : type.of.map((one) => annotation(one, use)).join(' | ')
      case 'list': {
        const item = annotation(type.of, use)
        return use === 'in' ? `${named('Sequence')}[${item}]` : `tuple[${item}, ...]`
      }
      case 'map': {
        const value = annotation(type.of, use)
        return use === 'in' ? `${named('Mapping')}[str, ${value}]` : `dict[str, ${value}]`
      }
    }
  }

  const named = (name: string): string => {
    names.add(name)
    return name
  }

  /** The kind of a value for `_model.decode` and `_model.encode`. */
  const kindOf = (type: Type): string => {
    if (type.kind === 'amount' || type.kind === 'time' || type.kind === 'number') return type.kind
    if (type.kind === 'object') return verbatim.has(type.name) ? '' : type.name
    if (type.kind === 'union') return type.name ?? ''
    if (type.kind !== 'list' && type.kind !== 'map') return ''
    const inner = kindOf(type.of)
    if (type.kind === 'list') return `[${inner}`
    return inner && `{${inner}`
  }

  /** The annotation of an argument or of a field, which may be absent or null. */
  const optional = (field: Field, use: Use): string => {
    const base = annotation(field.type, use)
    const alone = base === 'Any'
    const nulls = !alone && (field.nullable || (use === 'out' && !field.required)) ? ' | None' : ''
    const absent = use === 'in' && !field.required && !alone ? ` | ${named('NotGiven')}` : ''
    return base + nulls + absent
  }

  return { annotation, optional, kindOf, named, names }
}

export type Annotations = ReturnType<typeof createAnnotations>
