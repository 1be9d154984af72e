import { bodyFields, type ClientModel, type Field, type OperationModel } from '../model.ts'
import { type Annotations, createAnnotations } from './annotations.ts'
import { importsOf, typeImports } from './imports.ts'
import type { Modules } from './modules.ts'
import {
  className,
  docstring,
  fieldName,
  listed,
  moduleName,
  quoted,
  snakeCase,
  table,
} from './names.ts'

type Flavour = 'sync' | 'async'

/** A module for each resource, with its sync and its async class. */
export const resourceFiles = (model: ClientModel, modules: Modules): [string, string][] => {
  const byResource = Map.groupBy(model.operations, ({ at }) => at[0])
  return [...byResource].map(([resource, operations]) => [
    `_generated/resources/${moduleName(resource)}.py`,
    resourceFile(model, modules, resource, operations),
  ])
}

const resourceFile = (
  model: ClientModel,
  modules: Modules,
  resource: string,
  operations: readonly OperationModel[],
): string => {
  const types = createAnnotations(model)
  const constants = operations.map((operation) => constantOf(model, operation, types))
  const classes = (['sync', 'async'] as const).map((flavour) => {
    const methods = operations.map((operation) => methodOf(model, operation, flavour, types))
    const [name, base] =
      flavour === 'sync'
        ? [className(resource), 'Resource']
        : [`Async${className(resource)}`, 'AsyncResource']
    return `\n\nclass ${name}(${base}):\n    """The methods of \`\`${resource}\`\`."""\n${methods.join('')}`
  })
  types.named('RequestOptions')
  const used = new Set(['TYPE_CHECKING', 'Operation', 'Call', 'Resource', 'AsyncResource'])
  const checked = new Set(types.names)
  if (checked.delete('NOT_GIVEN')) used.add('NOT_GIVEN')
  return `"""The methods of ${resource}."""

from __future__ import annotations

${importsOf(used, model, modules)}${typeImports(checked, model, modules)}
${constants.join('')}${classes.join('')}`
}

const constantName = ({ at }: OperationModel): string => `_${snakeCase(at[1]).toUpperCase()}`

const constantOf = (model: ClientModel, operation: OperationModel, types: Annotations): string => {
  const { id, method, answer } = operation
  const fixed = new URLSearchParams(operation.fixedQuery).toString()
  const path = operation.path + (fixed && `?${fixed}`)
  const parts = [quoted(id), quoted(method), quoted(path), quoted(answer.kind)]
  if ('wire' in answer) parts.push(`wire=${quoted(answer.wire)}`)
  const type = answer.kind === 'list' ? answer.item : 'type' in answer ? answer.type : null
  const kind = type && types.kindOf(type)
  if (kind) parts.push(`kind=${quoted(kind)}`)
  if (answer.kind === 'list' && answer.by !== 'cursor') parts.push(`by=${quoted(answer.by)}`)
  const amounts = bodyFields(model, operation).filter((field) => field.type.kind === 'amount')
  if (amounts.length > 0) {
    parts.push(`amounts=(${amounts.map(({ wire }) => `${quoted(wire)},`).join(' ')})`)
  }
  return `${listed(`${constantName(operation)} = Operation(`, parts, ')')}\n`
}

const methodOf = (
  model: ClientModel,
  operation: OperationModel,
  flavour: Flavour,
  types: Annotations,
): string => {
  const { at, pathFields, query, answer, body, summary } = operation
  const fields = bodyFields(model, operation)
  const named = [...fields, ...query].toSorted(
    (one, other) => Number(other.required) - Number(one.required),
  )
  const path = pathFields.map((field) => `${fieldName(field)}: str`)
  const file = body?.kind === 'file' ? body.types : null
  const parameters = ['self', ...path]
  if (file) {
    const type = `${types.named('Literal')}[${file.map(quoted).join(', ')}]`
    parameters.push('content: bytes', `content_type: ${type}`)
  }
  parameters.push('*')
  parameters.push(
    ...named.map((field) => (query.includes(field) ? queryOf : argumentOf)(field, types)),
  )
  parameters.push('options: RequestOptions | None = None')
  const all = parameters.map((one) => one.split(':')[0])
  if (new Set(all).size < all.length) throw new Error(`${at.join('.')} names an argument twice.`)
  const waits = flavour === 'async' && answer.kind !== 'list' && answer.kind !== 'stream'
  const start = `${waits ? 'async def' : 'def'} ${snakeCase(at[1])}(`
  const head = listed(start, parameters, `) -> ${returns(operation, flavour, types)}:`, '    ')
  return `
${head}
${docstring(summary + argumentsOf([...fields, ...query]), '        ')}${callOf(operation, fields, waits)}`
}

const argumentOf = (field: Field, types: Annotations): string => {
  const type = types.optional(field, 'in')
  if (field.required) return `${fieldName(field)}: ${type}`
  return `${fieldName(field)}: ${type} = ${types.named('NOT_GIVEN')}`
}

/** In a query None means absent, and a list parameter also accepts one value. */
const queryOf = (field: Field, types: Annotations): string => {
  const { type } = field
  const one = type.kind === 'list' ? `${types.annotation(type.of, 'in')} | ` : ''
  const written = `${fieldName(field)}: ${one}${types.annotation(type, 'in')}`
  return field.required ? written : `${written} | None = None`
}

const argumentsOf = (fields: readonly Field[]): string => {
  const notes = fields.flatMap((field) =>
    field.description
      ? [`    ${fieldName(field)}: ${field.description.replaceAll('\n', ' ')}`]
      : [],
  )
  return notes.length > 0 ? `\n\nArgs:\n${notes.join('\n')}` : ''
}

const returns = ({ answer }: OperationModel, flavour: Flavour, types: Annotations): string => {
  switch (answer.kind) {
    case 'none':
      return 'None'
    case 'file':
      return 'bytes'
    case 'csv':
      return 'str'
    case 'stream':
      return types.named(flavour === 'sync' ? 'EventStream' : 'AsyncEventStream')
    case 'list': {
      const item = types.annotation(answer.item, 'out')
      return `${types.named(flavour === 'sync' ? 'Page' : 'AsyncList')}[${item}]`
    }
    default:
      return types.annotation(answer.type, 'out')
  }
}

const callOf = (operation: OperationModel, fields: readonly Field[], waits: boolean): string => {
  const { pathFields, query, body, answer } = operation
  const parts = [constantName(operation)]
  const path = pathFields.map(fieldName).join(', ')
  if (path) parts.push(pathFields.length > 1 ? `(${path})` : `(${path},)`)
  const lines: string[] = []
  if (query.length > 0) {
    lines.push(`${dictionary('query', query)}\n`)
    parts.push('query=query')
  }
  if (body?.kind === 'json') {
    lines.push(`${dictionary('body', fields)}\n`)
    parts.push('body=body')
  }
  if (body?.kind === 'file') parts.push('body=content', 'content_type=content_type')
  const call = `Call(${parts.join(', ')})`
  const method = answer.kind === 'list' || answer.kind === 'stream' ? answer.kind : 'call'
  const start = `${answer.kind === 'none' ? '' : 'return '}${waits ? 'await ' : ''}self._${method}(`
  return `${lines.join('')}${listed(start, [call, 'options'], ')', '        ')}\n`
}

const dictionary = (name: string, fields: readonly Field[]): string =>
  table(
    name,
    fields.map((field) => [field.wire, fieldName(field)]),
    '        ',
  )
