import { expect, test } from 'vitest'
import { banner } from '../../src/commands/banner.ts'
import { publicUrlOf } from '../../src/commands/base.ts'

test('the first lines name the address of the pages, the reference and the document', () => {
  const facts = { chain: undefined, dataDir: '/data', campaign: undefined, devChain: false }
  const text = banner({ publicUrl: 'https://give.example', ...facts })
  expect(text.trim()).toMatch(/^Fundproof is ready\. +Open https:\/\/give\.example\n/)
  expect(text).toContain('Reference https://give.example/docs ')
  expect(text).toContain('OpenAPI https://give.example/openapi.json')
})

test.each([
  ['127.0.0.1', 'http://localhost:3000'],
  ['0.0.0.0', 'http://localhost:3000'],
  ['::', 'http://localhost:3000'],
  ['::1', 'http://localhost:3000'],
  ['192.168.0.7', 'http://192.168.0.7:3000'],
  ['2001:db8::7', 'http://[2001:db8::7]:3000'],
  ['give.example', 'http://give.example:3000'],
])('an API on %s has one address for people, %s, unless PUBLIC_URL names another', (host, url) => {
  expect(publicUrlOf({ host, publicUrl: undefined }, 3_000)).toBe(url)
  expect(publicUrlOf({ host, publicUrl: 'https://give.example' }, 3_000)).toBe(
    'https://give.example',
  )
})
