import type { ClientModel, ObjectModel, Type } from '../model.ts'
import { moduleName } from './names.ts'

/** The module of each object and union, below `_generated/types`. */
export type Modules = ReadonlyMap<string, string>

/**
 * The objects that become classes. Bodies become arguments instead, and verbatim objects
 * dictionaries.
 */
export const classesOf = ({ objects }: ClientModel): ObjectModel[] =>
  objects.filter(({ body, verbatim }) => !body && !verbatim)

/**
 * Puts each object into the module of the resource that uses it, or into `common` if several use
 * it, so that a program imports few unneeded classes.
 */
export const modulesOf = (model: ClientModel): Modules => {
  const users = new Map<string, Set<string>>()
  const visit = (type: Type, user: string): void => {
    if (type.kind === 'list' || type.kind === 'map') visit(type.of, user)
    if (type.kind === 'union') {
      if (type.name) usersOf(type.name).add(user)
      for (const member of type.of) visit(member, user)
    }
    if (type.kind === 'object' && !usersOf(type.name).has(user)) {
      usersOf(type.name).add(user)
      for (const field of fieldsOf.get(type.name) ?? []) visit(field.type, user)
    }
  }
  const fieldsOf = new Map(model.objects.map(({ name, fields }) => [name, fields]))
  const usersOf = (name: string): Set<string> => {
    const known = users.get(name) ?? new Set()
    users.set(name, known)
    return known
  }
  for (const { at, body, answer } of model.operations) {
    const user = moduleName(at[0])
    if (body?.kind === 'json') visit({ kind: 'object', name: body.object }, user)
    if (answer.kind === 'list') visit(answer.item, user)
    else if ('type' in answer) visit(answer.type, user)
  }
  for (const { object } of model.events) visit({ kind: 'object', name: object }, 'events')
  return new Map(
    [...users].map(([name, resources]) => {
      const own = [...resources].filter((resource) => !resource.startsWith('v1_'))
      const [only] = own.length === 0 ? resources : own
      return [name, own.length > 1 || only === undefined ? 'common' : only]
    }),
  )
}
