import { deepEqual, equal, rejects, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { Core } from '../src/core.ts'
import { Chains } from '../src/generated/resources/chains.ts'
import {
  AbortError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  type FakeRequest,
  FakeTransport,
  Fundproof,
  type StoredTokens,
  type Transport,
} from '../src/index.ts'
import { readOptions } from '../src/options.ts'
import { realRuntime } from '../src/runtime.ts'

const BASE = 'https://fundproof.example.org'
const EXPIRED = { status: 401, body: { success: false, error: 'Expired.', code: 'invalid_token' } }
const PAIR = { accessToken: 'new', refreshToken: 'refresh-2', expires: 900 }

/** A service that accepts only the access token `new`, and each refresh token only once. */
const service = () => {
  const used = new Set<string>()
  return ({ path, headers, json }: FakeRequest) => {
    if (path !== '/api/auth/refresh') {
      return headers.authorization === 'Bearer new'
        ? { body: { success: true, chains: [] } }
        : EXPIRED
    }
    const { refreshToken } = json as { refreshToken: string }
    const body = { success: false, error: 'Used.', code: 'refresh_reused' }
    if (used.has(refreshToken)) return { status: 401, body }
    used.add(refreshToken)
    return { body: { success: true, tokens: PAIR } }
  }
}

const clientOf = (
  tokens: { accessToken: string; refreshToken?: string },
  onTokens?: (tokens: object) => void | Promise<void>,
) => {
  const answer = service()
  const transport = new FakeTransport(Array.from({ length: 20 }, () => answer))
  const client = new Fundproof({
    environment: 'sandbox',
    baseUrl: BASE,
    transport,
    tokens,
    onTokens,
  })
  const refreshes = () => transport.requests.filter(({ path }) => path === '/api/auth/refresh')
  return { client, transport, refreshes }
}

test('refreshes an expired token once for many calls, and stores it before its use', async () => {
  const stored: object[] = []
  const { client, refreshes } = clientOf(
    { accessToken: 'old', refreshToken: 'refresh-1' },
    (tokens) => void stored.push(tokens),
  )
  await Promise.all(Array.from({ length: 5 }, () => client.chains.list()))
  deepEqual(stored, [PAIR])
  equal(refreshes().length, 1)
  equal(refreshes()[0]?.headers.authorization, undefined)
})

test('throws the refusal of a refresh token that was used before', async () => {
  const first = clientOf({ accessToken: 'old', refreshToken: 'refresh-1' })
  await first.client.chains.list()
  const { transport } = first
  const tokens = { accessToken: 'old', refreshToken: 'refresh-1' }
  const second = new Fundproof({ environment: 'sandbox', baseUrl: BASE, transport, tokens })
  await rejects(second.chains.list(), (error: unknown) => {
    return error instanceof AuthenticationError && error.code === 'refresh_reused'
  })
})

test('throws the refusal of an expired token without a refresh token', async () => {
  const { client, transport } = clientOf({ accessToken: 'old' })
  await rejects(client.chains.list(), AuthenticationError)
  equal(transport.requests.length, 1)
})

test('does not refresh in an endless loop', async () => {
  const steps = Array.from(
    { length: 5 },
    () =>
      ({ path }: FakeRequest) =>
        path === '/api/auth/refresh' ? { body: { success: true, tokens: PAIR } } : EXPIRED,
  )
  const transport = new FakeTransport(steps)
  const tokens = { accessToken: 'old', refreshToken: 'refresh-1' }
  const client = new Fundproof({ environment: 'sandbox', baseUrl: BASE, transport, tokens })
  await rejects(client.chains.list(), AuthenticationError)
  equal(transport.requests.length, 3)
})

test('repeats a refresh without an answer with its key, also in the next call', async () => {
  const lost = new ConnectionError('lost')
  const answer = service()
  const transport = new FakeTransport([EXPIRED, lost, lost, answer, answer, answer])
  const tokens = { accessToken: 'old', refreshToken: 'refresh-1' }
  const options = { environment: 'sandbox', baseUrl: BASE, transport, tokens } as const
  const client = new Fundproof({ ...options, maxRetries: 1 })
  await rejects(client.chains.list(), ConnectionError)
  await client.chains.list()
  const refreshes = transport.requests.filter(({ path }) => path === '/api/auth/refresh')
  const keys = refreshes.map(({ headers }) => headers['idempotency-key'])
  equal(keys.length, 3)
  equal(new Set(keys).size, 1)
})

test('refreshes only for a refused token', async () => {
  const body = { success: false, error: 'Sign in.', code: 'unauthenticated' }
  const transport = new FakeTransport([{ status: 401, body }])
  const tokens = { accessToken: 'old', refreshToken: 'refresh-1' }
  const client = new Fundproof({ environment: 'sandbox', baseUrl: BASE, transport, tokens })
  await rejects(client.chains.list(), { code: 'unauthenticated' })
  equal(transport.requests.length, 1)
})

test('lets onTokens use the client, with the new tokens', async () => {
  const { client, transport } = clientOf({ accessToken: 'old', refreshToken: 'refresh-1' }, () =>
    client.chains.list().then(() => undefined),
  )
  await client.chains.list()
  const tokens = transport.requests.map(({ headers }) => headers.authorization)
  deepEqual(tokens, ['Bearer old', undefined, 'Bearer new', 'Bearer new'])
})

test('throws in onTokens if the service refuses the new tokens too', async () => {
  const steps = Array.from({ length: 4 }, (_, index) =>
    index === 1 ? { body: { success: true, tokens: PAIR } } : EXPIRED,
  )
  const transport = new FakeTransport(steps)
  const tokens = { accessToken: 'old', refreshToken: 'refresh-1' }
  const onTokens = () => client.chains.list().then(() => undefined)
  const options = { environment: 'sandbox', baseUrl: BASE, transport, tokens, onTokens } as const
  const client: Fundproof = new Fundproof(options)
  await rejects(client.chains.list(), AuthenticationError)
  equal(transport.requests.length, 3)
})

test('refreshes a token 30 seconds before its end, and a short one at half of its time', async () => {
  const answer = service()
  const transport = new FakeTransport(Array.from({ length: 9 }, () => answer))
  let nowMs = 0
  const runtime = { ...realRuntime, now: () => nowMs }
  const refreshesAt = async (expires: number | undefined, seconds: number): Promise<number> => {
    nowMs = 0
    transport.requests.length = 0
    const tokens = { accessToken: 'new', refreshToken: `${expires} ${seconds}`, expires }
    const options = { environment: 'sandbox', baseUrl: BASE, transport, tokens } as const
    const core = new Core(readOptions(options), runtime)
    nowMs = seconds * 1_000
    await new Chains(core).list()
    return transport.requests.length - 1
  }
  deepEqual([await refreshesAt(900, 869), await refreshesAt(900, 870)], [0, 1])
  deepEqual([await refreshesAt(10, 4), await refreshesAt(10, 5)], [0, 1])
  equal(await refreshesAt(undefined, 10_000), 0)
})

test('refuses an access token that no header can have, and does not show it', async () => {
  const isRefusal = (error: unknown) =>
    error instanceof ConfigurationError && !error.message.includes('secret')
  for (const accessToken of ['', 'secret secret', 'secret\n', 'secret☂', undefined as never]) {
    throws(() => clientOf({ accessToken }), isRefusal)
    const pair = { ...PAIR, accessToken }
    const transport = new FakeTransport([EXPIRED, { body: { success: true, tokens: pair } }])
    const tokens = { accessToken: 'old', refreshToken: 'refresh-1' }
    const client = new Fundproof({ environment: 'sandbox', baseUrl: BASE, transport, tokens })
    await rejects(client.chains.list(), isRefusal)
  }
})

test('a signal ends only its own wait for a refresh, and other calls still get it', async () => {
  for (const isLost of [false, true]) {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answer = service()
    const step = async (request: FakeRequest) => {
      if (request.path !== '/api/auth/refresh') return answer(request)
      begun.resolve()
      await gate.promise
      if (isLost) throw new ConnectionError('lost')
      return answer(request)
    }
    const transport = new FakeTransport(Array.from({ length: 9 }, () => step))
    const tokens = { accessToken: 'old', refreshToken: 'refresh-1', expires: 0 }
    const options = { environment: 'sandbox', baseUrl: BASE, transport, tokens } as const
    const client = new Fundproof({ ...options, maxRetries: 0 })
    const controller = new AbortController()
    const cancelled = client.chains.list({ signal: controller.signal })
    const other = isLost ? undefined : client.chains.list()
    await begun.promise
    controller.abort()
    await rejects(cancelled, AbortError)
    await rejects(client.chains.list({ signal: controller.signal }), AbortError)
    gate.resolve()
    deepEqual(await other, isLost ? undefined : [])
    equal(transport.requests.filter(({ path }) => path === '/api/auth/refresh').length, 1)
  }
})

/** Clients that share a token store in memory, as processes share a file. */
const sharing = (first: StoredTokens | null) => {
  const answer = service()
  const transport = new FakeTransport(Array.from({ length: 40 }, () => answer))
  let queue: Promise<unknown> = Promise.resolve()
  const saved: StoredTokens[] = []
  const tokenStore = {
    lock: (work: () => Promise<void>) => {
      queue = queue.then(work)
      return queue
    },
    load: async () => saved.at(-1) ?? first,
    save: async (tokens: StoredTokens) => void saved.push(tokens),
  }
  const options = { environment: 'sandbox', baseUrl: BASE, transport, tokenStore } as const
  const refreshes = () => transport.requests.filter(({ path }) => path === '/api/auth/refresh')
  return { client: () => new Fundproof(options), options, tokenStore, saved, refreshes }
}

test('clients that share a store refresh once, and store the key before the refresh', async () => {
  const { client, saved, refreshes } = sharing({ accessToken: 'old', refreshToken: 'refresh-1' })
  await Promise.all(Array.from({ length: 8 }, () => client().chains.list()))
  const [before, after] = saved
  const key = refreshes()[0]?.headers['idempotency-key']
  deepEqual(before, { accessToken: 'old', refreshToken: 'refresh-1', refreshKey: key })
  deepEqual(after, PAIR)
  equal(saved.length, 2)
  equal(refreshes().length, 1)
})

test('ends the refresh that another client began, with its key', async () => {
  const first = { accessToken: 'old', refreshToken: 'refresh-1', refreshKey: 'key-1' }
  const { client, refreshes } = sharing(first)
  await client().chains.list()
  deepEqual(
    refreshes().map(({ headers }) => headers['idempotency-key']),
    ['key-1'],
  )
})

test('takes the newer tokens of the store, and refreshes them if they have ended too', async () => {
  const { client, tokenStore, refreshes } = sharing({ accessToken: 'new', refreshToken: 'r' })
  const one = client()
  await one.chains.list()
  await tokenStore.save({ accessToken: 'ended', refreshToken: 'refresh-1' })
  const other = client()
  await tokenStore.save({ accessToken: 'newer', refreshToken: 'refresh-1' })
  await other.chains.list()
  equal(refreshes().length, 1)
})

test('uses no replaced token of the store again after a failed save', async () => {
  const { options, tokenStore, refreshes } = sharing({
    accessToken: 'old',
    refreshToken: 'refresh-1',
  })
  let isOld = false
  const save = async (tokens: StoredTokens) => {
    if (tokens.accessToken === PAIR.accessToken && !isOld) throw new Error('The disk is full.')
    await tokenStore.save(tokens)
  }
  const transport: Transport = {
    send: (request) =>
      isOld && request.headers.authorization === `Bearer ${PAIR.accessToken}`
        ? Promise.resolve({ status: 401, headers: {}, body: REFUSED })
        : options.transport.send(request),
  }
  const failing = { ...tokenStore, lock: (work: () => Promise<void>) => work(), save }
  const client = new Fundproof({ ...options, transport, tokenStore: failing })
  await rejects(client.chains.list(), /full/)
  isOld = true
  await client.chains.list().catch(() => undefined)
  const tokensSent = refreshes().map(({ json }) => (json as { refreshToken: string }).refreshToken)
  deepEqual(tokensSent, ['refresh-1', PAIR.refreshToken])
})

const REFUSED = new TextEncoder().encode('{"error":"No.","code":"invalid_token"}')

test('refuses tokens beside a store, a store without a method and an empty store', async () => {
  const { client, options, tokenStore } = sharing(null)
  await rejects(client().chains.list(), /tokenStore is empty: save the tokens of a sign-in/)
  throws(() => new Fundproof({ ...options, tokens: PAIR }), /one of apiKey, tokens and tokenStore/)
  const { lock: _, ...unlocked } = tokenStore
  throws(() => new Fundproof({ ...options, tokenStore: unlocked as never }), /no lock/)
})
