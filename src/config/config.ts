import { createHash } from 'node:crypto'
import { z } from 'zod'
import { StartError } from '../kernel/errors.ts'
import { messageOf } from '../kernel/input-messages.ts'
import { ChainConfig } from './chains.ts'
import { fromFiles, misspeltIn, withoutEmpty } from './environment.ts'
import { decimal, Prices, symbol } from './prices.ts'
import { contradictionsOfRetention, RETENTION, retentionOf } from './retention.ts'
import { DATABASES, Origin, SiteUrl, serverUrl, WebUrl } from './urls.ts'

export { ChainConfig, publicFactsOf } from './chains.ts'

/**
 * Only this file reads the environment. Wrong settings stop the start with a line that names them.
 * Without `DATABASE_URL`, an embedded Postgres starts. Without `CHAINS`, a local chain starts.
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

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Whether a text is a country code of ISO 3166-1. `UK` and other aliases match no caller. */
const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}` &&
  !['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'].includes(code) &&
  countries.of(code) !== undefined

/** A mail address, alone or in angle brackets after a name. */
const Sender = z
  .string()
  .regex(
    /^[^\s<>@]+@[^\s<>@]+$|<[^\s<>@]+@[^\s<>@]+>$/,
    'must be an address, such as Fundproof <no-reply@example.org>',
  )

const quota = z.coerce.number().int().min(0).max(1_000_000_000)

const secret = z.string().min(32, 'must have at least 32 characters')

const Environment = z.object({
  ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** The port at which Prometheus reads the metrics. Without a port, the service has no metrics. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** The URL (OTLP/HTTP) for traces, without `/v1/traces`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: WebUrl.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  PUBLIC_URL: SiteUrl.optional(),
  RECEIPT_ISSUER: z.string().max(200).optional(),
  ...DATABASES,
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  CHAINS: json(z.array(ChainConfig).min(1)).optional(),
  DEFAULT_CURRENCY: symbol.default('USDC'),
  PRICES: json(Prices).default({}),
  SECRET: secret.optional(),
  /** The value of SECRET before a change, until `npm run admin -- rotate-secret` has ended. */
  SECRET_PREVIOUS: secret.optional(),
  SMTP_URL: serverUrl('smtp', 'smtps')
    .refine((text) => Boolean(URL.parse(text)?.hostname), 'must name a host')
    .optional(),
  MAIL_FROM: Sender.default('Fundproof <no-reply@fundproof.invalid>'),
  CORS_ORIGINS: list.pipe(z.array(Origin)).default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATA_DIR: z.string().min(1).default('.fundproof'),
  REQUIRE_ACCOUNT_PROOF: flag.optional(),
  WEBHOOKS_ALLOW_LOOPBACK: flag.optional(),
  /** The service refuses callers from these countries (two-letter codes of ISO 3166-1). */
  BLOCKED_COUNTRIES: list
    .transform((codes) => codes.map((code) => code.toUpperCase()))
    .pipe(z.array(z.string().refine(isCountry, 'must be two-letter country codes')))
    .default([]),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
    .transform((name) => name.toLowerCase())
    .optional(),
  SANCTIONS_FILE: z.string().min(1).optional(),
  /** For fault tests: the worker kills itself at the place with this name. Not for production. */
  FUNDPROOF_CRASH_AT: z.string().max(8).optional(),
  /** A milestone above this amount in `DEFAULT_CURRENCY` needs `MULTISIG_REQUIRED` verifiers. */
  MULTISIG_THRESHOLD: decimal.default('10000'),
  MULTISIG_REQUIRED: z.coerce.number().int().min(1).max(20).default(2),
  /** Whether new campaigns may have an escrow. Default: on in a sandbox, off in production. */
  ESCROW: z.enum(['on', 'off']).optional(),
  /** The highest target of a new escrow in `DEFAULT_CURRENCY`. Default: 10000 in production. */
  ESCROW_MAX_TARGET: decimal.optional(),
  /**
   * The limits count requests per minute of an address, requests per minute of a user or API key,
   * and failed sign-ins in 15 minutes. With 0, there is no limit.
   */
  RATE_LIMIT_ANONYMOUS: quota.default(100),
  RATE_LIMIT_USER: quota.default(600),
  RATE_LIMIT_LOGIN: quota.optional(),
  /** One API process accepts at most this number of open connections from clients. */
  MAX_CONNECTIONS: z.coerce.number().int().min(1).max(1_000_000).default(5_000),
  /** The number of proxies that append to `X-Forwarded-For`. With 0, the API ignores the header. */
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  DONATION_EXPIRY_HOURS: z.coerce.number().min(0.001).max(8_760).default(72),
  INTENT_EXPIRY_HOURS: z.coerce.number().min(0.001).max(8_760).default(24),
  /** The pause between two reconciliations of final blocks. With 0, there is no reconciliation. */
  RECONCILE_EVERY_MINUTES: z.coerce.number().min(0).max(10_080).default(10),
  DEPOSIT_GRACE_MINUTES: z.coerce.number().min(0).max(525_600).optional(),
  ...RETENTION,
})

/** Names of fields and currency pairs. Messages hide other names, which may be secrets. */
const NAME = /^([A-Za-z_]{1,30}|\d+|[A-Za-z0-9.]{1,9}\/[A-Za-z0-9.]{1,9})$/

/** Settings that decide about money, so all processes must have the same values. */
const EQUAL_EVERYWHERE = [
  ...(['ENVIRONMENT', 'CHAINS', 'PRICES', 'DEFAULT_CURRENCY', 'REQUIRE_ACCOUNT_PROOF'] as const),
  ...(['MULTISIG_THRESHOLD', 'MULTISIG_REQUIRED', 'ESCROW', 'ESCROW_MAX_TARGET'] as const),
  ...(['DONATION_EXPIRY_HOURS', 'INTENT_EXPIRY_HOURS', 'BLOCKED_COUNTRIES'] as const),
]

/** A short hash of these settings. Omits each `rpc`, because processes may use other nodes. */
const digestOf = (settings: z.output<typeof Environment>): string => {
  const equal = EQUAL_EVERYWHERE.map((name) => settings[name])
  const text = JSON.stringify(equal, (name, value) => (name === 'rpc' ? undefined : value))
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

const linesOf = (error: z.ZodError): string[] =>
  error.issues.map(({ path, message }) => {
    const shown = path.map((name) => (NAME.test(String(name)) ? name : '…'))
    return `${shown.join('.')} ${message}`
  })

/** Names an unknown field of a JSON text, or gives its position if its name may be a secret. */
const wordsOf = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.code !== 'unrecognized_keys') return messageOf(issue)
  const all = Object.keys(issue.input as object)
  const shown = issue.keys.map((key) => (NAME.test(key) ? key : `number ${all.indexOf(key) + 1}`))
  return `has unknown fields: ${shown.join(', ')}`
}

const wrong = (problems: readonly string[]): StartError =>
  new StartError(`Wrong setting: ${problems.join('; ')}.`)

const NEEDED_IN_PRODUCTION = ['DATABASE_URL', 'CHAINS', 'SECRET', 'SMTP_URL', 'PUBLIC_URL'] as const

/** Describes settings that contradict each other or that need another setting. */
const contradictionsIn = (e: z.output<typeof Environment>): string[] => {
  const problems = contradictionsOfRetention(e)
  if (e.ENVIRONMENT === 'production') {
    const missing = NEEDED_IN_PRODUCTION.filter((name) => e[name] === undefined)
    if (missing.length > 0) problems.push(`production needs ${missing.join(', ')}`)
    if (e.PUBLIC_URL?.startsWith('http:')) {
      problems.push('PUBLIC_URL must begin with https:// in production')
    }
  }
  if (e.BLOCKED_COUNTRIES.length > 0 && e.COUNTRY_HEADER === undefined) {
    problems.push('BLOCKED_COUNTRIES needs COUNTRY_HEADER, which names the country of a caller')
  }
  if (e.SECRET_PREVIOUS !== undefined && e.SECRET_PREVIOUS === e.SECRET) {
    problems.push('SECRET_PREVIOUS is the same as SECRET: it is the value before the change')
  }
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const) {
    if (e[name] && !e.DATABASE_URL) problems.push(`${name} needs DATABASE_URL`)
  }
  const ids = e.CHAINS?.map((chain) => chain.id) ?? []
  if (new Set(ids).size !== ids.length) problems.push('CHAINS names a chain id twice')
  if (e.METRICS_PORT === e.PORT) {
    problems.push(`METRICS_PORT and PORT are both ${e.PORT}: they need two different ports`)
  }
  return problems
}

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>

const camel = (name: string): string =>
  name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** The settings in camelCase. TypeScript needs the cast, because the names are computed. */
const inCamelCase = <T extends object>(settings: T) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [camel(name), value])) as {
    [Name in keyof T as Camel<Name & string>]: T[Name]
  }

/** Converts the settings: names to camelCase, times to milliseconds, and adds computed defaults. */
const toConfig = ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER_ARG: ratio,
  REQUIRE_ACCOUNT_PROOF,
  WEBHOOKS_ALLOW_LOOPBACK,
  FUNDPROOF_CRASH_AT,
  ESCROW,
  ESCROW_MAX_TARGET,
  RATE_LIMIT_ANONYMOUS,
  RATE_LIMIT_USER,
  RATE_LIMIT_LOGIN,
  DONATION_EXPIRY_HOURS,
  INTENT_EXPIRY_HOURS,
  RECONCILE_EVERY_MINUTES,
  DEPOSIT_GRACE_MINUTES,
  ...others
}: z.output<typeof Environment>) => {
  const production = others.ENVIRONMENT === 'production'
  return {
    ...inCamelCase(others),
    tracing: endpoint === undefined ? undefined : { endpoint, ratio },
    requireAccountProof: production || (REQUIRE_ACCOUNT_PROOF ?? false),
    webhooksAllowLoopback: !production && (WEBHOOKS_ALLOW_LOOPBACK ?? true),
    donationExpiryMs: DONATION_EXPIRY_HOURS * 3_600_000,
    intentExpiryMs: INTENT_EXPIRY_HOURS * 3_600_000,
    reconcileEveryMs: RECONCILE_EVERY_MINUTES * 60_000,
    // The default is shorter with the embedded chain, so that new users soon see a deposit.
    depositGraceMs: (DEPOSIT_GRACE_MINUTES ?? (others.CHAINS === undefined ? 1 : 60)) * 60_000,
    retention: retentionOf(others),
    rateLimits: {
      anonymous: RATE_LIMIT_ANONYMOUS,
      user: RATE_LIMIT_USER,
      // With the embedded database the limit is higher, because all users share one address.
      login: RATE_LIMIT_LOGIN ?? (others.DATABASE_URL === undefined ? 100 : 10),
    },
    escrow: ESCROW === undefined ? !production : ESCROW === 'on',
    escrowMaxTarget: ESCROW_MAX_TARGET ?? (production ? '10000' : undefined),
    crashAt: production ? undefined : FUNDPROOF_CRASH_AT,
  }
}

export type Config = ReturnType<typeof toConfig> & {
  databaseUrlFile?: string | undefined
  databaseDirectUrlFile?: string | undefined
  databaseReadUrlFile?: string | undefined
  digest: string
}

/** Reads the settings. Throws StartError with one line that names every wrong setting. */
export const loadConfig = (environment: NodeJS.ProcessEnv = process.env): Config => {
  const given = withoutEmpty(environment)
  const { values, problems } = fromFiles(given)
  const names = Object.keys(Environment.shape)
  problems.push(...misspeltIn(given, names))
  const all = Object.fromEntries(names.map((name) => [name, values[name]]))
  const parsed = Environment.safeParse(all, { error: wordsOf })
  if (!parsed.success) problems.push(...linesOf(parsed.error))
  problems.push(...(parsed.success ? contradictionsIn(parsed.data) : []))
  if (!parsed.success || problems.length > 0) throw wrong(problems)
  return Object.freeze({
    ...toConfig(parsed.data),
    digest: digestOf(parsed.data),
    /** The files of the URLs of databases, which later connections read again. */
    databaseUrlFile: given.DATABASE_URL_FILE,
    databaseDirectUrlFile: given.DATABASE_DIRECT_URL_FILE,
    databaseReadUrlFile: given.DATABASE_READ_URL_FILE,
  })
}

/** The names of the settings that the environment sets, also by a file, and of all others. */
export const namesOfSettings = (
  environment: NodeJS.ProcessEnv = process.env,
): { set: string[]; unset: string[] } => {
  const given = withoutEmpty(environment)
  const names = Object.keys(Environment.shape).filter((name) => name !== 'FUNDPROOF_CRASH_AT')
  const isSet = (name: string) => (given[name] ?? given[`${name}_FILE`]) !== undefined
  return { set: names.filter(isSet), unset: names.filter((name) => !isSet(name)) }
}

/** Reads the URLs of `npm run demo`. Without them, the demo uses the instance on `DATA_DIR`. */
export const loadDemoConfig = (
  environment: NodeJS.ProcessEnv = process.env,
): { baseUrl: string | undefined; rpcUrl: string | undefined; dataDir: string } => {
  const parsed = z
    .object({
      BASE_URL: WebUrl.optional(),
      RPC_URL: WebUrl.optional(),
      DATA_DIR: z.string().min(1).default('.fundproof'),
    })
    .safeParse(withoutEmpty(environment), { error: messageOf })
  if (!parsed.success) throw wrong(linesOf(parsed.error))
  const { BASE_URL, RPC_URL, DATA_DIR } = parsed.data
  return { baseUrl: BASE_URL?.replace(/\/$/, ''), rpcUrl: RPC_URL, dataDir: DATA_DIR }
}
