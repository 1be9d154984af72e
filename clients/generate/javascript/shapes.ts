import type { ClientModel, Field, ObjectModel, Type } from '../model.ts'
import { listed, quoted } from './source.ts'

type Use = 'in' | 'out'

/**
 * The rule for converting a value, if its name on the wire differs or if it is an amount. Events
 * have no rule, because they are passed on unchanged.
 */
export const createRules = ({ objects }: ClientModel) => {
  const byName = new Map(objects.map((object) => [object.name, object]))
  const known = new Map<string, boolean>()

  const needsWork = ({ name, fields }: ObjectModel, use: Use): boolean => {
    const key = `${use} ${name}`
    const before = known.get(key)
    if (before !== undefined) return before
    const needed = fields.some((field) => entryOf(field, use) !== undefined)
    known.set(key, needed)
    return needed
  }

  const ruleOf = (type: Type, use: Use): string | undefined => {
    if (type.kind === 'amount') return 'amount'
    if (type.kind === 'list' || type.kind === 'map') {
      const rule = ruleOf(type.of, use)
      return rule && rule + (type.kind === 'list' ? '[]' : '{}')
    }
    if (
      type.kind === 'union' &&
      type.by !== 'event' &&
      type.of.some((member) => ruleOf(member, use) !== undefined)
    ) {
      throw new Error('A member of a union needs a conversion, which the runtime cannot do.')
    }
    const object = type.kind === 'object' ? byName.get(type.name) : undefined
    return object && needsWork(object, use) ? object.name : undefined
  }

  const entryOf = ({ wire, name, type }: Field, use: Use): [string, ...string[]] | undefined => {
    const rule = ruleOf(type, use)
    if (rule !== undefined) return [wire, rule]
    return wire === name ? undefined : [wire]
  }

  return { ruleOf, entryOf }
}

/** The objects with fields to convert, and these fields. */
export const emitShapes = (model: ClientModel): string => {
  const { entryOf } = createRules(model)
  const isOfEvent = ({ name }: ObjectModel) =>
    model.events.some(({ object }) => name === object || name === `${object}Data`)
  const shapes = model.objects.flatMap((object) => {
    if (isOfEvent(object)) return []
    const entries = object.fields.flatMap((field) => {
      const uses = (['in', 'out'] as const).filter((use) => object[use])
      const entry = uses.map((use) => entryOf(field, use)).find((one) => one !== undefined)
      return entry ? [`${field.name}: [${entry.map(quoted).join(', ')}]`] : []
    })
    return entries.length > 0 ? [`${listed(`${object.name}: { `, entries, ' }', '  ')},`] : []
  })
  return `
import type { Shapes } from '../operation.ts'

/** How the objects of the interface differ from the objects of this library. */
export const shapes = {
${shapes.join('\n')}
} satisfies Shapes
`
}
