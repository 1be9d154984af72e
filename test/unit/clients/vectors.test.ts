import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test, vi } from 'vitest'
import { readVectors } from '../../../clients/javascript/test/vectors/file.ts'
import { Donation } from '../../../src/api/routes/donations/donation-body.ts'
import { checkApiKey } from '../../../src/auth/api-keys.ts'
import { STATUS_OF } from '../../../src/edge/errors.ts'
import { signerOf } from '../../../src/webhooks/keys.ts'
import { createWebhookSigner } from '../../../src/webhooks/sign.ts'

const FOLDER = join(import.meta.dirname, '../../../clients/vectors')
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

type File<T> = { about: string; cases: ({ name: string } & T)[] }
const read = <T, More = unknown>(name: string): File<T> & More =>
  readVectors(readFileSync(join(FOLDER, name), 'utf8')) as unknown as File<T> & More

type WebhookCase = {
  headers: Record<string, string | string[]>
  body: string
  secrets: string[]
  tolerance?: number | null
  now: number
  expect: { event?: string; error?: string }
}

/**
 * Returns the value of a header, whose name may have any case. Several values are joined by a
 * space.
 */
const headerOf = ({ headers }: WebhookCase, name: string): string =>
  Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value)
    .join(' ')

const { signers, cases: webhooks } = read<WebhookCase, { signers: Record<string, string> }>(
  'webhooks.json',
)

/** Whether the header contains a signature that the server makes with one of the keys. */
const isSigned = (one: WebhookCase): boolean => {
  const at = new Date(Number(headerOf(one, 'webhook-timestamp')) * 1_000)
  const id = headerOf(one, 'webhook-id')
  const given = headerOf(one, 'webhook-signature').split(' ')
  return one.secrets.some((secret) => {
    const signed = createWebhookSigner()([signerOf(signers[secret] ?? '')], {
      id,
      at,
      body: one.body,
    })
    return given.includes(signed['webhook-signature'])
  })
}

describe('test vectors of the clients', () => {
  test.each(files)('%s has cases with different names', (name) => {
    const { about, cases } = read(name)
    expect(about).not.toBe('')
    expect(cases.length).toBeGreaterThan(10)
    expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length)
  })

  test('have the signatures of the server for each accepted webhook', () => {
    const accepted = webhooks.filter((one) => 'event' in one.expect)
    expect(accepted.length).toBeGreaterThan(20)
    for (const one of accepted) {
      expect(isSigned(one), one.name).toBe(true)
      expect(JSON.parse(one.body).event, one.name).toBe(one.expect.event)
    }
  })

  test('have no signature of the server where none may fit', () => {
    const refused = webhooks.filter(({ expect: { error = '' } }) =>
      ['no_match', 'no_signature'].includes(error),
    )
    expect(refused.length).toBeGreaterThan(20)
    for (const one of refused) expect(isSigned(one), one.name).toBe(false)
  })

  test('agree with the independent library on all secrets with the usual tolerance', () => {
    const checked = webhooks.filter(
      ({ secrets: [secret = ''], tolerance }) => secret in signers && tolerance === undefined,
    )
    vi.useFakeTimers()
    for (const one of checked) {
      if (!one.secrets.every((secret) => secret.startsWith('whsec_'))) continue
      vi.setSystemTime(one.now * 1_000)
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      const headers = Object.fromEntries(names.map((name) => [name, headerOf(one, name)]))
      const accepts = one.secrets.some((secret) => {
        try {
          return Boolean(new Webhook(secret).verify(one.body, headers))
        } catch {
          return false
        }
      })
      // The library reads only the leading digits of a time such as `1790000000.5`.
      if (one.expect.error === 'bad_timestamp') continue
      expect(accepts, one.name).toBe('event' in one.expect)
    }
    vi.useRealTimers()
  })

  test('have the status of the server for each of its error codes', () => {
    const { cases } = read<{ status: number; expect: { code: string | null } }>('errors.json')
    const known = cases.filter(({ expect: { code } }) => code !== null && code in STATUS_OF)
    expect(known.length).toBeGreaterThan(10)
    for (const one of known) {
      const code = one.expect.code as keyof typeof STATUS_OF
      expect(STATUS_OF[code], one.name).toBe(one.status)
    }
  })

  test('have keys that the server accepts by their form', () => {
    type Options = { apiKey?: string; environment?: 'sandbox' | 'production' }
    const { cases } = read<{ options: Options; expect: { ok?: unknown } }>('configuration.json')
    for (const { name, options, expect: expected } of cases) {
      const { apiKey, environment } = options
      if (apiKey === undefined || environment === undefined || !expected.ok) continue
      expect(() => checkApiKey(apiKey, environment), name).not.toThrow()
    }
  })

  test('have donations as the server shows them', () => {
    type Waiting = { polls: { status: string }[] }
    const { donation, cases } = read<Waiting, { donation: object }>('wait.json')
    for (const { name, polls } of cases) {
      for (const poll of polls.filter(({ status }) => status !== 'blessed')) {
        const checked = Donation.safeParse({ ...donation, ...poll })
        expect(checked.error, name).toBeUndefined()
      }
    }
  })
})
