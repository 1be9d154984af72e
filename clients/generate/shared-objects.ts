import type { ClientModel, ObjectModel } from './model.ts'

/**
 * The objects of `/v1` that equal another object in the clients, for example `V1Milestone` and
 * `Milestone`. Only their names on the wire differ.
 */
export const sharedObjects = ({ objects }: ClientModel): string[] => {
  const byName = new Map(objects.map((object) => [object.name, object]))
  const other = (name: string): ObjectModel | undefined => byName.get(name.replace(/^V1/, ''))
  let shared = objects
    .map(({ name }) => name)
    .filter((name) => name.startsWith('V1') && other(name) !== undefined)
  for (;;) {
    const known = shared
    const shapeOf = (object: ObjectModel | undefined): string => {
      const fields = object?.fields.map(({ wire, ...field }) => field)
      const plain = { ...object, name: '', fields }
      return JSON.stringify(plain, (key, value: unknown) =>
        key === 'name' && known.includes(String(value)) ? String(value).slice(2) : value,
      )
    }
    shared = known.filter((name) => shapeOf(byName.get(name)) === shapeOf(other(name)))
    if (shared.length === known.length) return shared
  }
}
