import fc from 'fast-check'
import { nastyText, nastyValue } from './nasty.ts'

type Path = readonly (string | number)[]

/**
 * Bodies that are changed from a valid body: fields are replaced, removed or added, or the whole
 * body is.
 */
export const mutated = (valid: unknown): fc.Arbitrary<unknown> => {
  const paths = pathsIn(valid)
  const change = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom(...paths), nastyValue).map(
        ([path, value]) =>
          (body: unknown) =>
            replaced(body, path, () => value),
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...paths)
        .map((path) => (body: unknown) => replaced(body, path, () => undefined)),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...paths), nastyText, nastyValue).map(
        ([path, name, value]) =>
          (body: unknown) =>
            replaced(body, path, (old) =>
              isObject(old) ? withField(old, name, value) : [old, value],
            ),
      ),
    },
  )
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(valid) },
    {
      weight: 12,
      arbitrary: fc
        .array(change, { minLength: 1, maxLength: 3 })
        .map((changes) => changes.reduce((body, apply) => apply(body), valid)),
    },
    { weight: 1, arbitrary: nastyValue },
  )
}

const pathsIn = (value: unknown, path: Path = []): Path[] => {
  const inner = isObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? [...value.entries()]
      : []
  return [path, ...inner.flatMap(([key, item]) => pathsIn(item, [...path, key]))]
}

const replaced = (value: unknown, path: Path, change: (old: unknown) => unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? replaced(item, rest, change) : item))
  }
  if (!isObject(value)) return value
  return withField(value, String(key), replaced(value[key], rest, change))
}

/**
 * Defines the field instead of assigning it, because an assignment to `__proto__` sets no field.
 */
const withField = (object: Record<string, unknown>, name: string, value: unknown) =>
  Object.fromEntries([...Object.entries(object), [name, value]])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRaw(value)

const isRaw = (value: object): boolean =>
  (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value)
