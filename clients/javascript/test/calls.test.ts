import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { FakeStep, FundproofOptions } from '../src/index.ts'
import {
  AbortError,
  ConfigurationError,
  ConnectionError,
  FakeTransport,
  Fundproof,
  TimeoutError,
} from '../src/index.ts'

const BASE = 'https://fundproof.example.org'
const KEY = 'fundproof_sandbox_G0lyp5VrYXMB7pFfFQvygpDGOlYhfc4ZJPRi'

const clientOf = (steps: FakeStep[], options: FundproofOptions = {}) => {
  const transport = new FakeTransport(steps)
  const defaults = { environment: 'sandbox', baseUrl: BASE, transport } as const
  return { transport, client: new Fundproof({ ...defaults, ...options }) }
}

test('sends the key, asks for amounts as text and names itself', async () => {
  const { client, transport } = clientOf([{ body: { id: 'd1' } }], {
    apiKey: KEY,
    appInfo: 'shop/1',
  })
  await client.donations.get('d1')
  const [request] = transport.requests
  equal(request?.url, `${BASE}/api/donations/d1`)
  equal(request?.headers['x-api-key'], KEY)
  equal(request?.headers.prefer, 'amounts=text')
  match(request?.headers['user-agent'] ?? '', /^fundproof-js\/\d.* \(.*\) shop\/1$/)
  equal(request?.headers['idempotency-key'], undefined)
})

test('has one spelling for all names, in requests and answers', async () => {
  const milestone = { id: 'm1', title: 'One', verification_docs: ['a'], cumulative_amount: '5' }
  const campaign = { _id: 'c1', target_amount: '100', milestones: [milestone], later_field: 1 }
  const { client, transport } = clientOf([{ body: { success: true, campaign } }])
  const created = await client.campaigns.create({
    title: 'Wells',
    description: 'Water',
    targetAmount: 100n,
    milestones: [{ title: 'One', description: '', amount: 12, verificationDocs: ['a'] }],
  })
  deepEqual(transport.requests[0]?.json, {
    title: 'Wells',
    description: 'Water',
    target_amount: '100',
    milestones: [{ title: 'One', description: '', amount: '12', verification_docs: ['a'] }],
  })
  equal(created.id, 'c1')
  equal(created.targetAmount, '100')
  deepEqual(created.milestones[0]?.verificationDocs, ['a'])
  equal((created as { later_field?: number }).later_field, 1)
})

test('refuses a number with a fraction also in a field with the name of the interface', async () => {
  const { client, transport } = clientOf([])
  const params = { title: 'Wells', description: 'Water', target_amount: 0.1 + 0.2 }
  await rejects(client.campaigns.create(params as never), TypeError)
  equal(transport.requests.length, 0)
})

test('leaves undefined fields out and sends null', async () => {
  const { client, transport } = clientOf([{ body: { success: true, campaign: {} } }])
  await client.campaigns.update('c1', { title: undefined, category: null } as never)
  deepEqual(transport.requests[0]?.json, { category: null })
})

test('refuses an amount that is no decimal or has lost digits before a request', async () => {
  const { client, transport } = clientOf([])
  for (const value of ['12,50', 0.1 + 0.2, 2 ** 53, true as never, [5] as never]) {
    const amount = { value, currency: 'USDC' }
    await rejects(client.donations.intend({ campaignId: 'c1', amount }), (error) => {
      return error instanceof TypeError && /is not an amount: pass decimal text/.test(error.message)
    })
  }
  equal(transport.requests.length, 0)
})

test('gives the request id, the rate limit and a replay beside the content', async () => {
  const headers = {
    'X-Request-Id': 'req-1',
    RateLimit: '"default";r=50;t=30',
    'Idempotent-Replayed': 'true',
  }
  const { client } = clientOf([{ status: 201, headers, body: { success: true, wallet: {} } }])
  const { data, response } = await client.sandbox.createWallet().withResponse()
  deepEqual(data, {})
  equal(response.status, 201)
  equal(response.requestId, 'req-1')
  equal(response.replayed, true)
  equal(response.attempts, 1)
  deepEqual(response.rateLimit, { remaining: 50, resetAfter: 30 })
})

