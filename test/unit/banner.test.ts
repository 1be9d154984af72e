import { expect, test } from 'vitest'
import { banner } from '../../src/commands/banner.ts'

test('the first lines name the address of the pages, the reference and the document', () => {
  const facts = { chain: undefined, dataDir: '/data', campaign: undefined, devChain: false }
  const text = banner({ apiUrl: 'http://127.0.0.1:3000', ...facts })
  expect(text.trim()).toMatch(/^Fundproof is ready\. +Open http:\/\/127\.0\.0\.1:3000\n/)
  expect(text).toContain('Reference http://127.0.0.1:3000/docs ')
  expect(text).toContain('OpenAPI http://127.0.0.1:3000/openapi.json')
})
