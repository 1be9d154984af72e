import { amountText } from './amount.ts'
import { FundproofError } from './errors.ts'
import { shapes as generated } from './generated/shapes.ts'
import { AMOUNT, type Rule, type Shape, type Shapes } from './operation.ts'

const shapes: Shapes = generated

/** Converts a value of this library to its form on the wire. Fields without a rule are kept. */
export const encode = (value: unknown, rule: Rule | undefined): unknown => {
  if (rule === undefined || value === null || value === undefined) return value
  if (rule === AMOUNT) return amountText(value)
  const inner = nested(value, rule, encode)
  if (inner) return inner.value
  const shape = shapes[rule] ?? {}
  return mapFields(value, (name, field) => {
    // A field with its name on the wire gets the rule too, so that no number is sent as an amount.
    const [wire, fieldRule] = own(shape, name) ?? [name, namesOf(rule).get(name)?.[1]]
    return [wire, encode(field, fieldRule)]
  })
}

/**
 * Converts a value from the wire. Unknown fields and unknown values of enums are kept.
 *
 * @throws FundproofError for an amount that is no text, because a number has lost digits
 */
export const decode = (value: unknown, rule: Rule | undefined): unknown => {
  if (rule === undefined || value === null) return value
  if (rule === AMOUNT) {
    if (typeof value === 'string') return value
    throw new FundproofError(
      `An amount is ${JSON.stringify(value)} and no text: does a proxy remove the header Prefer?`,
    )
  }
  const inner = nested(value, rule, decode)
  if (inner) return inner.value
  const names = namesOf(rule)
  return mapFields(value, (wire, field) => {
    const [name, fieldRule] = names.get(wire) ?? [wire]
    return [name, decode(field, fieldRule)]
  })
}

/** A path of a wrong field, such as `milestones.0.verification_docs`, in the caller’s names. */
export const decodePath = (path: string, rule: Rule | undefined): string => {
  const [first = '', ...rest] = path.split('.')
  const inner = rule?.endsWith(']') || rule?.endsWith('}') ? rule.slice(0, -2) : undefined
  const [name, next] =
    inner === undefined ? (namesOf(rule ?? '').get(first) ?? [first]) : [first, inner]
  return rest.length === 0 ? name : `${name}.${decodePath(rest.join('.'), next)}`
}

/** Converts the items of a list (`[]`) or the values of a map (`{}`). Undefined for other rules. */
const nested = (
  value: unknown,
  rule: Rule,
  convert: (value: unknown, rule: Rule) => unknown,
): { value: unknown } | undefined => {
  const item = rule.slice(0, -2)
  if (rule.endsWith('[]')) {
    return { value: Array.isArray(value) ? value.map((one) => convert(one, item)) : value }
  }
  if (rule.endsWith('{}')) {
    return { value: mapFields(value, (name, one) => [name, convert(one, item)]) }
  }
  return undefined
}

const mapFields = (
  value: unknown,
  convert: (name: string, field: unknown) => [string, unknown],
): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => convert(name, field)))
}

/** A field's entry. Ignores inherited names such as `constructor`. */
const own = (shape: Shape, name: string): Shape[string] | undefined =>
  Object.hasOwn(shape, name) ? shape[name] : undefined

const namesOfShape = new Map<string, Map<string, [name: string, rule?: Rule]>>()

const namesOf = (rule: Rule): Map<string, [name: string, rule?: Rule]> => {
  const known = namesOfShape.get(rule)
  if (known) return known
  const names = new Map(
    Object.entries(shapes[rule] ?? {}).map(([name, [wire, fieldRule]]) => [
      wire,
      fieldRule === undefined ? [name] : [name, fieldRule],
    ]),
  ) as Map<string, [name: string, rule?: Rule]>
  namesOfShape.set(rule, names)
  return names
}
