import { describe, test } from 'vitest'
import { decodePosition } from '../../../src/domain/event/index.ts'
import { decodeCursor } from '../../../src/domain/page.ts'
import { exampleOf } from '../../../src/http/openapi/example.ts'
import { toJsonSchema } from '../../../src/http/openapi/json-schema.ts'
import { parseJson } from '../../../src/http/request/body.ts'
import { parseIdempotencyKey } from '../../../src/http/request/idempotency-key.ts'
import { parseBody, parseQuery } from '../../../src/http/request/validate.ts'
import { DomainError } from '../../../src/kernel/errors.ts'
import { parseTraceParent } from '../../../src/kernel/ports/tracing.ts'
import { expectLinear } from '../../support/growth.ts'
import { HOSTILE_JSON } from '../../support/hostile-json.ts'
import { readInterface } from '../../support/interface.ts'

/** Long enough for a quadratic step to take most of a second, short enough for a test to wait for it. */
const BODY_CHARACTERS = 32 * 1024

/** Refusing an input is fine, as long as it does not take long. */
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

/** Those that get as far as a field. */
const PARSED = Object.entries(HOSTILE_JSON).filter(([, make]) => {
  try {
    parseJson(make(BODY_CHARACTERS))
    return true
  } catch {
    return false
  }
})

describe('checking a field that is twice as long takes at most three times the work:', () => {
  for (const { operationId, body } of readInterface().operations) {
    if (!body) continue
    test(operationId, () => {
      const components = {}
      const example = exampleOf(toJsonSchema(body, 'input', components), components)
      for (const template of templatesOf(example)) {
        for (const [shape, make] of PARSED) {
          expectLinear(`${shape} in ${template}`, BODY_CHARACTERS, (size) => {
            const text = template.replace(PLACE, () => make(size))
            return () => refusable(() => parseBody(body, parseJson(text)))
          })
        }
      }
    })
  }
})

describe('checking a query that is twice as long takes at most three times the work:', () => {
  const texts = Object.values(HOSTILE_JSON)
  for (const { operationId, query } of readInterface().operations) {
    if (!query) continue
    test(operationId, () => {
      const components = {}
      const schema = toJsonSchema(query, 'input', components)
      for (const name of Object.keys((schema.properties ?? {}) as object)) {
        for (const make of texts) {
          expectLinear(name, BODY_CHARACTERS, (size) => {
            const value = make(size)
            return () => refusable(() => parseQuery(query, { [name]: [value] }))
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

const PLACE = '"@here@"'

/** The example as JSON, once for each value in it, with a mark in place of that value. */
const templatesOf = (example: unknown): string[] => {
  if (typeof example !== 'object' || example === null) return [PLACE]
  const inside = Object.entries(example).flatMap(([key, value]) =>
    templatesOf(value).map((template) => {
      const changed = Array.isArray(example) ? [...example] : { ...example }
      return JSON.stringify(Object.assign(changed, { [key]: '@inner@' })).replace(
        '"@inner@"',
        () => template,
      )
    }),
  )
  return [PLACE, ...inside]
}
