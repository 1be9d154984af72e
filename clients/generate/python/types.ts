import type { ClientModel, Field, ObjectModel, UnionType } from '../model.ts'
import { isSecret } from '../secrets.ts'
import { sharedObjects } from '../shared-objects.ts'
import { type Annotations, createAnnotations } from './annotations.ts'
import { importsOf, typeImports } from './imports.ts'
import { classesOf, type Modules } from './modules.ts'
import { camelCase, comment, docstring, fieldName, filled, listed, quoted, table } from './names.ts'

type Files = [path: string, body: string][]

/** Makes a module for the objects of each resource, a module for the enums, and an index. */
export const typeFiles = (model: ClientModel, modules: Modules): Files => {
  const byModule = Map.groupBy(classesOf(model), ({ name }) => modules.get(name) ?? 'common')
  const files = [...byModule].map(([module, objects]): [string, string] => [
    `_generated/types/${module}.py`,
    typeFile(model, modules, module, objects),
  ])
  return [
    ...files,
    ['_generated/types/enums.py', enumsFile(model)],
    ['_generated/index.py', indexFile(model, modules)],
    ['types.py', publicFile(model, modules)],
  ]
}

const typeFile = (
  model: ClientModel,
  modules: Modules,
  module: string,
  objects: readonly ObjectModel[],
): string => {
  const annotations = createAnnotations(model)
  const unions = model.unions.filter(({ name }) => modules.get(name ?? '') === module)
  const shared = new Map(
    sharedObjects(model).map((name) => [
      name,
      model.objects.find((one) => `V1${one.name}` === name),
    ]),
  )
  const docOf = createDocs(model)
  const classes = objects.map((object) =>
    classOf(object, docOf(object), annotations, shared.get(object.name)),
  )
  const aliases = unions.map((union) => unionAlias(union, annotations))
  const used = new Set(['dataclass'])
  if (objects.some(({ name }) => !shared.has(name))) used.add('Model')
  const checked = new Set(annotations.names)
  for (const { name } of objects) {
    const base = shared.get(name)?.name
    if (base !== undefined && modules.get(base) !== module) used.add(base)
    checked.delete(name)
    checked.delete(base ?? '')
  }
  for (const { name } of unions) checked.delete(name ?? '')
  const runtime = ['amount_of', 'amount_text', 'NOT_GIVEN', 'Union', 'Unknown']
  for (const name of runtime) if (checked.delete(name)) used.add(name)
  const types = typeImports(checked, model, modules, { except: module })
  if (types) used.add('TYPE_CHECKING')
  return `"""Objects of the interface: ${module}."""

from __future__ import annotations

${importsOf(used, model, modules)}${types}${classes.join('')}${aliases.join('')}`
}

/**
 * Objects of requests have positional arguments. Objects of answers have many fields, all by
 * keyword. A class with the fields of `base` contains only the differences.
 */
const classOf = (
  object: ObjectModel,
  doc: string,
  types: Annotations,
  base?: ObjectModel,
): string => {
  const fields = object.fields.toSorted(
    (one, other) => Number(other.required) - Number(one.required),
  )
  const both = object.in && object.out && fields.some(({ type }) => type.kind === 'amount')
  // The base class implements comparison and repr, because dataclasses take long to generate them.
  const options = ['frozen=True', 'slots=True', 'eq=False', 'repr=False']
  if (!object.in) options.push('kw_only=True')
  if (both) options.push('init=False')
  if (base) {
    const differs = ({ type }: Field, at: number) =>
      types.kindOf(type) !== types.kindOf(base.fields[at]?.type ?? type)
    const own = object.fields.filter(differs)
    const kinds = own.map(
      (field) => `${quoted(fieldName(field))}: ${quoted(types.kindOf(field.type))}`,
    )
    const lines = [
      ...own.map((field) => fieldLine(object, field, types)),
      ...(own.length > 0
        ? [`\n    __kinds__ = {**${base.name}.__kinds__, ${kinds.join(', ')}}\n`]
        : []),
      `${table('__names__', namesOf(object), '    ')}\n`,
    ]
    return `

@dataclass(${options.join(', ')})
class ${object.name}(${base.name}):
${docstring(doc, '    ')}
${lines.join('')}`
  }
  return `

@dataclass(${options.join(', ')})
class ${object.name}(Model):
${docstring(doc, '    ')}
${fields.map((field) => fieldLine(object, field, types)).join('')}${tablesOf(object, types)}${both ? initOf(fields, types) : ''}`
}

/** The names on the wire that are not in camel case. */
const namesOf = ({ fields }: ObjectModel): [string, string][] =>
  fields
    .filter((field) => field.wire !== camelCase(fieldName(field)))
    .map((field) => [fieldName(field), quoted(field.wire)])

/**
 * The tables of an object's fields that the base class needs: their kinds, names and secrets.
 * Leaves out fields without a conversion, with a regular name and without a secret.
 */
const tablesOf = (object: ObjectModel, types: Annotations): string => {
  const entriesOf = (textOf: (field: Field) => string) =>
    object.fields.flatMap((field): [string, string][] => {
      const text = textOf(field)
      return text ? [[fieldName(field), quoted(text)]] : []
    })
  const all: [string, [string, string][]][] = [
    ['__kinds__', entriesOf((field) => wireKind(object, field, types))],
    ['__names__', namesOf(object)],
    ['__secret__', entriesOf((field) => (isSecret(object, field) ? '***' : ''))],
  ]
  const tables = all
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) => `${table(name, entries, '    ')}\n`)
    .join('')
  return tables && `\n${tables}`
}

