import { limit, type Settings } from './core.ts'
import { ConfigurationError } from './errors.ts'
import type { Hooks } from './exchange.ts'
import { knowsOnly } from './known-names.ts'
import { environmentVariable, platformName } from './runtime.ts'
import { TokenKeeper, type TokenOptions } from './tokens.ts'
import { FetchTransport, type Transport } from './transport.ts'
import { VERSION } from './version.ts'

export type Environment = 'sandbox' | 'production'

/** The options of a client. Each of the first three can also come from the environment. */
export type FundproofOptions = Hooks & {
  /** The default is the variable FUNDPROOF_API_KEY. Without key and tokens you are a guest. */
  apiKey?: string | undefined
  /** The default is the variable FUNDPROOF_ENVIRONMENT. */
  environment?: Environment | undefined
  /**
   * The address of your Fundproof, for example `https://fundproof.example.org`. The default is the
   * variable FUNDPROOF_BASE_URL.
   */
  baseUrl?: string | undefined
  /**
   * Allows `http://` to other machines, for a private network. Every machine between the client and
   * the service can then read the key.
   */
  allowHttp?: boolean | undefined
  /** The tokens of a signed-in user, in place of a key. */
  tokens?: TokenOptions['tokens']
  /** The tokens of a session that several processes share, in place of `tokens`. */
  tokenStore?: TokenOptions['tokenStore']
  /** Called with each new pair of tokens. Store this pair, because the old pair is used up. */
  onTokens?: TokenOptions['onTokens']
  /** The most milliseconds of each attempt, until the last byte of the answer. Default: 30000. */
  timeout?: number | undefined
  /** How often a failed call is repeated. 0 means never. Default: 2. */
  maxRetries?: number | undefined
  /** The most milliseconds that a retry waits if the service asks for a pause. Default: 60000. */
  maxRetryAfter?: number | undefined
  /** Sends the calls. Default: the platform's `fetch`. In tests: a `FakeTransport`. */
  transport?: Transport | undefined
  /** The name and version of your program, added to `User-Agent`: `my-shop/1.2`. */
  appInfo?: string | undefined
}

/** The names of all options. */
const NAMES =
  'apiKey environment baseUrl allowHttp tokens tokenStore onTokens timeout maxRetries maxRetryAfter transport appInfo onRequest onResponse onRetry'

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_RETRIES = 2
const DEFAULT_MAX_RETRY_AFTER_MS = 60_000

const KEY_PREFIXES: Readonly<Record<Environment, string>> = {
  sandbox: 'fundproof_sandbox_',
  production: 'fundproof_live_',
}

const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'production']

/**
 * Checks the options, and fills in the environment and the defaults.
 *
 * @throws ConfigurationError that names the wrong or missing option
 */
export const readOptions = (
  options: FundproofOptions,
  variable: (name: string) => string | undefined = environmentVariable,
): Settings => {
  knowsOnly(options, NAMES.split(' '))
  const { tokens, tokenStore } = options
  if ([tokens, tokenStore, options.apiKey].filter((one) => (one ?? null) !== null).length > 1) {
    throw new ConfigurationError(
      'Pass one of apiKey, tokens and tokenStore. After a sign-in, save the tokens in the store.',
    )
  }
  const isUser = Boolean(tokens ?? tokenStore)
  const apiKey = options.apiKey ?? (isUser ? undefined : variable('FUNDPROOF_API_KEY'))
  const named = options.environment ?? variable('FUNDPROOF_ENVIRONMENT') ?? environmentOf(apiKey)
  const environment = checkEnvironment(named)
  if (apiKey !== undefined) checkKey(apiKey, environment)
  return {
    environment,
    baseUrl: checkBaseUrl(options.baseUrl ?? variable('FUNDPROOF_BASE_URL'), options.allowHttp),
    apiKey: apiKey ?? null,
    tokens: isUser ? new TokenKeeper(options) : null,
    timeout: limit('timeout', options.timeout ?? DEFAULT_TIMEOUT_MS, 1),
    maxRetries: limit('maxRetries', options.maxRetries ?? DEFAULT_MAX_RETRIES, 0),
    maxRetryAfter: limit('maxRetryAfter', options.maxRetryAfter ?? DEFAULT_MAX_RETRY_AFTER_MS, 0),
    transport: options.transport ?? new FetchTransport(),
    userAgent: userAgent(options.appInfo),
    hooks: options,
  }
}

/** The environment in the prefix of a key. */
const environmentOf = (apiKey: string | undefined): Environment | undefined =>
  ENVIRONMENTS.find((environment) => apiKey?.startsWith(KEY_PREFIXES[environment]))

const checkEnvironment = (value: string | undefined): Environment => {
  if (value === 'sandbox' || value === 'production') return value
  throw new ConfigurationError(
    value === undefined
      ? "The environment is missing: pass environment: 'sandbox' or 'production', or set FUNDPROOF_ENVIRONMENT."
      : `environment must be 'sandbox' or 'production', not ${JSON.stringify(value)}.`,
  )
}

/** Refuses a key of the other environment before it is sent. */
const checkKey = (key: string, environment: Environment): void => {
  const other: Environment = environment === 'sandbox' ? 'production' : 'sandbox'
  if (key.startsWith(KEY_PREFIXES[other])) {
    throw new ConfigurationError(
      `This API key belongs to ${other}, but environment is '${environment}'. Pass the ${environment} key, or set environment to '${other}'.`,
    )
  }
  if (!/^[0-9A-Za-z_]+$/.test(key) || !key.startsWith(KEY_PREFIXES[environment])) {
    throw new ConfigurationError(
      `apiKey is not a Fundproof API key: a key of ${environment} begins with ${KEY_PREFIXES[environment]}.`,
    )
  }
}

/**
 * Allows `http` only to this machine, or with `allowHttp`, because keys must not travel
 * unencrypted. Error messages do not contain the address, because it may have a password.
 */
const checkBaseUrl = (value: string | undefined, allowHttp = false): string => {
  if (value === undefined || value === '') {
    throw new ConfigurationError(
      'The address of the service is missing: pass baseUrl, or set FUNDPROOF_BASE_URL.',
    )
  }
  const url = /[\s\p{Cc}]/u.test(value) ? null : parseUrl(value)
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new ConfigurationError(
      'baseUrl must be an address such as https://fundproof.example.org or http://localhost:3000.',
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && allowHttp !== true) {
    throw new ConfigurationError(
      'baseUrl must begin with https://, because http:// would show your key to others. http:// is only for localhost, or for a network of your own with allowHttp: true.',
    )
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    throw new ConfigurationError('baseUrl must have no user name, password, query or fragment.')
  }
  return url.href.replace(/\/+$/, '')
}

const parseUrl = (value: string): URL | null => {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)

const userAgent = (appInfo: string | undefined): string | null => {
  const platform = platformName()
  if (platform === undefined) return null
  return `fundproof-js/${VERSION} (${platform})${appInfo === undefined ? '' : ` ${appInfo}`}`
}
