import { bodyFields, type ClientModel, type OperationModel } from '../model.ts'
import { keyOf } from './operations.ts'
import { capital, docOf, filled, listed, quoted } from './source.ts'
import { createTypeNames, queryName } from './types.ts'

type Group = { resource: string; methods: OperationModel[] }

/** Makes a class for each resource, and a class that contains all resources. */
export const emitResources = (model: ClientModel): Record<string, string> => {
  const groups = [...Map.groupBy(model.operations, ({ at }) => at[0])].map(
    ([resource, methods]): Group => ({ resource, methods }),
  )
  const files = groups.map((group) => [
    `resources/${fileOf(group.resource)}.ts`,
    resourceFile(model, group),
  ])
  return { ...Object.fromEntries(files), 'resources/index.ts': indexFile(groups) }
}

/** The name of a resource's class: `V1Campaigns` for `v1.campaigns`. */
const className = (resource: string): string => resource.split('.').map(capital).join('')

const fileOf = (resource: string): string => resource.replace('.', '-')

const resourceFile = (model: ClientModel, { resource, methods }: Group): string => {
  const bodies = methods.map((method) => methodText(model, method)).join('\n\n')
  const code = bodies.replaceAll(/\/\*\*.*?\*\//gs, '')
  const uses = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(code))
  const types = uses(typeNames(model))
  const fromCall = uses(['Call', 'CallOptions'])
  const imports = [
    ...(fromCall.length > 0 ? [importOf(fromCall, '../../call.ts')] : []),
    ...(uses(['FileInput']).length > 0 ? [importOf(['FileInput'], '../../core.ts')] : []),
    ...(uses(['EventStream']).length > 0
      ? [importOf(['EventStream', 'StreamOptions'], '../../event-stream.ts')]
      : []),
    ...(uses(['List']).length > 0 ? [importOf(['List'], '../../page.ts')] : []),
    `import { Resource } from '../../resource.ts'`,
    `import { operations } from '../operations.ts'`,
    ...(types.length > 0 ? [importOf(types.sort(), '../types.ts')] : []),
  ]
  return `
${imports.join('\n')}

/** The calls of \`${resource}\`. */
export class ${className(resource)} extends Resource {
${bodies}
}
`
}

const importOf = (names: readonly string[], from: string): string =>
  filled('import type { ', names, ` } from '${from}'`)

const typeNames = (model: ClientModel): string[] => {
  const { nameOf } = createTypeNames(model)
  return [
    ...model.enums.map(({ name }) => name),
    ...model.unions.flatMap(({ name }) => name ?? []),
    ...model.objects.flatMap((object) => [object.name, nameOf(object, 'in')]),
    ...model.operations.filter(({ query }) => query.length > 0).map(({ id }) => queryName(id)),
  ].filter((name, index, all) => all.indexOf(name) === index)
}

