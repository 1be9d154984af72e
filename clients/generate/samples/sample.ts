import { bodyFields, type ClientModel, type OperationModel, type Type } from '../model.ts'
import type { Part } from './print.ts'
import { type Writer, writeFields } from './values.ts'

/** The arguments of a sample's call: first the path, then query and body. */
export const argumentsOf = (model: ClientModel, writer: Writer, operation: OperationModel) => {
  const { example, query } = operation
  const body = (example.body ?? {}) as Readonly<Record<string, unknown>>
  return {
    path: operation.pathFields.map((_, index) => writer.text(example.path[index] ?? '')),
    fields: [
      ...writeFields(model, writer, query, example.query),
      ...writeFields(model, writer, bodyFields(model, operation), body),
    ] satisfies [string, Part][],
  }
}

/** The variable for the answer, in camelCase. */
export const variableOf = ({ answer, at }: OperationModel): string => {
  if (answer.kind === 'content') return answer.wire === 'data' ? nameOf(answer.type) : answer.wire
  if (answer.kind === 'whole') return nameOf(answer.type)
  if (answer.kind === 'list') return nameOf(answer.item)
  return { csv: 'csv', file: 'cover', stream: 'event', none: at[1] }[answer.kind]
}

/** Parts of names that say how an object is read, not which object it is. */
const WAYS = /^(?:V1)?(?:User|Listed|Single)?(?=[A-Z])|WithAttempts$/g

const nameOf = (type: Type): string => {
  if (type.kind === 'union') return 'event'
  const name = type.kind === 'object' ? type.name.replaceAll(WAYS, '') : 'document'
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** The name of the first field of a list's items or of an event, which the sample prints. */
export const shownField = ({ objects }: ClientModel, { answer }: OperationModel): string => {
  const item = answer.kind === 'list' ? answer.item : null
  if (item?.kind !== 'object') return 'event'
  return objects.find(({ name }) => name === item.name)?.fields[0]?.name ?? 'id'
}
