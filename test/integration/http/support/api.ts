import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { expect, onTestFinished } from 'vitest'
import { createApp } from '../../../../src/api/app.ts'
import { createDocument } from '../../../../src/api/openapi/document.ts'
import { createOperations } from '../../../../src/api/routes/index.ts'
import { createHttpServer, type ServerOptions } from '../../../../src/api/server.ts'
import { type AccessTokens, createAccessTokens } from '../../../../src/auth/access-tokens.ts'
import { createApiKeys } from '../../../../src/auth/api-keys.ts'
import { createCredentials } from '../../../../src/auth/credentials.ts'
import { createKeyedHash } from '../../../../src/auth/keyed-hash.ts'
import { createPasswords } from '../../../../src/auth/passwords.ts'
import { createRevokedSessions } from '../../../../src/auth/revoked-sessions.ts'
import { toDomainError } from '../../../../src/db/errors.ts'
import {
  findKey,
  listRevokedSessions,
  loadSigningKeys,
  SESSION_TTL_MS,
} from '../../../../src/domain/account/index.ts'
import { createEventTail } from '../../../../src/domain/events/index.ts'
import type { AppDeps } from '../../../../src/edge/deps.ts'
import type { Operation } from '../../../../src/edge/operation.ts'
import { ErrorBody } from '../../../../src/edge/schemas.ts'
import {
  createEventStreams,
  type EventStreamOptions,
} from '../../../../src/edge/streams/event-streams.ts'
import { parseExactJson } from '../../../../src/kernel/formats/json.ts'
import { checkerOf, type DocumentChecker } from '../../../support/document.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { createUser, createWorld, type World, type WorldOptions } from '../../../support/world.ts'

/**
 * Weak password hashes for tests. A hash of full strength takes at least 15 ms of processor time.
 */
const CHEAP_PASSWORDS = createPasswords({ memoryCost: 64, timeCost: 1 })

export type Asked = {
  /** The body, which is sent as JSON. */
  body?: unknown
  /** The body as raw bytes or text, which is sent with the content type of JSON. */
  raw?: RequestInit['body'] | undefined
  token?: string | undefined
  /** The value of X-API-Key. */
  apiKey?: string | undefined
  /** The value of Idempotency-Key. */
  key?: string | undefined
  headers?: Record<string, string>
}

export type Answered = {
  status: number
  headers: Headers
  text: string
  /** The body, parsed with exact numbers. */
  exact: unknown
  body: Record<string, unknown>
}

export type TestApi = World & {
  app: Hono
  deps: AppDeps
  tokens: AccessTokens
  operations: readonly Operation[]
  /** Sends a request. Checks the promises of the interface that hold for every answer. */
  ask(method: string, path: string, asked?: Asked): Promise<Answered>
  /** Creates a user and signs in. The user is verified by default. */
  signIn(options?: { verified?: boolean; roles?: string[] }): Promise<Caller>
  /** Listens on a real socket. Returns the URL. */
  listen(limits?: ServerLimits): Promise<string>
}

export type ServerLimits = Partial<Omit<ServerOptions, 'app' | 'log'>>

export type Caller = { userId: string; token: string }

export type TestStreams = Partial<Omit<EventStreamOptions, 'tail'>> & { pollMs?: number }

type ApiOptions = WorldOptions & { deps?: Partial<AppDeps>; streams?: TestStreams }

/** An API, and a signed-in user. */
export const createApiWithUser = async (options: ApiOptions = {}) => {
  const api = await createTestApi(options)
  return { api, ...(await api.signIn()) }
}

/** An API, and its clock, which the test sets. */
export const createClockedApi = async (now?: Date) => {
  const clock = createFakeClock(now)
  return { api: await createTestApi({ clock }), clock }
}

/** The expected answer of a refusal, with the name of the refused parameter. */
export const refusal = (status: number, code: string, path?: string) => ({
  status,
  body: { code, ...(path === undefined ? {} : { details: [{ path }] }) },
})

