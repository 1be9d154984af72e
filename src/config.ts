import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { StartError } from './kernel/errors.ts'

/**
 * The only reader of the environment. A setting that is wrong stops the start with one clear line
 * that names it. Unset `DATABASE_URL` or `CHAINS` mean the embedded Postgres or development chain.
 */

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a 0x address of 20 bytes')
  .transform((text) => text.toLowerCase())

const symbol = z.string().regex(/^[A-Za-z0-9.]{1,16}$/, 'must be 1 to 16 letters, digits or dots')

const Token = z.strictObject({
  symbol,
  address,
  decimals: z.int().min(0).max(36),
})

const Finality = z.union([
  z.strictObject({ tag: z.literal('finalized') }),
  z.strictObject({ depth: z.int().min(1).max(100_000) }),
])

export const ChainConfig = z.strictObject({
  id: z.int().min(1),
  name: z.string().min(1).max(40),
  rpc: z.array(z.url({ protocol: /^https?$/ })).min(1),
  finality: Finality.default({ tag: 'finalized' }),
  native: z.strictObject({ symbol, decimals: z.int().min(0).max(36) }).default({
    symbol: 'ETH',
    decimals: 18,
  }),
  tokens: z.array(Token).max(100).default([]),
  /** A contract with `isSanctioned(address)`, asked about donors and campaign accounts. */
  sanctionsOracle: address.optional(),
  /** First block to read when this database has never followed the chain; default: the final one. */
  startBlock: z.int().min(0).optional(),
  /** The least that a block must prove of itself; the weaker level is for nodes that give only hashes. */
  proof: z.enum(['transactions-root', 'receipts-root']).default('transactions-root'),
  pollIntervalMs: z.int().min(50).max(600_000).default(4_000),
  /** How many blocks are asked for in one JSON-RPC batch. */
  blocksPerBatch: z.int().min(1).max(100).default(20),
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

const price = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/, 'must be a decimal text such as "2500.5"')

const quota = z.coerce.number().int().min(0).max(1_000_000_000)

const Environment = z.object({
  ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  CHAINS: json(z.array(ChainConfig).min(1)).optional(),
  DEFAULT_CURRENCY: symbol.default('USDC'),
  PRICES: json(z.record(z.string().regex(/^[A-Za-z0-9.]+\/[A-Za-z0-9.]+$/), price)).optional(),
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
  MULTISIG_THRESHOLD: price.default('10000'),
  MULTISIG_REQUIRED: z.coerce.number().int().min(1).max(20).default(2),
  /** Requests a minute of an address, and of a user or key; attempts to sign in in 15 minutes. 0 lifts. */
  RATE_LIMIT_ANONYMOUS: quota.default(100),
  RATE_LIMIT_USER: quota.default(600),
  RATE_LIMIT_LOGIN: quota.optional(),
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  DONATION_EXPIRY_HOURS: z.coerce.number().min(0.001).max(8_760).default(72),
})

export type Config = {
  environment: 'sandbox' | 'production'
  host: string
  port: number
  /** Where Prometheus may scrape this process; undefined: nowhere. */
  metricsPort: number | undefined
  publicUrl: string | undefined
  databaseUrl: string | undefined
  databasePool: number
  chains: ChainConfig[] | undefined
  defaultCurrency: string
  prices: Record<string, string>
  secret: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  corsOrigins: string[]
  logLevel: string
  dataDir: string
  requireAccountProof: boolean
  webhooksAllowLoopback: boolean
  donationExpiryMs: number
  /** ISO 3166-1 alpha-2, upper case. */
  blockedCountries: string[]
  countryHeader: string | undefined
  sanctionsFile: string | undefined
  /** How often, by whom; 0 is without limit. */
  rateLimits: { anonymous: number; user: number; login: number }
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
    blockedCountries: e.BLOCKED_COUNTRIES,
    countryHeader: e.COUNTRY_HEADER,
    sanctionsFile: e.SANCTIONS_FILE,
    rateLimits: {
      anonymous: e.RATE_LIMIT_ANONYMOUS,
      user: e.RATE_LIMIT_USER,
      // Everybody who tries the embedded instance out comes from one address.
      login: e.RATE_LIMIT_LOGIN ?? (e.DATABASE_URL === undefined ? 100 : 10),
    },
    trustedProxies: e.TRUST_PROXY,
    multisigThreshold: e.MULTISIG_THRESHOLD,
    multisigRequired: e.MULTISIG_REQUIRED,
    crashAt: production ? undefined : e.FUNDPROOF_CRASH_AT,
  })
}

/** `NAME_FILE=/run/secrets/name` stands for `NAME`, for secrets that come as files. */
const fromFiles = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const result = { ...environment }
  for (const name of ['CHAINS', 'DATABASE_URL', 'SECRET', 'SMTP_URL', 'PRICES']) {
    const path = environment[`${name}_FILE`]
    if (path === undefined || result[name] !== undefined) continue
    try {
      result[name] = readFileSync(path, 'utf8').trim()
    } catch {
      throw new StartError(`Wrong setting: ${name}_FILE names a file that cannot be read: ${path}.`)
    }
  }
  return result
}

const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

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
