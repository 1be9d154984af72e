import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../api/app.ts'
import { createHttpServer } from '../api/server.ts'
import { createAccessTokens } from '../auth/access-tokens.ts'
import { createApiKeys } from '../auth/api-keys.ts'
import { createCredentials } from '../auth/credentials.ts'
import { createKeyedHash } from '../auth/keyed-hash.ts'
import { createRevokedSessions } from '../auth/revoked-sessions.ts'
import { connectDevNode, type DevNode } from '../chain/index.ts'
import { createDatabase } from '../db/client.ts'
import { toDomainError } from '../db/errors.ts'
import { openReplicas } from '../db/replicas.ts'
import { findKey, listRevokedSessions, loadSigningKeys } from '../domain/account/index.ts'
import { type ChainProgress, readProgress } from '../domain/blocks/index.ts'
import { findLostHead } from '../domain/books/index.ts'
import { createEventTail } from '../domain/events/index.ts'
import { createAttempts, createPolicies, createRateLimiter } from '../domain/service/index.ts'
import type { AppDeps, Readiness } from '../edge/deps.ts'
import type { RateLimits } from '../edge/request/rate-limit.ts'
import { createEventStreams } from '../edge/streams/event-streams.ts'
import { messageOf } from '../kernel/errors.ts'
import { listen } from '../metrics/index.ts'
import { createLive, createPages } from '../pages/index.ts'
import { type Base, placeOf } from './base.ts'
import { VERSION } from './version.ts'

export type Api = {
  /** Starts listening and returns the port. Throws StartError if the server cannot listen there. */
  start(): Promise<number>
  /** Waits at most three seconds for running requests, then closes every connection. */
  stop(): Promise<void>
}

/**
 * While the API stops, each answer in this time closes its connection, so that few clients send a
 * request over a connection that is about to close.
 */
const GOODBYE_MS = 500
const ACCEPT_MS = 500
const DRAIN_MS = 2_500
const DRAIN_STEP_MS = 100
const LIMITS_TIMEOUT_MS = 2_000

export const createApi = async (base: Base): Promise<Api> => {
  let stopping = false
  const devChain = await findDevChain(base)
  const limits = openRateLimits(base)
  const visitors = findReplicas(base)
  const { clock } = base.systemContext
  const apiKeys = createApiKeys({
    environment: base.settings.environment,
    clock,
    find: (keyHash) => findKey(base.systemContext, keyHash),
  })
  const revokedSessions = createRevokedSessions({
    clock,
    log: base.log,
    load: (since) => listRevokedSessions(base.systemContext, since),
    onAdd: apiKeys.forget,
  })
  const streams = createEventStreams({
    tail: createEventTail({ ctx: base.systemContext }),
    metrics: base.systemContext.metrics,
  })
  const deps: AppDeps = {
    context: base.context,
    visitors,
    settings: base.settings,
    log: base.log,
    tokens: createAccessTokens({
      issuer: base.settings.publicUrl,
      audience: base.settings.environment,
      clock,
      loadKeys: () => loadSigningKeys(base.systemContext),
    }),
    revokedSessions,
    apiKeys,
    credentials: createCredentials(base.systemContext.secrets),
    fingerprint: createKeyedHash(base.systemContext.secrets, 'idempotency'),
    translateError: toDomainError,
    ready: async () => (stopping ? { service: { ok: false, note: 'stopping' } } : readiness(base)),
    isOutdated: base.schema.isNewer,
    corsOrigins: base.config.corsOrigins,
    rateLimits: limits.rateLimits,
    metrics: base.systemContext.metrics,
    tracer: base.systemContext.tracer,
    streams,
    version: VERSION,
    ...(devChain ? { devChain } : {}),
  }
  await revokedSessions.refresh()
  const stopWatchingSessions = revokedSessions.start()
  const live = createLive({
    ctx: base.context({ actor: { kind: 'anonymous' }, requestId: null, log: base.log }),
    visitors,
  })
  const stopStreams = () => {
    streams.stop()
    live.stop()
  }
  base.schema.onNewer(stopStreams)
  const pages = await createPages({ ...deps, live })
  const server = createHttpServer({
    app: createApp(deps, pages),
    log: base.log,
    metrics: deps.metrics,
    maxConnections: base.config.maxConnections,
  })
  server.prependListener('request', (_request, response) => {
    if (stopping) response.setHeader('connection', 'close')
  })
  return {
    start: () => listen(server, base.config.host, base.config.port, 'PORT'),
    async stop() {
      stopping = true
      stopStreams()
      await drain(server)
      stopWatchingSessions()
      await limits.close()
      await visitors?.close()
      await devChain?.close()
    },
  }
}