/** The API over a new database for this test. */
export const createTestApi = async (options: ApiOptions = {}): Promise<TestApi> => {
  const world = await createWorld(options)
  const tokens = createAccessTokens({
    issuer: world.ctx.settings.publicUrl,
    audience: world.ctx.settings.environment,
    clock: world.ctx.clock,
    loadKeys: () => loadSigningKeys(world.ctx),
  })
  const apiKeys = createApiKeys({
    environment: world.ctx.settings.environment,
    clock: world.ctx.clock,
    find: (keyHash) => findKey(world.ctx, keyHash),
  })
  const deps: AppDeps = {
    context: (base) => ({ ...world.ctx, ...base }),
    settings: world.ctx.settings,
    log: world.ctx.log,
    tokens,
    revokedSessions: createRevokedSessions({
      clock: world.ctx.clock,
      log: world.ctx.log,
      load: (since) => listRevokedSessions(world.ctx, since),
      onAdd: apiKeys.forget,
    }),
    apiKeys,
    credentials: createCredentials(world.ctx.secrets, CHEAP_PASSWORDS),
    fingerprint: createKeyedHash(world.ctx.secrets, 'idempotency'),
    translateError: toDomainError,
    ready: async () => ({ database: { ok: true } }),
    corsOrigins: [],
    streams: createEventStreams({
      metrics: world.ctx.metrics,
      ...options.streams,
      tail: createEventTail({ ctx: world.ctx, intervalMs: options.streams?.pollMs ?? 50 }),
    }),
    version: '0.0.0',
    ...options.deps,
  }
  const app = createApp(deps)
  const operations = createOperations(deps, () => '{}')
  const document = documentOf(operations, deps)

  return {
    ...world,
    app,
    deps,
    tokens,
    operations,
    ask: async (method, path, asked = {}) => {
      const response = await app.request(path, requestOf(method, asked))
      return checked(checkerOf(document()), { method, path, sent: sentBy(asked) }, response)
    },
    signIn: async ({ verified = true, roles = [] } = {}) => {
      const { userId } = await createUser(world.ctx, roles)
      if (!verified) {
        await world.ctx.sql`update app_user set email_verified_at = null where id = ${userId}`
      }
      const now = world.ctx.clock.now()
      await world.ctx.sql`
        insert into session (id, user_id, created_at, expires_at)
        values (${userId}, ${userId}, ${now}, ${new Date(now.getTime() + SESSION_TTL_MS)})`
      const claims = { userId, sessionId: userId, roles, verified }
      return { userId, token: await tokens.issue(claims) }
    },
    listen: (limits) => listen({ app, log: deps.log, ...limits }),
  }
}

const documents = new Map<string, () => string>()

/**
 * The OpenAPI document of an API. A process makes each document once, because that takes over 140
 * ms.
 */
const documentOf = (operations: readonly Operation[], deps: AppDeps): (() => string) => {
  const { environment, publicUrl } = deps.settings
  const key = [environment, publicUrl, ...operations.map((one) => one.operationId)].join(' ')
  const document = documents.get(key) ?? createDocument(operations, deps)
  documents.set(key, document)
  return document
}

export const requestOf = (
  method: string,
  { body, raw, token, apiKey, key, headers }: Asked,
): RequestInit => ({
  method,
  headers: {
    ...(body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...headers,
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  ...(raw === undefined ? {} : { body: raw, duplex: 'half' }),
})

/** The body of a request as the server reads it, or undefined if the body is not JSON. */
const sentBy = ({ body, raw }: Asked): unknown => {
  if (typeof raw !== 'string' && !(raw instanceof Uint8Array)) {
    return body === undefined ? undefined : structure(body)
  }
  try {
    return JSON.parse(typeof raw === 'string' ? raw : new TextDecoder().decode(raw)) as unknown
  } catch {
    return undefined
  }
}
const structure = (body: unknown): unknown => JSON.parse(JSON.stringify(body)) as unknown

/** Checks the promises of the interface that hold for every answer, and those of the document. */
const checked = async (
  check: DocumentChecker,
  asked: { method: string; path: string; sent: unknown },
  response: Response,
): Promise<Answered> => {
  const { status, headers } = response
  const text = await (headers.get('content-type') === 'text/event-stream'
    ? beginningOf(response)
    : response.text())
  expect(headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,128}$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  const isJson = headers.get('content-type') === 'application/json'
  const body = isJson ? JSON.parse(text) : {}
  if (status >= 400) {
    expect(headers.get('content-type')).toBe('application/json')
    expect(ErrorBody.strict().parse(body)).toMatchObject({
      requestId: headers.get('x-request-id'),
    })
    expect(text).not.toMatch(/\bat .*\.ts:\d|select |insert /)
  }
  check({ ...asked, status, headers, received: text === '' ? undefined : isJson ? body : text })
  return { status, headers, text, exact: isJson ? parseExactJson(text) : null, body }
}

/** Reads the first chunk of a stream, and cancels the rest. */
const beginningOf = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

const listen = async (options: ServerOptions): Promise<string> => {
  const server = createHttpServer(options)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A valid body of POST /api/campaigns. */
export const campaignBody = (changes: Record<string, unknown> = {}) => ({
  title: 'Wells for Kitui',
  description: 'Clean water for four villages.',
  target_amount: 1000,
  ledger_account: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  milestones: [{ description: 'Survey', amount: 250 }],
  ...changes,
})

/** Creates a campaign, which is open by default. */
export const createCampaign = async <Campaign = { _id: string }>(
  api: TestApi,
  token: string | undefined,
  changes: Record<string, unknown> = {},
): Promise<Campaign> => {
  const body = campaignBody(changes)
  const answer = await api.ask('POST', '/api/campaigns', { token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.campaign as Campaign
}

/** Makes an API key with these scopes. */
export const makeKey = async (api: TestApi, token: string, scopes: readonly string[]) => {
  const body = { name: 'a key', scopes }
  const answer = await api.ask('POST', '/api/keys', { token, body })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body.key as { key: string }).key
}

/** A valid body of POST /api/donations. */
export const donationBody = (campaignId: string, changes: Record<string, unknown> = {}) => ({
  campaignId,
  amount: { value: 12.5, currency: 'USDC' },
  transaction: {
    txHash: `0x${'ab'.repeat(32)}`,
    ledgerAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  },
  ...changes,
})
