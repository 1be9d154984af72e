import { z } from 'zod'
import { defaultPollMs, networkOf } from './chain/networks.ts'
import { address, decimal, PriceFeeds, Prices, SequencerFeed, symbol } from './config-prices.ts'
import { fromFiles, withoutEmpty } from './environment.ts'
import { StartError } from './kernel/errors.ts'
import type { PriceTable } from './kernel/prices.ts'

/**
 * The only reader of the environment. A setting that is wrong stops the start with one clear line
 * that names it. Unset `DATABASE_URL` or `CHAINS` mean the embedded Postgres or development chain.
 */

const Token = z.strictObject({
  symbol,
  address,
  decimals: z.int().min(0).max(36),
})

const Finality = z.union([
  z.strictObject({ tag: z.literal('finalized') }),
  z.strictObject({ depth: z.int().min(1).max(100_000) }),
])

const ChainFields = z.strictObject({
  id: z.int().min(1),
  name: z.string().min(1).max(40),
  rpc: z.array(z.url({ protocol: /^https?$/ })).min(1),
  /** How many nodes of `rpc` must say the same to be believed. Default: the majority. */
  quorum: z.int().min(1).optional(),
  /** A node whose newest block is so much older than the agreed one is asked last. Default 60. */
  maxLagSeconds: z.int().min(1).max(86_400).optional(),
  /** What makes a block final; default: the `finalized` tag. A depth only where one is safe. */
  finality: Finality.default({ tag: 'finalized' }),
  /** Finality that has not moved for so long is an alarm. Default: by network, else never. */
  stalledAfterMs: z
    .int()
    .min(1_000)
    .max(7 * 86_400_000)
    .optional(),
  native: z.strictObject({ symbol, decimals: z.int().min(0).max(36) }).default({
    symbol: 'ETH',
    decimals: 18,
  }),
  tokens: z.array(Token).max(100).default([]),
  /** Where prices are read, at the block of the donation; each pair once. */
  feeds: PriceFeeds,
  sequencerFeed: SequencerFeed.optional(),
  /** A contract with `isSanctioned(address)`, asked about donors and campaign accounts. */
  sanctionsOracle: address.optional(),
  /** First block to read when this database has never followed the chain; default: the final one. */
  startBlock: z.int().min(0).optional(),
  /** From this block on the chain logs every move of its own currency itself (EIP-7708). */
  nativeLogs: z.strictObject({ fromBlock: z.int().min(0) }).optional(),
  /** The least that a block must prove of itself; the weaker level is for nodes that give only hashes. */
  proof: z.enum(['transactions-root', 'receipts-root']).default('transactions-root'),
  /** How often the nodes are asked for new blocks. Default: by network, else 4 000. */
  pollIntervalMs: z.int().min(50).max(600_000).optional(),
  /** How many blocks are asked for in one JSON-RPC batch. */
  blocksPerBatch: z.int().min(1).max(100).default(20),
})

/** A chain with everything that its settings leave to what is known of the network. */
export const ChainConfig = ChainFields.superRefine((chain, context) => {
  if (chain.quorum !== undefined && chain.quorum > chain.rpc.length) {
    context.addIssue({
      code: 'custom',
      path: ['quorum'],
      message: `asks for ${chain.quorum} nodes that agree, and rpc names only ${chain.rpc.length}`,
    })
  }
  const network = networkOf(chain.id)
  if (!network || !('depth' in chain.finality)) return
  const { name, safeDepth } = network
  if (safeDepth !== null && chain.finality.depth >= safeDepth) return
  const least = safeDepth === null ? 'no depth is safe' : `a depth below ${safeDepth} is not safe`
  context.addIssue({
    code: 'custom',
    path: ['finality'],
    message: `${least} on ${name} (chain ${chain.id}): leave it out to wait for the finalized tag`,
  })
}).transform((chain) => {
  const stalledAfterMs = chain.stalledAfterMs ?? networkOf(chain.id)?.stalledAfterMs
  return {
    ...chain,
    ...(stalledAfterMs === undefined ? {} : { stalledAfterMs }),
    pollIntervalMs: chain.pollIntervalMs ?? defaultPollMs(chain.id),
  }
})
export type ChainConfig = z.output<typeof ChainConfig>

