import { describe, expect, test } from 'vitest'
import { ChangeEndpoint, CreateEndpoint } from '../../../src/domain/events/index.ts'
import { STANDARD_EVENTS } from '../../../src/outbox/events.ts'

const URL = 'https://hooks.example.com/'

describe('the input of an endpoint', () => {
  const MANY = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x-${index}`, 'a']))
  test.each([
    { headers: { Host: 'evil.example.com' } },
    { headers: { 'webhook-signature': 'v1,AAAA' } },
    { headers: { 'x a': 'b' } },
    { headers: { 'x-a': 'b\r\nx-c: d' } },
    { headers: { 'x-a': 1 } },
    { headers: { 'x-a': 'one', 'X-A': 'two' } },
    { headers: MANY },
    { headers: [] },
    { ratePerMinute: 0 },
    { ratePerMinute: 1.5 },
    { ratePerMinute: 60_001 },
    { ordered: 'yes' },
    { events: [] },
    { events: ['no.such'] },
  ])('is refused: %j', (input) => {
    expect(CreateEndpoint.safeParse({ url: URL, ...input }).success).toBe(false)
    expect(ChangeEndpoint.safeParse(input).success).toBe(false)
  })

  test.each([{ signing: 'rsa' }, { signing: null }])('is refused at creation: %j', (input) => {
    expect(CreateEndpoint.safeParse({ url: URL, ...input }).success).toBe(false)
  })

  test.each(['disabled', 'deleted', ''])('does not take the status %j', (status) => {
    expect(ChangeEndpoint.safeParse({ status }).success).toBe(false)
  })

  test('never repeats what a refused header holds', () => {
    const { error } = CreateEndpoint.safeParse({ url: URL, headers: { cookie: 's3cret-token' } })
    expect(error?.issues[0]?.path).toEqual(['headers', 'cookie'])
    expect(error?.message).not.toContain('s3cret-token')
  })

  test('names events once and headers in lower case', () => {
    const events = [STANDARD_EVENTS[0], STANDARD_EVENTS[0]]
    expect(ChangeEndpoint.parse({ events, headers: { 'X-Api-Key': 'Abc' } })).toEqual({
      events: [STANDARD_EVENTS[0]],
      headers: { 'x-api-key': 'Abc' },
    })
  })
})
