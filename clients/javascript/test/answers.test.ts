import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { Donations } from '../src/donations.ts'
import {
  ApiError,
  ConnectionError,
  type FakeStep,
  FakeTransport,
  Fundproof,
  TimeoutError,
  type Transport,
} from '../src/index.ts'
import { scriptedCore } from './vectors/client.ts'

const clientOf = (steps: FakeStep[]) => {
  const transport = new FakeTransport(steps)
  const baseUrl = 'https://fundproof.example.org'
  return new Fundproof({ environment: 'sandbox', baseUrl, transport, maxRetries: 0 })
}

test('throws for a number in an answer where an amount belongs', async () => {
  const donation = { amount: { value: 25.1, currency: 'USDC' } }
  const client = clientOf([
    { body: donation },
    { body: { success: true, donations: [donation], pagination: {} } },
    { body: { success: true, milestones: [{ cumulative_amount: 5 }] } },
  ])
  const isRefusal = (error: unknown) =>
    error instanceof ApiError && /An amount is (25\.1|5) and no text/.test(error.message)
  await rejects(client.donations.get('d1'), isRefusal)
  await rejects(client.donations.list(), isRefusal)
  await rejects(client.campaigns.get('c1'), isRefusal)
})

test('names wrong fields as the caller typed them', async () => {
  const paths = ['target_amount', 'milestones.1.verification_docs', 'constructor.x', '']
  const details = [...paths.map((path) => ({ path, message: 'is wrong' })), null]
  const client = clientOf([{ status: 400, body: { error: 'No.', code: 'invalid_input', details } }])
  const named = ['targetAmount', 'milestones.1.verificationDocs', 'constructor.x', '']
  await rejects(client.campaigns.update('c1', { title: '' }), (error: unknown) => {
    deepEqual(error instanceof ApiError && error.details.map(({ path }) => path), named)
    return true
  })
})

test('says what came in place of an answer', async () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' }
  const page = { headers: html, body: '<p>Sign in</p>' }
  const moved = { status: 307, headers: { ...html, Location: 'https://else.example/' } }
  const calls = {
    get: (client: Fundproof) => client.donations.get('d1'),
    record: (client: Fundproof) => client.sandbox.createWallet(),
    list: (client: Fundproof) => client.keys.list(),
    revoke: (client: Fundproof) => client.keys.revoke('k1'),
    csv: (client: Fundproof) => client.campaigns.exportDonations('c1'),
    file: (client: Fundproof) => client.campaigns.getCover('c1'),
  }
  const cases: [keyof typeof calls, FakeStep, RegExp][] = [
    ['get', page, /status 200 is a web page and not from Fundproof.*: <p>Sign in/],
    ['revoke', page, /web page/],
    ['csv', page, /web page/],
    ['file', page, /web page/],
    ['get', { ...page, status: 502 }, /status 502 is a web page/],
    ['get', { ...moved, body: '<p>Moved</p>' }, /redirect to https:\/\/else\.example\/.*baseUrl/],
    ['get', { body: '' }, /status 200 is empty/],
    ['get', { status: 204 }, /status 204 is empty/],
    ['csv', { body: '' }, /is empty/],
    ['file', { body: '' }, /is empty/],
    ['get', { body: '{"success":true,"id' }, /broken or cut JSON/],
    ['get', { status: 418, body: 'teapot' }, /is a text and not from Fundproof.*: teapot/],
    ['record', { body: { success: true } }, /lacks wallet/],
    ['record', { body: { success: true, wallet: [] } }, /lacks wallet/],
    ['record', { body: { success: true, wallet: null } }, /lacks wallet/],
    [
      'record',
      { body: Uint8Array.from('{"wallet":{"a":"\xff"}}', (one) => one.charCodeAt(0)) },
      /broken/,
    ],
    ['list', { body: { success: true, keys: {} } }, /lacks keys/],
    ['revoke', { body: { success: false, error: 'No.', code: 'forbidden' } }, /^No\.$/],
  ]
  for (const [name, answer, message] of cases) {
    const client = clientOf([answer])
    await rejects(
      calls[name](client),
      (error) => error instanceof ApiError && message.test(error.message),
      `${name} ${message}`,
    )
  }
})

test('waits for a donation while the service is away, until the end of its time', async () => {
  const lost = { fault: 'connection' } as const
  const busy = { status: 503, headers: { 'Retry-After': '30' } }
  const good = (status: string) => ({ body: { id: 'd1', status } })
  const away = scriptedCore([
    lost,
    lost,
    lost,
    good('pending'),
    lost,
    busy,
    lost,
    good('completed'),
  ])
  equal((await new Donations(away.core).waitFor('d1')).status, 'completed')
  deepEqual(away.waitsMs.slice(0, 4), [1_000, 1_500, 2_250, 3_375])
  equal(away.waitsMs[5], 30_000)

  const gone = scriptedCore([good('pending'), ...Array.from({ length: 9 }, () => lost)])
  await rejects(new Donations(gone.core).waitFor('d1', { timeout: 5_000 }), (error) => {
    ok(error instanceof TimeoutError && error.cause instanceof ConnectionError)
    equal((error.last as { status: string }).status, 'pending')
    return true
  })
  deepEqual(gone.waitsMs, [1_000, 1_500, 2_250, 250])

  const refused = scriptedCore([good('pending'), { status: 404 }])
  await rejects(new Donations(refused.core).waitFor('d1'), { name: 'NotFoundError' })
})

test('looks at a donation for no longer than the wait lasts', async () => {
  const timeouts: number[] = []
  const transport: Transport = {
    send: async ({ timeout }) => {
      timeouts.push(timeout)
      throw new ConnectionError('away')
    },
  }
  const options = { environment: 'sandbox', baseUrl: 'https://a.example', transport } as const
  const { donations } = new Fundproof(options)
  await rejects(donations.waitFor('d1', { timeout: 0 }), TimeoutError)
  await rejects(donations.waitFor('d1', { timeout: 0, maxRetries: 1 } as never), /maxRetries/)
  deepEqual(timeouts, [1_000])
})
