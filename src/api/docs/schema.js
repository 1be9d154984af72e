import { element } from './write.js'

/**
 * Schemas are shown to this depth. No schema is deeper, except schemas that refer to themselves.
 */
const MAX_DEPTH = 6

/** Returns the part of the document to which a `$ref` points. Returns any other part unchanged. */
export const resolve = (part, document_) => {
  if (typeof part?.$ref !== 'string') return part
  return part.$ref
    .slice(2)
    .split('/')
    .reduce((found, key) => found?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document_)
}

/** A schema's type in a few words. */
export const nameOf = (schema, document_) => {
  if (typeof schema !== 'object') return 'anything'
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map((option) => nameOf(option, document_)).join(' | ')
  if (schema.prefixItems) {
    return `[${schema.prefixItems.map((item) => nameOf(item, document_)).join(', ')}]`
  }
  if (schema.type === 'array') return `array of ${nameOf(schema.items, document_)}`
  const bounds = boundsOf(schema)
  const type = [schema.type ?? 'anything', schema.format].filter(Boolean).join(', ')
  return bounds === '' ? type : `${type} (${bounds})`
}

const boundsOf = (schema) =>
  [
    range('', schema.minimum ?? schema.exclusiveMinimum, schema.maximum),
    range(' characters', schema.minLength, schema.maxLength),
    range(' items', schema.minItems, schema.maxItems),
    'default' in schema ? `default ${JSON.stringify(schema.default)}` : '',
  ]
    .filter((part) => part !== '')
    .join('; ')

const range = (unit, least, most) => {
  const small = least === undefined || Math.abs(least) > 1e15 ? '' : String(least)
  const large = most === undefined || Math.abs(most) > 1e15 ? '' : String(most)
  if (small === '' && large === '') return ''
  if (small === '') return `up to ${large}${unit}`
  return large === '' ? `from ${small}${unit}` : `${small} to ${large}${unit}`
}

/** The fields of a schema as a list, and of the schemas within it. */
export const fieldsOf = (schema, document_, depth = MAX_DEPTH) => {
  const whole = resolve(schema, document_)
  const object = objectIn(whole, document_)
  if (!object) return element('p', { class: 'type' }, nameOf(whole, document_))
  const required = new Set(object.required ?? [])
  return element(
    'ul',
    { class: 'fields' },
    ...Object.entries(object.properties).map(([name, part]) => {
      const inner = depth > 0 ? objectIn(part, document_) : undefined
      return element(
        'li',
        {},
        element('code', {}, name),
        ' ',
        element('span', { class: 'type' }, nameOf(part, document_)),
        required.has(name) ? element('span', { class: 'required' }, ' required') : '',
        part.description ? element('div', { class: 'note' }, part.description) : '',
        inner ? fieldsOf(inner, document_, depth - 1) : '',
      )
    }),
  )
}

/** The object that a schema is, or is a list of, or may be. */
const objectIn = (schema, document_) => {
  const whole = resolve(schema, document_)
  if (whole?.properties) return whole
  if (whole?.type === 'array') return objectIn(whole.items, document_)
  for (const option of whole?.anyOf ?? whole?.oneOf ?? whole?.allOf ?? []) {
    const found = objectIn(option, document_)
    if (found) return found
  }
  return undefined
}