test('has all pages of a list, and the first one', async () => {
  const page = (ids: string[], nextCursor: string | null) => ({
    body: {
      success: true,
      donations: ids.map((id) => ({ id })),
      pagination: { page: 1, limit: 100, total: 3, pages: 2, nextCursor },
    },
  })
  const pages = [page(['a', 'b'], 'x'), page(['c'], null)]
  const { client } = clientOf([...pages, ...pages])
  const first = await client.donations.list()
  equal(first.total, 3)
  equal(first.items.length, 2)
  equal((await first.nextPage())?.items[0]?.id, 'c')
  const all = await client.donations.list().toArray()
  deepEqual(
    all.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
})

test('uploads a file and reads one', async () => {
  const { client, transport } = clientOf([
    { body: { success: true, campaign: {} } },
    { headers: { 'Content-Type': 'image/png' }, body: Uint8Array.of(1, 2) },
  ])
  await client.campaigns.setCover('c1', { data: Uint8Array.of(1, 2, 3), type: 'image/png' })
  equal(transport.requests[0]?.headers['content-type'], 'image/png')
  deepEqual(transport.requests[0]?.body, Uint8Array.of(1, 2, 3))
  const cover = await client.campaigns.getCover('c1')
  equal(cover.type, 'image/png')
  deepEqual(new Uint8Array(await cover.arrayBuffer()), Uint8Array.of(1, 2))
})

test('shows each attempt to the hooks, without keys and queries', async () => {
  const seen: unknown[] = []
  const { client } = clientOf(
    [new ConnectionError('lost'), { body: { success: true, mail: [] } }],
    {
      apiKey: KEY,
      onRequest: (notice) => seen.push(notice),
      onResponse: ({ status, attempt }) => seen.push({ status, attempt }),
      onRetry: ({ error, attempt }) => seen.push({ error: error.name, attempt }),
    },
  )
  await client.sandbox.mail({ to: 'a@example.org' })
  deepEqual(seen, [
    { method: 'GET', path: '/api/sandbox/mail', attempt: 1 },
    { error: 'ConnectionError', attempt: 1 },
    { method: 'GET', path: '/api/sandbox/mail', attempt: 2 },
    { status: 200, attempt: 2 },
  ])
})

test('throws the error of a hook, and does not repeat the call for it', async () => {
  const { client, transport } = clientOf([{ body: { success: true, chains: [] } }], {
    onResponse: () => {
      throw new RangeError('the log is full')
    },
  })
  await rejects(client.chains.list(), RangeError)
  equal(transport.requests.length, 1)
})

test('the signal ends a call, also while it waits for a retry', async () => {
  const controller = new AbortController()
  const { client } = clientOf([{ status: 503, headers: { 'Retry-After': '50' } }], {
    onRetry: () => controller.abort(),
  })
  await rejects(client.chains.list({ signal: controller.signal }), AbortError)
  await rejects(client.chains.list({ signal: controller.signal }), AbortError)
})

test('names the remedy if nothing answers', async () => {
  const client = new Fundproof({ environment: 'sandbox', baseUrl: 'http://127.0.0.1:9' })
  await rejects(client.chains.list({ maxRetries: 0 }), (error: Error) => {
    ok(error instanceof ConnectionError && !(error instanceof TimeoutError))
    match(
      error.message,
      /No complete answer from http:\/\/127\.0\.0\.1:9: .*Is the service running/,
    )
    return true
  })
})

test('shows no secret when a client, a list, a stream or an error is printed', async () => {
  const pair = { accessToken: 'secret-1', refreshToken: 'secret-2' }
  const lost = new Error('lost', { cause: new Error('no route') })
  const steps = [lost, { status: 400, body: { error: 'No.', code: 'invalid_json' } }]
  for (const own of [{ apiKey: KEY }, { tokens: pair }]) {
    const { client } = clientOf([...steps], { ...own, maxRetries: 0 })
    const call = () => client.auth.login({ username: 'ada', password: 'secret-3' })
    const errors = [await call().catch((error) => error), await call().catch((error) => error)]
    const options = { ...own, tokn: 'secret-4' } as object
    throws(
      () => clientOf([], options),
      (error) => errors.push(error) > 0,
    )
    for (const one of [client, client.auth, client.events.stream(), ...errors] as Error[]) {
      const shown = [
        inspect(one, { depth: 20, showHidden: true }),
        JSON.stringify(one),
        `${one.stack}`,
      ]
      for (const text of shown) ok(!text?.includes(KEY) && !/secret-/.test(text ?? ''), text)
    }
  }
})

test('refuses an option that it does not know, and names the right one', async () => {
  for (const [wrong, message] of [
    [{ apikey: KEY }, /no option "apikey"\. Do you mean apiKey\?/],
    [{ base_url: BASE }, /Do you mean baseUrl\?/],
    [{ retries: 1 }, /The options are apiKey, .*maxRetries/],
  ] as const) {
    throws(
      () => clientOf([], wrong as object),
      (error) => {
        return error instanceof ConfigurationError && message.test(error.message)
      },
    )
  }
  const { client, transport } = clientOf([])
  const options = { idempotencykey: 'order-1' } as never
  await rejects(client.sandbox.createWallet(options), /Do you mean idempotencyKey\?/)
  await rejects(client.donations.waitFor('d1', { onpoll: () => undefined } as never), /onpoll/)
  equal(transport.requests.length, 0)
})

test('sends plain HTTP beyond this machine only if it is allowed', async () => {
  const baseUrl = 'http://api:3000'
  throws(() => clientOf([], { baseUrl }), /allowHttp: true/)
  const { client, transport } = clientOf([{ body: {} }], { baseUrl, allowHttp: true })
  await client.donations.get('d1')
  equal(transport.requests[0]?.url, 'http://api:3000/api/donations/d1')
})

test('refuses a header that cannot be sent before a request, and does not show its value', async () => {
  const { client, transport } = clientOf([])
  const named = clientOf([], { appInfo: 'shop\nsecret' })
  for (const call of [
    () => client.sandbox.createWallet({ idempotencyKey: 'secret\n' }),
    () => client.sandbox.createWallet({ idempotencyKey: 'secret ☂' }),
    () => client.chains.list({ headers: { 'x-shop': 'secret\0' } }),
    () => client.chains.list({ headers: { 'x shop': 'secret' } }),
    () => client.chains.list({ headers: { 'x-shop': 7 as never } }),
    () => named.client.chains.list(),
  ]) {
    await rejects(call, (error) => error instanceof TypeError && !error.message.includes('secret'))
  }
  equal(transport.requests.length, 0)
  equal(named.transport.requests.length, 0)
})