/** Opens the rate limits. All API processes count in the same database table. */
const openRateLimits = (base: Base): { rateLimits: RateLimits; close(): Promise<void> } => {
  const { config, database, systemContext } = base
  // The limits have their own connection, so that they do not wait behind other requests.
  const sql = createDatabase({
    ...database,
    max: 1,
    name: 'fundproof limits',
    statementTimeoutMs: LIMITS_TIMEOUT_MS,
  })
  const { clock, secrets } = systemContext
  const hashes = createKeyedHash(secrets, 'rate-limit')
  const hash = (id: string) => hashes(id)[0]
  const limiter = createRateLimiter({ sql, clock, log: base.log, hash })
  limiter.start()
  return {
    rateLimits: {
      limiter,
      attempts: createAttempts({ sql, clock, hash }),
      policies: createPolicies(config.rateLimits),
      trustedProxies: config.trustProxy,
    },
    async close() {
      await limiter.stop()
      await sql.end({ timeout: 1 })
    },
  }
}

/** Opens the replicas of DATABASE_READ_URL. Returns undefined without this setting. */
const findReplicas = ({ config, database, sql, log, systemContext }: Base) => {
  const { databaseReadUrl, databaseReadUrlFile, databasePool: max, readMaxLagSeconds } = config
  if (databaseReadUrl === undefined) return undefined
  const replicas = { ...placeOf(databaseReadUrl, databaseReadUrlFile), direct: database.direct }
  const { metrics } = systemContext
  const maxLagMs = readMaxLagSeconds * 1_000
  return openReplicas({ primary: sql, replicas, max, maxLagMs, log, metrics })
}

/** Connects to the first chain with a development node. Returns undefined in production. */
const findDevChain = async ({ settings, places, log }: Base): Promise<DevNode | undefined> => {
  if (settings.environment !== 'sandbox') return undefined
  for (const chain of places.chains) {
    const node = await connectDevNode(chain, log)
    if (node) return node
  }
  return undefined
}

/**
 * Returns when no connection waits at the listener, at most `ACCEPT_MS` later. Node accepts one
 * connection in each turn of the event loop, and closing the listener would reset the connections
 * that still wait.
 */
const acceptWaiting = async (server: Server): Promise<void> => {
  let accepted = true
  const onConnection = () => {
    accepted = true
  }
  server.on('connection', onConnection)
  // The turn that brought the signal has accepted already.
  await nextTurn()
  for (const end = performance.now() + ACCEPT_MS; accepted && performance.now() < end; ) {
    accepted = false
    await nextTurn()
  }
  server.off('connection', onConnection)
}

/**
 * Closes idle connections after `GOODBYE_MS`, busy connections after their request, and all
 * `DRAIN_MS` later.
 */
const drain = async (server: Server): Promise<void> => {
  await sleep(GOODBYE_MS)
  await acceptWaiting(server)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS)
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  server.closeIdleConnections()
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
}

const NEWER = 'newer than this version, or SECRET has changed: see the log'

/**
 * Ready means that the database answers and has this version's schema. A chain without progress
 * and a restored ledger only add a note, because donations can still be recorded.
 */
const readiness = async (base: Base): Promise<Readiness> => {
  if (base.schema.isNewer()) return { schema: { ok: false, note: NEWER } }
  try {
    const chains = await readProgress(base.systemContext, base.places.chains)
    const checks = chains.map((chain) => [
      `chain:${chain.chainId}`,
      { ok: true, note: noteOf(chain) },
    ])
    const lost = await findLostHead(base.systemContext)
    const seals = lost ? { seals: { ok: true, note: RESTORED } } : {}
    return { database: { ok: true }, ...seals, ...Object.fromEntries(checks) }
  } catch (error) {
    base.log.error({ reason: messageOf(error) }, 'the database does not answer')
    return { database: { ok: false, note: 'the database does not answer' } }
  }
}

const RESTORED = 'restored: nothing is signed until `npm run admin -- restored`'

const noteOf = ({ idleMs, isStalled, problem, blocksBehind }: ChainProgress): string => {
  if (idleMs === null) return 'not followed yet'
  const idle = isStalled ? `stalled: no progress for ${Math.round(idleMs / 1_000)} s` : undefined
  if (problem !== null) return idle ? `${idle}; last problem: ${problem}` : problem
  return idle ?? (blocksBehind > 0 ? `${blocksBehind} blocks behind` : 'followed')
}