const wireKind = (object: ObjectModel, field: Field, types: Annotations): string => {
  const kind = types.kindOf(field.type)
  // A missing field of an answer is None. `?`: a request leaves out a field that is None.
  return object.in && object.out && !field.required && !field.nullable ? `?${kind}` : kind
}

const fieldLine = (object: ObjectModel, field: Field, types: Annotations): string => {
  const text = field.description?.replaceAll(/(?<=`)\w+(?=`)/g, (word) => {
    const named = object.fields.find(({ name }) => name === word)
    return named ? fieldName(named) : word
  })
  const note = text ? comment(text, '    ') : ''
  const name = fieldName(field)
  if (object.in && object.out) {
    const type = types.optional(field, 'out')
    return `${note}    ${name}: ${type}${field.required ? '' : ' = None'}\n`
  }
  const type = types.optional(field, object.in ? 'in' : 'out')
  if (field.required) return `${note}    ${name}: ${type}\n`
  return `${note}    ${name}: ${type} = ${object.in ? types.named('NOT_GIVEN') : 'None'}\n`
}

/** Amounts may be texts or integers, and become Decimal. */
const initOf = (fields: readonly Field[], types: Annotations): string => {
  const parameters = fields.map((field) => `${fieldName(field)}: ${types.optional(field, 'in')}`)
  types.named('amount_of')
  types.named('amount_text')
  const lines = fields.map((field) => {
    const name = fieldName(field)
    const value = field.type.kind === 'amount' ? `amount_of(amount_text(${name}))` : name
    return `        object.__setattr__(self, ${quoted(name)}, ${value})\n`
  })
  return `
    def __init__(self, ${parameters.join(', ')}) -> None:
${lines.join('')}`
}

const unionAlias = ({ name, of }: UnionType, types: Annotations): string => {
  types.named('Union')
  const members = of.map((one) => types.annotation(one, 'out'))
  return `\n\n${listed(`${name} = Union[`, [...members, types.named('Unknown')], ']')}\n`
}

const enumsFile = ({ enums }: ClientModel): string => {
  const aliases = enums.map(({ name, values }) =>
    filled(`${name} = Union[Literal[`, values.map(quoted), '], str]'),
  )
  return `"""Lists of values. Later versions may add values, so any text is accepted."""

from __future__ import annotations

from typing import Literal, Union

${aliases.join('\n')}
`
}

/** The module of each type, so that a class is imported only when it is needed. */
const indexFile = (model: ClientModel, modules: Modules): string => {
  const classes = classesOf(model).map(({ name }) => name)
  const entries = classes.map((name): [string, string] => [name, quoted(modules.get(name) ?? '')])
  const unions = model.unions.map(({ name, by, of }) => {
    const members = of.map((member): [string, string] => {
      const object = member.kind === 'object' ? member.name : ''
      const fields = model.objects.find((one) => one.name === object)?.fields ?? []
      const type = fields.find(({ wire }) => wire === by)?.type
      return [type?.kind === 'literal' ? String(type.value) : '', quoted(object)]
    })
    const tag = quoted(by ?? '')
    return `    ${quoted(name ?? '')}: (${tag}, ${table('', members, '    ').trim().slice(2)}),\n`
  })
  return `"""The module of each class, and the members of each union by a field that tells them apart."""

from __future__ import annotations

${table('MODULES: dict[str, str]', entries)}

UNIONS: dict[str, tuple[str, dict[str, str]]] = {
${unions.join('')}}
`
}

/** The public module of all types, which imports a type at its first use. */
const publicFile = (model: ClientModel, modules: Modules): string => {
  const classes = classesOf(model).map(({ name }) => name)
  const unions = model.unions.flatMap(({ name }) => name ?? [])
  const enums = model.enums.map(({ name }) => name)
  const others = new Map([
    ...enums.map((name): [string, string] => [name, 'enums']),
    ...unions.map((name): [string, string] => [name, modules.get(name) ?? 'common']),
  ])
  const byModule = Map.groupBy(
    [...classes, ...unions, ...enums].sort(),
    (name) => others.get(name) ?? modules.get(name) ?? '',
  )
  const imports = [...byModule]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, names]) =>
      filled(`from ._generated.types.${module} import (`, names, ')', '    '),
    )
  const all = [...classes, ...unions, ...enums].sort()
  const elsewhere = [...others].sort().map(([name, at]): [string, string] => [name, quoted(at)])
  return `"""All objects and lists of values of the interface. Each is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._generated.index import MODULES

if TYPE_CHECKING:
${imports.map((one) => `${one}\n`).join('')}
${filled('__all__ = [', all.map(quoted), ']')}

${table('_OTHERS', elsewhere)}


def __getattr__(name: str) -> Any:
    module = MODULES.get(name) or _OTHERS.get(name)
    if module is None:
        raise AttributeError(f"module 'fundproof.types' has no attribute {name!r}")
    return getattr(import_module(f"fundproof._generated.types.{module}"), name)


def __dir__() -> list[str]:
    return __all__
`
}

/** The docstrings of the classes. Python would otherwise compute them for dataclasses at start. */
const createDocs = ({ events }: ClientModel) => {
  const eventDocs = new Map(
    events.flatMap(({ type, object }): [string, string][] => [
      [object, `The event \`${type}\`.`],
      [`${object}Data`, `The data of the event \`${type}\`.`],
    ]),
  )
  return ({ name, description, in: isIn, out }: ObjectModel): string => {
    const plain = isIn ? `An object in requests${out ? ' and in answers' : ''}.` : undefined
    return description ?? eventDocs.get(name) ?? plain ?? 'An object in answers.'
  }
}
