import type { ClientModel } from '../model.ts'

const MODEL = 'Fundproof\\Model'
const EVENT = 'Fundproof\\Event'

/** A generated class: its namespace and name. */
export type ClassName = { namespace: string; name: string }

/** Returns the class of an object. Events and their data have another namespace. */
export const createClassNames = ({ events }: ClientModel) => {
  const ofEvents = events.map(({ object }) => object)
  return (object: string): ClassName => {
    if (ofEvents.includes(object)) return { namespace: EVENT, name: object.replace(/Event$/, '') }
    const event = ofEvents.find((one) => object.startsWith(`${one}Data`))
    if (event === undefined) return { namespace: MODEL, name: object }
    const rest = object.slice(event.length)
    return { namespace: EVENT, name: event.replace(/Event$/, '') + rest }
  }
}

/** The class of an enum, or of a union that has a name. */
export const modelClass = (name: string): ClassName => ({ namespace: MODEL, name })

/** The class of a resource such as `donations` or `v1.donations`. */
export const resourceClass = (resource: string): ClassName => {
  const parts = resource.split('.').map(capital)
  const name = parts.pop() ?? ''
  return { namespace: ['Fundproof\\Resource', ...parts].join('\\'), name }
}

/** The name of a constant for a value of an enum: `campaigns:write` is `CAMPAIGNS_WRITE`. */
export const constantName = (value: string): string =>
  value === '*' ? 'ALL' : value.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export const quote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
