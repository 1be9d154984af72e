import { randomUUID } from 'node:crypto'
import {
  createContractReader,
  createSanctionsOracle,
  createSignatureVerifier,
  createStateReader,
  networkOfCommittee,
  type StateReader,
} from '../chain/index.ts'
import { type ChainConfig, type Config, publicFactsOf } from '../config/config.ts'
import { createDatabase, type Database, type DatabaseAddress } from '../db/client.ts'
import type { DatabasePlace } from '../db/connect.ts'
import type { Context } from '../db/context.ts'
import { openDatabaseClock } from '../db/database-clock.ts'
import { passwordFrom } from '../db/password.ts'
import { type SchemaWatch, watchSchema } from '../db/schema-watch.ts'
import { followSecret, loadSigningKeys } from '../domain/account/index.ts'
import { type AddressFile, createSanctionScreen, openAddressFile } from '../domain/people/index.ts'
import { createDatabaseCollector, readAssets, storeAssets } from '../domain/service/index.ts'
import type { Actor } from '../kernel/actor.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import { type Asset, createAssetCatalogue } from '../kernel/money/assets.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { createLog, type Log } from '../kernel/ports/log.ts'
import type { SanctionScreen } from '../kernel/ports/sanctions.ts'
import { createSecretBox } from '../kernel/ports/secrets.ts'
import type { Settings } from '../kernel/settings.ts'
import { loadOrCreateSecret, readRuntime } from '../local/runtime.ts'
import { createMetricsRegistry, serveMetrics } from '../metrics/index.ts'
import { createQueue, type Queue } from '../queue/index.ts'
import { openTracing } from '../tracing/index.ts'
import { assertDatabase, configuredAssets, refuseOtherDecimals } from './start-checks.ts'
import { VERSION } from './version.ts'

/** The database URL, the chains and the secret, from the settings or the embedded instance. */
export type Places = {
  databaseUrl: string
  chains: ChainConfig[]
  secret: string
}

/** Everything that the API and the worker share, such as database, queue, settings and contexts. */
export type Base = {
  config: Config
  places: Places
  database: DatabaseAddress
  settings: Settings
  /** Reads again which assets workers have proven. This also happens every second. */
  refreshAssets(): Promise<void>
  sql: Database
  queue: Queue
  schema: SchemaWatch
  log: Log
  instanceId: string
  context(asked: {
    actor: Actor
    requestId: string | null
    traceParent?: string | null
    log: Log
  }): Context
  /** The context of background work, which has no caller. */
  systemContext: Context
  stop(): Promise<void>
}

/** The configured database URL, chains and secret. Throws StartError if one of these is missing. */
export const configuredPlaces = (config: Config): Places => {
  const { databaseUrl, chains, secret } = config
  if (!databaseUrl || !chains || !secret) {
    const missing = Object.entries({ DATABASE_URL: databaseUrl, CHAINS: chains, SECRET: secret })
      .filter(([, value]) => value === undefined)
      .map(([name]) => name)
    throw new StartError(
      `Wrong setting: the API and the worker need ${missing.join(', ')}. \`npm start\` starts its own.`,
    )
  }
  return { databaseUrl, chains, secret }
}

/** The addresses of the database, whose passwords each connection reads again from the files. */
const addressOf = (config: Config, url: string): DatabaseAddress & { session: DatabasePlace } => {
  const { databaseUrlFile, databaseDirectUrl, databaseDirectUrlFile } = config
  const database = placeOf(url, databaseUrlFile)
  const direct = databaseDirectUrl && placeOf(databaseDirectUrl, databaseDirectUrlFile)
  return { ...database, direct: direct || undefined, session: direct || database }
}

/** The place of a database whose URL comes from `file`, if it does. */
export const placeOf = (url: string, file: string | undefined): DatabasePlace => ({
  url,
  ...(file !== undefined && { password: passwordFrom(file) }),
})

/**
 * Opens the base of a command, without log and metrics. The service may run at the same time. Uses
 * the running embedded instance if no database is configured. Throws StartError if a setting is
 * missing or if the database cannot be used.
 */
export const openCommandBase = (config: Config): Promise<Base> => {
  const runtime = config.databaseUrl === undefined ? readRuntime(config.dataDir) : undefined
  const places = runtime
    ? { ...runtime, secret: config.secret ?? loadOrCreateSecret(config.dataDir) }
    : configuredPlaces(config)
  return openBase({ ...config, logLevel: 'silent', metricsPort: undefined }, places, 'api')
}

/**
 * Opens all connections. Throws StartError if the database does not have this version's schema, or
 * if SECRET does not decrypt the stored keys. Does not start the queue, because the worker must
 * register its handlers first.
 */
