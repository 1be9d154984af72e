import { describe, test } from 'vitest'
import { exampleOf } from '../../../src/api/openapi/example.ts'
import { toJsonSchema } from '../../../src/api/openapi/json-schema.ts'
import { decodePosition } from '../../../src/domain/events/index.ts'
import { decodeCursor } from '../../../src/domain/shared/index.ts'
import { parseJson } from '../../../src/edge/request/body.ts'
import { parseIdempotencyKey } from '../../../src/edge/request/idempotency-key.ts'
import { parseBody, parseQuery } from '../../../src/edge/request/validate.ts'
import { DomainError } from '../../../src/kernel/errors.ts'
import { parseTraceParent } from '../../../src/kernel/ports/tracing.ts'
import { expectLinear } from '../../support/growth.ts'
import { HOSTILE_JSON } from '../../support/hostile-json.ts'
import { readInterface } from '../../support/interface.ts'

/** Long enough that a quadratic step takes most of a second, and short enough for a test. */
const BODY_CHARACTERS = 32 * 1024

/** Runs the work and ignores a refusal, because only the time of the work is measured. */
const refusable = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
}

describe('reading a body that is twice as long takes at most three times the work:', () => {
  for (const [shape, make] of Object.entries(HOSTILE_JSON)) {
    test(shape, () => {
      expectLinear(shape, BODY_CHARACTERS, (size) => {
        const text = `{"title":${make(size)}}`
        return () => refusable(() => parseJson(text))
      })
    })
  }
})

/** Makes each value only once: at full size, and at the size that `expectLinear` compares with. */
const once = <T>(make: (size: number) => T): ((size: number) => T) => {
  const values = new Map<number, T>()
  return (size) => {
    const value = values.get(size) ?? make(size)
    values.set(size, value)
    return value
  }
}

/**
 * The hostile inputs that the parser accepts, each parsed once. The test above measures the
 * parsing.
 */
const PARSED = Object.entries(HOSTILE_JSON).flatMap(([shape, make]) => {
  const valueAt = once((size) => parseJson(make(size)))
  try {
    valueAt(BODY_CHARACTERS)
    return [{ shape, valueAt }]
  } catch {
    return []
  }
})

describe('checking a field that is twice as long takes at most three times the work:', () => {
  for (const { operationId, body } of readInterface().operations) {
    if (!body) continue
    test(operationId, () => {
      const components = {}
      const example = exampleOf(toJsonSchema(body, 'input', components), components)
      for (const [path, bodyWith] of bodiesOf(example)) {
        for (const { shape, valueAt } of PARSED) {
          expectLinear(`${shape} at ${path}`, BODY_CHARACTERS, (size) => {
            const input = bodyWith(valueAt(size))
            return () => refusable(() => parseBody(body, input))
          })
        }
      }
    })
  }
})

describe('checking a query that is twice as long takes at most three times the work:', () => {
  const texts = Object.values(HOSTILE_JSON).map(once)
  for (const { operationId, query } of readInterface().operations) {
    if (!query) continue
    test(operationId, () => {
      const components = {}
      const schema = toJsonSchema(query, 'input', components)
      for (const name of Object.keys((schema.properties ?? {}) as object)) {
        for (const make of texts) {
          expectLinear(name, BODY_CHARACTERS, (size) => {
            const input = { [name]: [make(size)] }
            return () => refusable(() => parseQuery(query, input))
          })
        }
      }
    })
  }
})

describe('reading a header or cursor that is twice as long takes at most three times the work:', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64url')
  const readers: Record<string, (text: string) => unknown> = {
    'Idempotency-Key': parseIdempotencyKey,
    traceparent: parseTraceParent,
    'cursor of a list': (text) => decodeCursor(base64(text)),
    'cursor of the feed': (text) => decodePosition(base64(text)),
  }
  for (const [name, read] of Object.entries(readers)) {
    test(name, () => {
      for (const piece of ['"', '\\', '\\"', 'a', ' ', '0', '1.', ':', '-', 'é']) {
        expectLinear(piece, BODY_CHARACTERS, (size) => {
          const text = piece.repeat(size / piece.length)
          return () => refusable(() => void read(text))
        })
      }
    })
  }
})

/**
 * Functions that replace each value of the example by another value, with the path of that value.
 */
const bodiesOf = (example: unknown, path = 'body'): [string, (value: unknown) => unknown][] => {
  const self: [string, (value: unknown) => unknown] = [path, (value) => value]
  if (typeof example !== 'object' || example === null) return [self]
  const inside = Object.entries(example).flatMap(([key, part]) =>
    bodiesOf(part, `${path}.${key}`).map(
      ([innerPath, bodyWith]): [string, (value: unknown) => unknown] => [
        innerPath,
        (value) =>
          Object.assign(Array.isArray(example) ? [...example] : { ...example }, {
            [key]: bodyWith(value),
          }),
      ],
    ),
  )
  return [self, ...inside]
}
