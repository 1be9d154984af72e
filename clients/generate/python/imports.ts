import type { ClientModel } from '../model.ts'
import type { Modules } from './modules.ts'
import { filled } from './names.ts'

const STANDARD: Readonly<Record<string, string>> = {
  Any: 'typing',
  Literal: 'typing',
  Union: 'typing',
  TYPE_CHECKING: 'typing',
  Decimal: 'decimal',
  datetime: 'datetime',
  Sequence: 'collections.abc',
  Mapping: 'collections.abc',
  dataclass: 'dataclasses',
}
const OWN: Readonly<Record<string, string>> = {
  Amount: '_values',
  NotGiven: '_values',
  NOT_GIVEN: '_values',
  amount_of: '_values',
  amount_text: '_values',
  Model: '_model',
  Unknown: '_model',
  Operation: '_operation',
  Call: '_operation',
  Resource: '_resource',
  AsyncResource: '_resource',
  RequestOptions: '_options',
  Page: '_page',
  AsyncList: '_page',
  EventStream: '_stream',
  AsyncEventStream: '_stream',
}

/** The imports of these names, for a module two folders below the package. */
export const importsOf = (
  names: ReadonlySet<string>,
  model: ClientModel,
  modules: Modules,
  { indent = '', except = '' } = {},
): string => {
  const enums = new Set(model.enums.map(({ name }) => name))
  const place = (name: string): string => {
    const own = OWN[name]
    if (STANDARD[name]) return STANDARD[name]
    if (own) return `...${own}`
    const module = enums.has(name) ? 'enums' : modules.get(name)
    if (!module) throw new Error(`Python has no module for ${name}.`)
    return `..types.${module}`
  }
  const groups = Map.groupBy([...names].sort(), place)
  groups.delete(`..types.${except}`)
  const from = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const write = ([module, all]: [string, string[]]): string =>
    `${wrapped(`from ${module} import `, all.toSorted(), indent)}\n`
  const standard = from.filter(([module]) => !module.startsWith('.')).map(write)
  const ours = from.filter(([module]) => module.startsWith('.')).map(write)
  return [standard, ours]
    .filter((group) => group.length > 0)
    .map((group) => group.join(''))
    .join('\n')
}

/** The imports that only type checkers need. */
export const typeImports = (...args: Parameters<typeof importsOf>): string => {
  const [names, model, modules, options] = args
  const body = importsOf(names, model, modules, { ...options, indent: '    ' })
  return body && `\nif TYPE_CHECKING:\n${body}`
}

const wrapped = (start: string, names: readonly string[], indent: string): string => {
  const line = `${indent}${start}${names.join(', ')}`
  return line.length <= 100 ? line : filled(`${start}(`, names, ')', indent)
}