const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'is not valid JSON' })
        return z.NEVER
      }
    })
    .pipe(schema)

const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const quota = z.coerce.number().int().min(0).max(1_000_000_000)

const Environment = z.object({
  ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Where traces go: OTLP over HTTP, `/v1/traces` is added; and the share that is kept. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  CHAINS: json(z.array(ChainConfig).min(1)).optional(),
  DEFAULT_CURRENCY: symbol.default('USDC'),
  PRICES: json(Prices).optional(),
  SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().min(3).default('Fundproof <no-reply@fundproof.invalid>'),
  CORS_ORIGINS: list.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATA_DIR: z.string().min(1).default('.fundproof'),
  REQUIRE_ACCOUNT_PROOF: flag.optional(),
  WEBHOOKS_ALLOW_LOOPBACK: flag.optional(),
  BLOCKED_COUNTRIES: list
    .transform((codes) => codes.map((code) => code.toUpperCase()))
    .pipe(z.array(z.string().regex(/^[A-Z]{2}$/, 'must be two-letter country codes')))
    .default([]),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
    .transform((name) => name.toLowerCase())
    .optional(),
  SANCTIONS_FILE: z.string().min(1).optional(),
  FUNDPROOF_CRASH_AT: z.string().max(8).optional(),
  MULTISIG_THRESHOLD: decimal.default('10000'),
  MULTISIG_REQUIRED: z.coerce.number().int().min(1).max(20).default(2),
  /** Requests a minute of an address, and of a user or key; attempts to sign in in 15 minutes. 0 lifts. */
  RATE_LIMIT_ANONYMOUS: quota.default(100),
  RATE_LIMIT_USER: quota.default(600),
  RATE_LIMIT_LOGIN: quota.optional(),
  MAX_CONNECTIONS: z.coerce.number().int().min(1).max(1_000_000).default(2_000),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  DONATION_EXPIRY_HOURS: z.coerce.number().min(0.001).max(8_760).default(72),
  INTENT_EXPIRY_HOURS: z.coerce.number().min(0.001).max(8_760).default(24),
  /** How often what has become final is compared with the ledger; 0 never. */
  RECONCILE_EVERY_MINUTES: z.coerce.number().min(0).max(10_080).default(10),
  DEPOSIT_GRACE_MINUTES: z.coerce.number().min(0).max(525_600).optional(),
})

export type Config = {
  environment: 'sandbox' | 'production'
  host: string
  port: number
  /** Where Prometheus may scrape this process; undefined: nowhere. */
  metricsPort: number | undefined
  /** Where traces go, and the share of them that is kept; undefined: nowhere. */
  tracing: { endpoint: string; ratio: number } | undefined
  publicUrl: string | undefined
  databaseUrl: string | undefined
  databasePool: number
  chains: ChainConfig[] | undefined
  defaultCurrency: string
  prices: PriceTable
  secret: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  corsOrigins: string[]
  logLevel: string
  dataDir: string
  requireAccountProof: boolean
  webhooksAllowLoopback: boolean
  donationExpiryMs: number
  intentExpiryMs: number
  depositGraceMs: number
  /** 0: never. */
  reconcileEveryMs: number
  /** ISO 3166-1 alpha-2, upper case. */
  blockedCountries: string[]
  countryHeader: string | undefined
  sanctionsFile: string | undefined
  /** How often, by whom; 0 is without limit. */
  rateLimits: { anonymous: number; user: number; login: number }
  /** Of clients to an API process, at a time. */
  maxConnections: number
  /** How many proxies in front append to `X-Forwarded-For`; with 0 the header is ignored. */
  trustedProxies: number
  /** A milestone above it needs several verifiers: decimal text in `defaultCurrency`. */
  multisigThreshold: string
  multisigRequired: number
  /** A named point at which a fault test makes the worker kill itself; never in production. */
  crashAt: string | undefined
}

