import { expect, test } from 'vitest'
import { ENUMS, OPEN } from '../../../src/api/openapi/enums.ts'
import type { OpenApiDocument } from '../../support/document.ts'
import { readInterface } from '../../support/interface.ts'

const document = JSON.parse(readInterface().text) as OpenApiDocument
const { schemas, responses } = document.components

test('has a name for every list of values', () => {
  const inline = Object.values(schemas).flatMap(({ enum: _, ...rest }) =>
    JSON.stringify(rest).match(/"enum":.*?\]/g),
  )
  expect(inline.filter(Boolean)).toEqual([])
  expect(JSON.stringify(Object.values(document.paths).map(parametersOf))).not.toContain('"enum"')
  for (const [name, values] of Object.entries(ENUMS)) {
    expect(schemas[name]).toEqual({ type: 'string', enum: values })
  }
})

const parametersOf = (methods: OpenApiDocument['paths'][string]) =>
  Object.values(methods).map(({ parameters }) => parameters)

test('takes any text in an answer, where later versions may add to the values', () => {
  const answered = Object.entries(schemas).filter(([name]) => !/Request/.test(name))
  const text = JSON.stringify([answered, responses, document.webhooks])
  for (const name of Object.keys(OPEN)) {
    const reference = `{"$ref":"#/components/schemas/${name}"}`
    expect(text, name).toContain(`"anyOf":[${reference},{"type":"string"}]`)
    expect(text.replaceAll(`[${reference},{"type":"string"}]`, ''), name).not.toContain(reference)
  }
  const codes = text.match(/"code":\{"anyOf":\[\{"type":"string","enum":\[[^\]]*\]\},(.*?)\]/g)
  for (const code of codes ?? []) expect(code).toMatch(/,\{"type":"string"\}\]$/)
})
