import type { ClientModel, OperationModel } from '../model.ts'
import { createRules } from './shapes.ts'
import { listed, quoted } from './source.ts'

/**
 * Writes the operations as data. A method that only leaves fields out uses the entry of its
 * operation.
 */
export const emitOperations = (model: ClientModel): string => {
  const { ruleOf } = createRules(model)
  const lines = model.operations.filter(isOwn).map((operation) => {
    const { method, body, answer } = operation
    const type = 'item' in answer ? answer.item : 'type' in answer ? answer.type : undefined
    const input = body?.kind === 'json' ? ruleOf({ kind: 'object', name: body.object }, 'in') : null
    const output = type && ruleOf(type, 'out')
    const parts = [
      `at: ${quoted(`${method} ${pathOf(operation)}`)}`,
      ...(input ? [`in: ${quoted(input)}`] : []),
      ...(output ? [`out: ${quoted(output)}`] : []),
      ...answerParts(operation),
    ]
    return `${listed(`${keyOf(operation)}: { `, parts, ' }', '  ')},`
  })
  return `
import type { Operation } from '../operation.ts'

/** The operations of the interface. */
export const operations = {
${lines.join('\n')}
} satisfies Record<string, Operation>
`
}

/**
 * Whether the method has an entry. A method that leaves fields out shares the entry of its
 * operation.
 */
const isOwn = ({ without }: OperationModel): boolean => without.length === 0

/** The name of an operation's entry. */
export const keyOf = ({ id, fixedQuery }: OperationModel): string =>
  Object.keys(fixedQuery).length > 0 ? `${id}Csv` : id

const pathOf = ({ path, fixedQuery }: OperationModel): string => {
  const query = String(new URLSearchParams(fixedQuery))
  return query ? `${path}?${query}` : path
}

/** The result of `typeof` for a content that is no object. */
const KINDS: Readonly<Record<string, string>> = { text: 'string', integer: 'number', list: 'list' }

const answerParts = ({ answer }: OperationModel): string[] => {
  if (answer.kind === 'whole') return []
  if (answer.kind === 'content') {
    const is = KINDS[answer.type.kind]
    return [`field: ${quoted(answer.wire)}`, ...(is ? [`is: ${quoted(is)}`] : [])]
  }
  if (answer.kind === 'list') return [`list: ${quoted(answer.wire)}`, `by: ${quoted(answer.by)}`]
  return [`as: ${quoted(answer.kind)}`]
}