/** Parses the environment. Throws StartError with one line for each wrong setting. */
export const loadConfig = (environment: NodeJS.ProcessEnv = process.env): Config => {
  const parsed = Environment.safeParse(fromFiles(withoutEmpty(environment)))
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new StartError(`Wrong setting: ${lines.join('; ')}.`)
  }
  const e = parsed.data
  const production = e.ENVIRONMENT === 'production'
  if (production) {
    for (const name of ['DATABASE_URL', 'CHAINS', 'SECRET', 'SMTP_URL', 'PUBLIC_URL'] as const) {
      if (e[name] === undefined) throw new StartError(`Wrong setting: production needs ${name}.`)
    }
  }
  if (e.BLOCKED_COUNTRIES.length > 0 && e.COUNTRY_HEADER === undefined) {
    throw new StartError(
      'Wrong setting: BLOCKED_COUNTRIES needs COUNTRY_HEADER to know countries by.',
    )
  }
  const chains = e.CHAINS
  if (chains && new Set(chains.map((chain) => chain.id)).size !== chains.length) {
    throw new StartError('Wrong setting: CHAINS names a chain id twice.')
  }
  return Object.freeze({
    environment: e.ENVIRONMENT,
    host: e.HOST,
    port: e.PORT,
    metricsPort: e.METRICS_PORT,
    tracing:
      e.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: e.OTEL_TRACES_SAMPLER_ARG },
    publicUrl: e.PUBLIC_URL,
    databaseUrl: e.DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    chains,
    defaultCurrency: e.DEFAULT_CURRENCY,
    prices: e.PRICES ?? {},
    secret: e.SECRET,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    corsOrigins: e.CORS_ORIGINS,
    logLevel: e.LOG_LEVEL,
    dataDir: e.DATA_DIR,
    requireAccountProof: production || (e.REQUIRE_ACCOUNT_PROOF ?? false),
    webhooksAllowLoopback: !production && (e.WEBHOOKS_ALLOW_LOOPBACK ?? true),
    donationExpiryMs: e.DONATION_EXPIRY_HOURS * 3_600_000,
    intentExpiryMs: e.INTENT_EXPIRY_HOURS * 3_600_000,
    reconcileEveryMs: e.RECONCILE_EVERY_MINUTES * 60_000,
    // On the embedded chain nobody waits an hour to see what it does.
    depositGraceMs: (e.DEPOSIT_GRACE_MINUTES ?? (chains === undefined ? 1 : 60)) * 60_000,
    blockedCountries: e.BLOCKED_COUNTRIES,
    countryHeader: e.COUNTRY_HEADER,
    sanctionsFile: e.SANCTIONS_FILE,
    rateLimits: {
      anonymous: e.RATE_LIMIT_ANONYMOUS,
      user: e.RATE_LIMIT_USER,
      // Everybody who tries the embedded instance out comes from one address.
      login: e.RATE_LIMIT_LOGIN ?? (e.DATABASE_URL === undefined ? 100 : 10),
    },
    maxConnections: e.MAX_CONNECTIONS,
    trustedProxies: e.TRUST_PROXY,
    multisigThreshold: e.MULTISIG_THRESHOLD,
    multisigRequired: e.MULTISIG_REQUIRED,
    crashAt: production ? undefined : e.FUNDPROOF_CRASH_AT,
  })
}

/** Where `npm run demo` finds a running instance, and the node to send its transactions to. */
export const loadDemoConfig = (
  environment: NodeJS.ProcessEnv = process.env,
): { baseUrl: string; rpcUrl: string | undefined; dataDir: string } => {
  const parsed = z
    .object({
      BASE_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
      RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
      DATA_DIR: z.string().min(1).default('.fundproof'),
    })
    .safeParse(withoutEmpty(environment))
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new StartError(`Wrong setting: ${lines.join('; ')}.`)
  }
  const { BASE_URL, RPC_URL, DATA_DIR } = parsed.data
  return { baseUrl: BASE_URL.replace(/\/$/, ''), rpcUrl: RPC_URL, dataDir: DATA_DIR }
}