export const openBase = async (
  config: Config,
  places: Places,
  half: 'api' | 'worker' | 'all',
): Promise<Base> => {
  const log = createLog(config.logLevel, half)
  const list = config.sanctionsFile ? openAddressFile(config.sanctionsFile, log) : undefined
  const { session, ...database } = addressOf(config, places.databaseUrl)
  const sql = createDatabase({
    ...database,
    max: config.databasePool,
    name: `fundproof ${half}`,
  })
  const queue = createQueue({
    databaseUrl: session.url,
    password: session.password,
    log,
    role: half === 'api' ? 'api' : 'worker',
  })
  const metrics = createMetricsRegistry()
  metrics.gauge('fundproof_build_info', { version: VERSION, settings: config.digest }, 1)
  metrics.collect(createDatabaseCollector(sql))
  const instanceId = randomUUID()
  const tracing = await openTracing(
    config.tracing && {
      ...config.tracing,
      service: half === 'all' ? 'fundproof' : `fundproof-${half}`,
      instanceId,
      version: VERSION,
      log,
    },
  )
  const { host, metricsPort } = config
  const served =
    metricsPort === undefined ? undefined : await serveMetrics(metrics, host, metricsPort)
  const stored = new Map<string, Asset>()
  const refreshAssets = () => readAssets(sql, stored)
  const secrets = createSecretBox(places.secret, config.secretPrevious)
  const schema = watchSchema(sql, log, () => followSecret({ sql, secrets }).finally(refreshAssets))
  const readers = places.chains.map((chain) => createStateReader({ chain, log, metrics }))
  const ended = new AbortController()
  const stop = async () => {
    schema.close()
    ended.abort()
    await Promise.all([queue.stop(), tracing.close()])
    await served?.close()
    list?.close()
    await Promise.all(readers.map((reader) => reader.close()))
    await sql.end({ timeout: 2 })
  }
  try {
    const settings = await readySettings(config, places, sql, stored)
    // A worker must start, because it proves which decimals are right.
    if (half === 'api') refuseOtherDecimals(settings.assets.all, stored)
    const wasStopped = config.databaseUrl === undefined
    const clock = await openDatabaseClock({ sql, log, metrics, signal: ended.signal, wasStopped })
    const signatures = createSignatureVerifier({ readers, log })
    const contracts = createContractReader({ readers, log })
    const sanctions = openScreen(places, readers, list, log, clock)
    const context: Base['context'] = (asked) => ({
      ...asked,
      sql,
      pool: sql,
      clock,
      wake: (topic) => queue.wake(topic),
      settings,
      secrets,
      signatures,
      contracts,
      sanctions,
      metrics,
      tracer: tracing.tracer,
    })
    const systemContext = context({ actor: { kind: 'system' }, requestId: null, log })
    await followSecret(systemContext)
    await loadSigningKeys(systemContext)
    await sql`
      update database_clock set environment = ${config.environment} where environment is null`
    const parts = {
      config,
      places,
      database,
      settings,
      refreshAssets,
      sql,
      queue,
      schema,
      log,
      instanceId,
    }
    return { ...parts, context, systemContext, stop }
  } catch (error) {
    await stop().catch(() => {})
    if (error instanceof StartError) throw error
    throw new StartError(`The database cannot be used: ${messageOf(error) || String(error)}.`)
  }
}

/** Checks addresses against the sanctions file and the sanctions contracts of the chains. */
const openScreen = (
  places: Places,
  readers: readonly StateReader[],
  list: AddressFile | undefined,
  log: Log,
  clock: Clock,
): SanctionScreen =>
  createSanctionScreen({
    list,
    oracles: readers.flatMap((reader) => {
      const address = places.chains.find(({ id }) => id === reader.chainId)?.sanctionsOracle
      return address === undefined ? [] : [createSanctionsOracle({ reader, address, log })]
    }),
    clock,
  })

/** The address for people: PUBLIC_URL, or HOST and the port. This machine's own is `localhost`. */
export const publicUrlOf = (
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  port: number,
): string => {
  const isOwn = /^(127\..+|0\.0\.0\.0|::1?)$/.test(host)
  return (
    publicUrl ?? `http://${isOwn ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
  )
}

/** Checks the schema and the assets, and returns the settings. Only workers store tokens. */
const readySettings = async (
  config: Config,
  places: Places,
  sql: Database,
  stored: Map<string, Asset>,
): Promise<Settings> => {
  const configured = configuredAssets(config, places.chains)
  await assertDatabase(sql, config, configured)
  const fiat = configured.all.filter(({ kind }) => kind === 'fiat')
  await storeAssets(sql, fiat)
  await readAssets(sql, stored)
  const { environment, defaultCurrency, countryHeader, escrow, escrowMaxTarget } = config
  const { requireAccountProof, webhooksAllowLoopback } = config
  const { multisigThreshold, multisigRequired, receiptIssuer } = config
  const { donationExpiryMs, intentExpiryMs, depositGraceMs, retention } = config
  return {
    ...{ environment, defaultCurrency, countryHeader, escrow, escrowMaxTarget },
    ...{ requireAccountProof, webhooksAllowLoopback, multisigThreshold, multisigRequired },
    ...{ donationExpiryMs, intentExpiryMs, depositGraceMs, retention, receiptIssuer },
    publicUrl: publicUrlOf(config, config.port),
    listenPorts: [config.port, ...(config.metricsPort === undefined ? [] : [config.metricsPort])],
    assets: createAssetCatalogue(places.chains, config.prices, stored),
    chains: places.chains.map((chain) => ({
      ...publicFactsOf(chain),
      ...(chain.beacon === undefined ? {} : { committee: networkOfCommittee(chain) }),
    })),
    blockedCountries: new Set(config.blockedCountries),
    mailIsPrinted: config.smtpUrl === undefined,
  }
}
