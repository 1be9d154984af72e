import { describe, expect, test } from 'vitest'
import { headerProblem } from '../../../src/webhooks/headers.ts'

describe('headers of an endpoint’s own', () => {
  test.each(['Authorization', 'x-api-key', 'X-Tenant_1', 'accept'])('may be %s', (name) => {
    expect(headerProblem(name, 'a value')).toBeUndefined()
  })

  test.each([
    'Host',
    'Connection',
    'keep-alive',
    'Transfer-Encoding',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Content-Length',
    'content-type',
    'Content-Encoding',
    'Webhook-Signature',
    'webhook-id',
    'WEBHOOK-TIMESTAMP',
    'User-Agent',
    'Cookie',
    'traceparent',
    'tracestate',
    'X-Request-Id',
    'X-Forwarded-For',
    'Forwarded',
    'Proxy-Authorization',
  ])('may not be %s, which is said by others', (name) => {
    expect(headerProblem(name, 'a value')).toBe('is reserved')
  })

  test.each([
    '',
    ' ',
    'a b',
    'a:b',
    ':path',
    'x\r\nhost',
    'naïve',
    'a/b',
    'a,b',
    `x${'-'.repeat(64)}`,
  ])('have names that HTTP knows: refuses %j', (name) => {
    expect(headerProblem(name, 'a value')).toMatch(/name/)
  })

  test.each(['', ' x', 'x ', 'a\r\nb: c', 'a\tb', 'a\u0000b', 'caf\u00e9', '☂', 'x'.repeat(1_001)])(
    'hold printable text and not too much of it: refuses %j',
    (value) => {
      expect(headerProblem('x-token', value)).toMatch(/printable|longer/)
    },
  )

  test('may hold a thousand characters', () => {
    expect(headerProblem('x-token', 'x'.repeat(1_000))).toBeUndefined()
  })
})
