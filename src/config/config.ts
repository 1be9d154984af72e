import { z } from 'zod'
import { StartError } from '../kernel/errors.ts'
import { messageOf } from '../kernel/input-messages.ts'
import type { PriceTable } from '../kernel/prices.ts'
import { ChainConfig } from './chains.ts'
import { fromFiles, misspeltIn, withoutEmpty } from './environment.ts'
import { decimal, Prices, symbol } from './prices.ts'

export { ChainConfig, publicFactsOf } from './chains.ts'

/**
 * The only reader of the environment. A setting that is wrong stops the start with one clear line
 * that names it. Unset `DATABASE_URL` or `CHAINS` mean the embedded Postgres or development chain.
 */

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

/** As browsers send it, or `*` for all. */
const Origin = z.string().superRefine((text, context) => {
  if (text === '*') return
  const isHttp = /^https?:\/\//i.test(text) && URL.canParse(text)
  const expected = isHttp ? new URL(text).origin : text
  if (text === expected && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text)) return
  const remedy = isHttp ? `as ${expected}` : 'with its scheme, such as https://example.org'
  context.addIssue({ code: 'custom', message: `${text} must be written ${remedy}` })
})

/** Bare, or behind a name in angle brackets. */
const Sender = z
  .string()
  .regex(
    /^[^\s<>@]+@[^\s<>@]+$|<[^\s<>@]+@[^\s<>@]+>$/,
    'must be an address, such as Fundproof <no-reply@example.org>',
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
  MAIL_FROM: Sender.default('Fundproof <no-reply@fundproof.invalid>'),
  CORS_ORIGINS: list.pipe(z.array(Origin)).default([]),
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
  /**
   * Requests a minute of an address, and of a user or key; attempts to sign in in 15 minutes. 0
   * lifts.
   */
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
  /** Requests in a window, by kind of caller; 0 means no limit. */
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

const linesOf = (error: z.ZodError): string[] =>
  error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)

const wrong = (problems: readonly string[]): StartError =>
  new StartError(`Wrong setting: ${problems.join('; ')}.`)

const NEEDED_IN_PRODUCTION = ['DATABASE_URL', 'CHAINS', 'SECRET', 'SMTP_URL', 'PUBLIC_URL'] as const

/** Settings that are good alone and wrong together. */
const contradictionsIn = (e: z.output<typeof Environment>): string[] => {
  const problems: string[] = []
  if (e.ENVIRONMENT === 'production') {
    const missing = NEEDED_IN_PRODUCTION.filter((name) => e[name] === undefined)
    if (missing.length > 0) problems.push(`production needs ${missing.join(', ')}`)
    if (e.PUBLIC_URL?.startsWith('http:')) {
      problems.push('PUBLIC_URL must begin with https:// in production')
    }
  }
  if (e.BLOCKED_COUNTRIES.length > 0 && e.COUNTRY_HEADER === undefined) {
    problems.push('BLOCKED_COUNTRIES needs COUNTRY_HEADER to know countries by')
  }
  const ids = e.CHAINS?.map((chain) => chain.id) ?? []
  if (new Set(ids).size !== ids.length) problems.push('CHAINS names a chain id twice')
  if (e.METRICS_PORT === e.PORT) {
    problems.push(`METRICS_PORT and PORT are both ${e.PORT}: they need two different ports`)
  }
  return problems
}

/** Parses the environment. Throws StartError with one line for each wrong setting. */
export const loadConfig = (environment: NodeJS.ProcessEnv = process.env): Config => {
  const given = withoutEmpty(environment)
  const { values, problems } = fromFiles(given)
  problems.push(...misspeltIn(given, Object.keys(Environment.shape)))
  const parsed = Environment.safeParse(values, { error: messageOf })
  if (!parsed.success) problems.push(...linesOf(parsed.error))
  problems.push(...(parsed.success ? contradictionsIn(parsed.data) : []))
  if (!parsed.success || problems.length > 0) throw wrong(problems)
  const e = parsed.data
  const production = e.ENVIRONMENT === 'production'
  const chains = e.CHAINS
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
    // On the embedded chain an hour is too long to wait for a first try.
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

/** The instance and the node that `npm run demo` uses. Default: the one that runs on the folder. */
export const loadDemoConfig = (
  environment: NodeJS.ProcessEnv = process.env,
): { baseUrl: string | undefined; rpcUrl: string | undefined; dataDir: string } => {
  const parsed = z
    .object({
      BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
      RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
      DATA_DIR: z.string().min(1).default('.fundproof'),
    })
    .safeParse(withoutEmpty(environment), { error: messageOf })
  if (!parsed.success) throw wrong(linesOf(parsed.error))
  const { BASE_URL, RPC_URL, DATA_DIR } = parsed.data
  return { baseUrl: BASE_URL?.replace(/\/$/, ''), rpcUrl: RPC_URL, dataDir: DATA_DIR }
}