const methodText = (model: ClientModel, operation: OperationModel): string => {
  const [, method] = operation.at
  const parts = partsOf(model, operation)
  const segments = operation.pathFields.map(({ name }) => name)
  const parameters = [
    ...segments.map((name) => `${name}: string`),
    ...(parts.params ? [parts.params] : []),
    `options?: ${parts.options}`,
  ]
  const given = [
    `operations.${keyOf(operation)}`,
    ...(parts.call === 'streamOf' ? [] : [`[${segments.join(', ')}]`]),
    parts.given,
    'options',
  ]
  return `${docOf(docTextOf(operation), '  ')}${listed(
    `${method}(`,
    parameters,
    `): ${parts.result} {`,
    '  ',
  )}
${listed(`return this.${parts.call}(`, given, ')', '    ')}
  }`
}

const docTextOf = ({ summary, pathFields, answer }: OperationModel): string => {
  const described = pathFields.filter(({ description }) => description !== null)
  const params = described.map(({ name, description }) => `@param ${name} ${description}`)
  const all = answer.kind === 'list' ? ['Iterate over the result to get all pages.'] : []
  return [[summary, ...all].join(' '), ...(params.length > 0 ? ['', ...params] : [])].join('\n')
}

type Parts = {
  /** The declaration of the parameter for the query or the body. */
  params: string | null
  /** The argument that passes this parameter on. */
  given: string
  call: 'call' | 'listOf' | 'streamOf' | 'upload'
  options: string
  result: string
}

const partsOf = (model: ClientModel, operation: OperationModel): Parts => {
  const { answer, body, query, without } = operation
  const { of: typeOf } = createTypeNames(model)
  const base = { options: 'CallOptions', call: 'call' as const }
  const params = paramsOf(model, operation)
  const given = params === null ? (answer.kind === 'list' ? '{}' : 'undefined') : 'params'
  if (body?.kind === 'file') {
    const file = { params: 'file: FileInput', given: 'file', call: 'upload' as const }
    return { ...base, ...file, result: `Call<${resultOf(model, operation)}>` }
  }
  if (body && query.length > 0) throw new Error(`${operation.id} has a query and a body.`)
  if (without.length > 0 && !body) throw new Error(`${operation.id} has no body to leave out of.`)
  if (answer.kind === 'list') {
    const result = `List<${typeOf(answer.item, 'out')}>`
    return { ...base, params, given, call: 'listOf', result }
  }
  if (answer.kind === 'stream') {
    const result = 'EventStream<FundproofEvent>'
    return { params, given, call: 'streamOf', options: 'StreamOptions', result }
  }
  return { ...base, params, given, result: `Call<${resultOf(model, operation)}>` }
}

const resultOf = (model: ClientModel, { answer }: OperationModel): string => {
  if (answer.kind === 'none') return 'void'
  if (answer.kind === 'csv') return 'string'
  if (answer.kind === 'file') return 'Blob'
  return 'type' in answer ? createTypeNames(model).of(answer.type, 'out') : 'unknown'
}

/** `params: …`, with a default if no field is required, or null without fields. */
const paramsOf = (model: ClientModel, operation: OperationModel): string | null => {
  const { body, query, id, without, method } = operation
  const fields = body?.kind === 'json' ? bodyFields(model, operation) : query
  if (fields.length === 0) return null
  const name = body?.kind === 'json' ? body.object : queryName(id)
  const type = without.length > 0 ? `Omit<${name}, ${without.map(quoted).join(' | ')}>` : name
  const isNeeded = method === 'PATCH' || fields.some(({ required }) => required)
  return isNeeded ? `params: ${type}` : `params: ${type} = {}`
}

const indexFile = (groups: readonly Group[]): string => {
  const names = groups.map(({ resource }) => resource).sort()
  const plain = names.filter((name) => !name.includes('.'))
  const nested = Map.groupBy(
    names.filter((name) => name.includes('.')),
    (name) => name.split('.')[0] ?? '',
  )
  const last = (name: string) => name.slice(name.lastIndexOf('.') + 1)
  const imports = names.map((name) => `import { ${className(name)} } from './${fileOf(name)}.ts'`)
  return `
${importOf(['Core'], '../../core.ts')}
${imports.join('\n')}

/** The resources of a client. */
export abstract class Resources {
${plain.map((name) => `  readonly ${name}: ${className(name)}`).join('\n')}
${[...nested]
  .map(([parent, all]) => {
    const fields = all.map((name) => `    readonly ${last(name)}: ${className(name)}\n`)
    return `  /** The calls under \`/${parent}\`. */\n  readonly ${parent}: {\n${fields.join('')}  }`
  })
  .join('\n')}

  constructor(core: Core) {
${plain.map((name) => `    this.${name} = new ${className(name)}(core)`).join('\n')}
${[...nested]
  .map(([parent, all]) => {
    const fields = all.map((name) => `      ${last(name)}: new ${className(name)}(core),\n`)
    return `    this.${parent} = {\n${fields.join('')}    }`
  })
  .join('\n')}
  }
}
`
}
