import { expect, test } from 'vitest'
import { z } from 'zod'
import type { OpenApiDocument } from '../../support/document.ts'
import { readInterface } from '../../support/interface.ts'

type Schema = Record<string, unknown> | undefined
type Media = { schema: Schema; examples: Record<string, { value: unknown }> }

const { operations, text } = readInterface()
const document = JSON.parse(text) as OpenApiDocument

const mediaOf = (path: string, method: string): Media => {
  const described = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method]
  return described?.requestBody?.content?.['application/json'] as unknown as Media
}

const referred = (schema: Schema): Schema =>
  typeof schema?.$ref === 'string'
    ? document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    : schema

/** Fields that a full example cannot contain, because they exclude other fields. */
const EXCLUDED: Readonly<Record<string, string[]>> = {
  changeCampaign: ['escrow'],
  changeEmail: ['code', 'endAccess'],
  createCampaign: ['escrow'],
  linkWallet: ['nonce'],
  signInWithWallet: ['nonce'],
  v1CreateCampaign: ['escrow'],
}

/** Lists the fields of a schema that a value does not have. */
const leftOut = (schema: Schema, value: unknown, at = ''): string[] => {
  if (Array.isArray(value)) return leftOut(referred(schema)?.items as Schema, value[0], at)
  if (typeof value !== 'object' || value === null) return []
  const whole = referred(schema)
  const options = (whole?.anyOf ?? [whole]) as Schema[]
  const object = options.map(referred).find((one) => one?.properties)
  return Object.entries((object?.properties ?? {}) as Record<string, Schema>).flatMap(
    ([name, part]) => {
      const path = at === '' ? name : `${at}.${name}`
      return Object.hasOwn(value, name)
        ? leftOut(part, (value as Record<string, unknown>)[name], path)
        : [path]
    },
  )
}

const withBody = operations.filter(({ body }) => body !== undefined)

test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
  'gives a minimal and a full example of a request to %s, which its own schema accepts',
  (operationId, { body, method, path }) => {
    const { schema, examples } = mediaOf(path, method)
    expect(Object.keys(examples)).toEqual(expect.arrayContaining(['minimal', 'full']))
    for (const { value } of Object.values(examples)) {
      const { error } = body?.safeParse(value) ?? {}
      expect(error && z.prettifyError(error)).toBeUndefined()
    }
    expect(leftOut(schema, examples.full?.value)).toEqual(EXCLUDED[operationId] ?? [])
  },
)
