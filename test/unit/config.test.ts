import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig, publicFactsOf } from '../../src/config/config.ts'
import { StartError } from '../../src/kernel/errors.ts'
import { newFolder } from '../support/new-folder.ts'

/** The setting CHAINS with one chain. */
const chains = (change: object = {}) => ({
  CHAINS: JSON.stringify([{ id: 1, name: 'one', rpc: ['http://localhost:1'], ...change }]),
})

describe('the settings of who is refused by law', () => {
  test('refuse no one unless they say so', () => {
    expect(loadConfig({})).toMatchObject({
      blockedCountries: [],
      countryHeader: undefined,
      sanctionsFile: undefined,
    })
  })

  test('take countries in any case, a header, a file, and a contract for each chain', () => {
    const oracle = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb'
    const config = loadConfig({
      BLOCKED_COUNTRIES: 'kp, IR',
      COUNTRY_HEADER: 'CF-IPCountry',
      SANCTIONS_FILE: '/etc/sanctions.txt',
      ...chains({ sanctionsOracle: oracle }),
    })
    expect(config).toMatchObject({
      blockedCountries: ['KP', 'IR'],
      countryHeader: 'cf-ipcountry',
      sanctionsFile: '/etc/sanctions.txt',
      chains: [{ sanctionsOracle: oracle.toLowerCase() }],
    })
  })

  test.each([
    [{ BLOCKED_COUNTRIES: 'KP' }, 'BLOCKED_COUNTRIES needs COUNTRY_HEADER'],
    ...['Korea', 'XX', 'UK', 'EU'].map((code): [NodeJS.ProcessEnv, string] => [
      { BLOCKED_COUNTRIES: code, COUNTRY_HEADER: 'x-country' },
      'BLOCKED_COUNTRIES.0 must be two-letter country codes',
    ]),
    [{ COUNTRY_HEADER: 'x country' }, 'COUNTRY_HEADER must be the name of a header'],
    [chains({ sanctionsOracle: '0x1' }), 'sanctionsOracle must be a 0x address'],
  ])('stop the start where they are wrong: %o', (environment, line) => {
    expect(() => loadConfig(environment)).toThrow(line)
  })
})

describe('the settings of how long data is kept', () => {
  test('are 90 days for events and deliveries, and a year for notifications', () => {
    const [eventsMs, deliveriesMs, notificationsMs] = [90, 90, 365].map((days) => days * 86_400_000)
    expect(loadConfig({}).retention).toEqual({ eventsMs, deliveriesMs, notificationsMs })
  })

  test.each([
    [
      { EVENT_RETENTION_DAYS: '89' },
      'EVENT_RETENTION_DAYS must be at least 90, because the event feed goes back 90 days',
    ],
    [
      { DELIVERY_RETENTION_DAYS: '30' },
      'DELIVERY_RETENTION_DAYS must be at least 90, because replays go back 90 days',
    ],
    [{ NOTIFICATION_RETENTION_DAYS: '7' }, 'NOTIFICATION_RETENTION_DAYS must be at least 30'],
    [
      { DELIVERY_RETENTION_DAYS: '91' },
      'DELIVERY_RETENTION_DAYS must be at most EVENT_RETENTION_DAYS',
    ],
  ])('stop the start where they break a promise: %o', (environment, line) => {
    expect(() => loadConfig(environment)).toThrow(line)
  })
})

test("decimals of a chain's own coin other than those of wei stop the start", () => {
  const native = { symbol: 'ETH', decimals: 8 }
  expect(() => loadConfig(chains({ native }))).toThrow('native.decimals')
})

describe('the settings of where prices come from', () => {
  const feed = {
    pair: 'ETH/USD',
    address: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
    heartbeatSeconds: 3_600,
  }

  test('take fixed prices, lists of prices, feeds, and the feed of a sequencer', () => {
    const list = [
      ['2026-01-01T00:00:00Z', '2500'],
      ['2026-02-01T00:00:00+01:00', '2600.5'],
    ]
    const config = loadConfig({
      PRICES: JSON.stringify({ 'ETH/USDC': '2500', 'ETH/EUR': list }),
      ...chains({ feeds: [feed], sequencerFeed: { address: feed.address } }),
    })
    expect(config.prices).toEqual({ 'ETH/USDC': '2500', 'ETH/EUR': list })
    expect(config.chains?.[0]).toMatchObject({
      feeds: [{ ...feed, address: feed.address.toLowerCase(), slackSeconds: 600 }],
      sequencerFeed: { address: feed.address.toLowerCase(), graceSeconds: 3_600 },
    })
  })

  test.each([
    [{ PRICES: '{"ETH/ETH":"1"}' }, 'PRICES'],
    [{ PRICES: '{"ETH":"1"}' }, 'PRICES'],
    [{ PRICES: '{"ETH/USD":2500}' }, 'PRICES.ETH/USD must be a decimal text'],
    [{ PRICES: '{"ETH/USD":"0.00"}' }, 'PRICES.ETH/USD'],
    [{ PRICES: '{"ETH/USD":[]}' }, 'PRICES.ETH/USD'],
    [{ PRICES: '{"ETH/USD":[["yesterday","1"]]}' }, 'PRICES.ETH/USD'],
    [chains({ feeds: [feed, feed] }), 'names a pair twice'],
    [chains({ feeds: [{ ...feed, heartbeatSeconds: 0 }] }), 'heartbeatSeconds'],
    [chains({ sequencerFeed: {} }), 'sequencerFeed.address'],
  ])('stop the start where they are wrong: %o', (environment, line) => {
    expect(() => loadConfig(environment)).toThrow(line)
  })
})

describe('the settings of a chain and its nodes', () => {
  const rpc = ['http://one', 'http://two', 'http://three']

  test('take how many nodes must agree, and how far behind one may be', () => {
    const [chain] = loadConfig(chains({ rpc, quorum: 3, maxLagSeconds: 30 })).chains ?? []
    expect(chain).toMatchObject({ quorum: 3, maxLagSeconds: 30 })
  })

  test('stop the start where more nodes must agree than there are', () => {
    expect(() => loadConfig(chains({ rpc, quorum: 4 }))).toThrow(
      'CHAINS.0.quorum asks for 4 nodes that agree, and rpc names only 3',
    )
  })
})

test('the settings of a chain stop the start where a node has two votes', () => {
  const rpc = ['http://one/key', 'http://two', 'HTTP://ONE:80/key']
  expect(() => loadConfig(chains({ rpc }))).toThrow('CHAINS.0.rpc names a node twice')
})

test('processes may have other nodes and ports, but no other chains and prices', () => {
  const digestOf = (env: object, chain: object = {}) =>
    loadConfig({ ...chains(chain), ...env }).digest
  const digest = digestOf({})
  expect(digestOf({ PORT: '4000', DATABASE_POOL: '7' }, { rpc: ['http://two'] })).toBe(digest)
  const others = [
    digestOf({ PRICES: '{"ETH/USD":"1"}' }),
    digestOf({}, { finality: { depth: 99 } }),
  ]
  expect(new Set([digest, ...others]).size).toBe(3)
})

describe('the settings of traces', () => {
  test('send them nowhere unless they say where to', () => {
    expect(loadConfig({}).tracing).toBe(undefined)
    expect(loadConfig({ OTEL_TRACES_SAMPLER_ARG: '0.5' }).tracing).toBe(undefined)
  })

  test('keep all of them unless they say how many', () => {
    const endpoint = 'http://collector:4318'
    const tracingOf = (ratio?: string) =>
      loadConfig({
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        ...(ratio === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: ratio }),
      }).tracing
    expect(tracingOf()).toEqual({ endpoint, ratio: 1 })
    expect(tracingOf('0.05')).toEqual({ endpoint, ratio: 0.05 })
    expect(() => tracingOf('5')).toThrow(/^Wrong setting: OTEL_TRACES_SAMPLER_ARG/)
  })

  test('stop the start where the collector speaks no HTTP', () => {
    expect(() => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector:4317' })).toThrow(
      /^Wrong setting: OTEL_EXPORTER_OTLP_ENDPOINT/,
    )
  })
})

test('5 000 clients may be connected unless the setting says otherwise, and at least one', () => {
  expect(loadConfig({}).maxConnections).toBe(5_000)
  expect(loadConfig({ MAX_CONNECTIONS: '50' }).maxConnections).toBe(50)
  expect(() => loadConfig({ MAX_CONNECTIONS: '0' })).toThrow('MAX_CONNECTIONS')
})

describe('a wrong setting', () => {
  const production = {
    ENVIRONMENT: 'production',
    DATABASE_URL: 'postgres://one',
    ...chains({ rpc: ['https://one.example'] }),
    SECRET: 'a secret that only tests know, long enough',
    SMTP_URL: 'smtp://mail.example',
    PUBLIC_URL: 'https://give.example',
  }
  /** A file that holds SECRET, as an operator writes it. */
  const secretFile = (): string => {
    const path = join(newFolder(), 'secret')
    writeFileSync(path, `${production.SECRET}\n`)
    return path
  }

  test('of production is named with all others that are missing', () => {
    expect(() => loadConfig({ ENVIRONMENT: 'production', DATABASE_URL: 'postgres://one' })).toThrow(
      /^Wrong setting: production needs CHAINS, SECRET, SMTP_URL, PUBLIC_URL\.$/,
    )
  })

  test('of escrows are on in a sandbox, and off with a highest target in production', () => {
    expect(loadConfig({})).toMatchObject({ escrow: true, escrowMaxTarget: undefined })
    expect(loadConfig(production)).toMatchObject({ escrow: false, escrowMaxTarget: '10000' })
    const chosen = { ...production, ESCROW: 'on', ESCROW_MAX_TARGET: '250.5' }
    expect(loadConfig(chosen)).toMatchObject({ escrow: true, escrowMaxTarget: '250.5' })
    expect(() => loadConfig({ ESCROW: 'true' })).toThrow('ESCROW')
    expect(() => loadConfig({ ESCROW_MAX_TARGET: '-1' })).toThrow('ESCROW_MAX_TARGET')
  })

  test('of production is a PUBLIC_URL without TLS', () => {
    expect(loadConfig(production).publicUrl).toBe('https://give.example')
    expect(() => loadConfig({ ...production, PUBLIC_URL: 'http://give.example' })).toThrow(
      'PUBLIC_URL must begin with https:// in production',
    )
    expect(loadConfig({ PUBLIC_URL: 'http://give.example' }).publicUrl).toBe('http://give.example')
  })

  test.each([
    ['DATABASE_URI', 'DATABASE_URL'],
    ['METRICS_PROT', 'METRICS_PORT'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['SMTP_URL_FIEL', 'SMTP_URL_FILE'],
    ['RATE_LIMIT_PER_USER', 'RATE_LIMIT_USER'],
    ['MULTISIG_TRESHOLD', 'MULTISIG_THRESHOLD'],
  ])('is %s, with the name %s that was meant', (name, meant) => {
    expect(() => loadConfig({ [name]: '1' })).toThrow(
      `Wrong setting: ${name} is not a setting: the nearest name is ${meant}.`,
    )
  })

  test.each([
    'HOME',
    'LOGNAME',
    'PUBLIC_IP',
    'DATABASE_HOST',
    'OTEL_SERVICE_NAME',
    'WEBHOOKS_SERVICE_HOST',
    'npm_config_cache',
  ])('is not %s, which belongs to others', (name) => {
    expect(() => loadConfig({ [name]: '1' })).not.toThrow()
  })

  test('is a file for a setting that may not come as one', () => {
    expect(() => loadConfig({ MAIL_FROM_FILE: '/etc/from' })).toThrow(
      'MAIL_FROM_FILE is not read: only CHAINS, DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL, SECRET, SECRET_PREVIOUS, SMTP_URL, PRICES may come as files',
    )
  })

  test('is a secret that comes as text and as a file', () => {
    const path = secretFile()
    expect(loadConfig({ SECRET_FILE: path }).secret).toBe(production.SECRET)
    expect(() => loadConfig({ SECRET: production.SECRET, SECRET_FILE: path })).toThrow(
      'SECRET and SECRET_FILE are both set: keep one',
    )
  })

  test('is an earlier value of SECRET that is its present value, or too short', () => {
    const previous = { SECRET_PREVIOUS_FILE: secretFile() }
    expect(loadConfig(previous).secretPrevious).toBe(production.SECRET)
    expect(() => loadConfig({ ...previous, SECRET: production.SECRET })).toThrow(
      'SECRET_PREVIOUS is the same as SECRET',
    )
    expect(() => loadConfig({ SECRET_PREVIOUS: 'short' })).toThrow('SECRET_PREVIOUS must have')
  })

  test('is the same port for the API and its metrics', () => {
    expect(() => loadConfig({ PORT: '4000', METRICS_PORT: '4000' })).toThrow(
      'METRICS_PORT and PORT are both 4000: they need two different ports',
    )
  })

  test.each([
    ['give.example', 'with its scheme, such as https://example.org'],
    ['localhost:5173', 'with its scheme, such as https://example.org'],
    ['https://give.example/', 'as https://give.example'],
    ['https://Give.example', 'as https://give.example'],
  ])('is the origin %s, which must be written %s', (origin, remedy) => {
    expect(() => loadConfig({ CORS_ORIGINS: `https://one.example,${origin}` })).toThrow(
      `${origin} must be written ${remedy}`,
    )
  })

  test('is not an origin as browsers send it', () => {
    const origins = ['*', 'https://give.example', 'http://localhost:5173', 'capacitor://localhost']
    expect(loadConfig({ CORS_ORIGINS: origins.join(', ') }).corsOrigins).toEqual(origins)
  })

  test.each([
    [{ ENVIRONMENT: 'prod' }, 'ENVIRONMENT must be sandbox or production'],
    [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be a number'],
    [{ METRICS_PORT: '0' }, 'METRICS_PORT must be at least 1'],
    [{ PORT: '70000' }, 'PORT must be at most 65535'],
    [{ PUBLIC_URL: 'give.example' }, 'PUBLIC_URL must be a web address'],
    [{ CHAINS: '[]' }, 'CHAINS must not be empty'],
    [{ PRICES: '{"ethusd":"1"}' }, 'PRICES.ethusd must be two units such as "ETH/USD"'],
    [{ PRICES: '{"hid3den-key":"1"}' }, 'PRICES.… must be two units such as "ETH/USD"'],
    [
      chains({ 'https://one.example/hidden': 1, rcp: [] }),
      'CHAINS.0 has unknown fields: number 4, rcp',
    ],
    [{ CHAINS: '{}' }, 'CHAINS must be a list'],
    [{ CHAINS: '[{"id":1}]' }, 'CHAINS.0.name is required; CHAINS.0.rpc is required'],
    [
      { CHAINS: '[{"id":"1","name":"one","rpc":["one:8545"]}]' },
      'CHAINS.0.id must be a number; CHAINS.0.rpc.0 must be a web address',
    ],
    [chains({ rpc: [''] }), 'CHAINS.0.rpc.0 must be a web address'],
    [chains({ public: { rpc: ['one'] } }), 'CHAINS.0.public.rpc.0 must be a web address'],
  ])('is said in plain words: %o', (environment, line) => {
    expect(() => loadConfig(environment)).toThrow(`Wrong setting: ${line}.`)
  })

  test.each([
    'Fundproof',
    'give.example',
    'Fundproof <no-reply>',
    'Fundproof no-reply@give.example',
  ])('is %s as the sender of mail, which is no address', (sender) => {
    expect(() => loadConfig({ MAIL_FROM: sender })).toThrow(
      'MAIL_FROM must be an address, such as Fundproof <no-reply@example.org>',
    )
  })

  test.each(['no-reply@give.example', 'Fundproof <no-reply@give.example>', '"A, B" <a@b.example>'])(
    'is not the sender %s',
    (sender) => {
      expect(loadConfig({ MAIL_FROM: sender }).mailFrom).toBe(sender)
    },
  )

  test('is named together with all others', () => {
    expect(() => loadConfig({ PORT: 'many', SECRET: 'short', CORS_ORIGIN: '*' })).toThrow(
      /CORS_ORIGIN is not a setting.*PORT .*SECRET must have/,
    )
  })
})

describe('a setting that is a URL', () => {
  test.each<[NodeJS.ProcessEnv, string]>([
    [chains({ rpc: ['https://one.example:443x/hidden'] }), 'CHAINS.0.rpc.0 must be a web address'],
    [chains({ rpc: ['one.example/hidden'] }), 'CHAINS.0.rpc.0 must be a web address'],
    [
      chains({ public: { rpc: ['https:// hidden'], explorer: 'hidden' } }),
      'CHAINS.0.public.rpc.0 must be a web address; CHAINS.0.public.explorer must be a web address',
    ],
    [{ DATABASE_URL: 'mysql://one:hidden@host/name' }, 'DATABASE_URL must start with postgres:'],
    [{ DATABASE_URL: 'postgres://one:hid/den@host/name' }, 'DATABASE_URL must be a URL: write'],
    [{ DATABASE_URL: 'postgres://one:12/hidden@host/name' }, 'DATABASE_URL must be a URL: write'],
    [{ DATABASE_URL: 'postgres://one:12#hidden@host/name' }, 'DATABASE_URL must be a URL: write'],
    [{ DATABASE_URL: 'postgres://one:hid@den@host/name' }, 'DATABASE_URL must be a URL: write'],
    [{ DATABASE_URL: 'postgres://one:hidden%zz@host/name' }, 'DATABASE_URL must be a URL: write'],
    [{ DATABASE_URL: 'postgres://one:hidden@host:99999/name' }, 'DATABASE_URL must name a host'],
    [{ DATABASE_URL: 'postgres://one:hidden@ho^st/name' }, 'DATABASE_URL must name a host'],
    [{ DATABASE_URL: 'postgres://one:hidden@/name?host=/tmp' }, 'DATABASE_URL must name a host'],
    [
      { DATABASE_URL: 'postgres://one:hidden@host/name?sslmode=hidden' },
      'DATABASE_URL has a wrong sslmode: use disable, allow, prefer, require, verify-ca, verify-full',
    ],
    [
      { DATABASE_URL: 'postgres://one:hidden@a,b/name?target_session_attrs=hidden' },
      'DATABASE_URL has a wrong target_session_attrs: use any, read-write',
    ],
    [{ DATABASE_URL: 'postgres://one:hidden@a,b:99999/name' }, 'DATABASE_URL must name a host'],
    [{ DATABASE_READ_URL: 'postgres://one:hidden@a/name' }, 'DATABASE_READ_URL needs DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://one:hidden@ho\0st/name' }, 'DATABASE_URL must name a host'],
    [chains({ rpc: ['http://one:hidden%zz@one.example'] }), 'CHAINS.0.rpc.0 must be a web address'],
    [{ SMTP_URL: 'smtp://one:hid/den@host' }, 'SMTP_URL must be a URL: write'],
    [{ SMTP_URL: 'smtp://' }, 'SMTP_URL must name a host'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://one:hid/den@host' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [
      { CORS_ORIGINS: 'https://one:hidden@give.example' },
      'must be written as https://give.example',
    ],
    [
      { PUBLIC_URL: 'https://give.example/path' },
      'PUBLIC_URL must be a web address without a path',
    ],
    [{ PUBLIC_URL: 'https://one:hidden@give.example' }, 'PUBLIC_URL must be a web address without'],
  ])('is refused in one line that names it and not its text: %o', (environment, line) => {
    const load = () => loadConfig(environment)
    expect(load).toThrow(StartError)
    expect(load).toThrow(`Wrong setting: `)
    expect(load).toThrow(line)
    expect(load).not.toThrow(/hid(den)?/)
  })

  test.each([
    'postgres://host',
    'postgres:///name?host=/run/postgresql',
    'postgresql://one:p%2Fss:word@[::1]:5432/name?sslmode=require',
    'postgres://one:secret@first:5432,second:5433/name?target_session_attrs=read-write',
  ])('of the database may be %s', (url) => {
    expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  test('of the site loses the slash at its end', () => {
    const { publicUrl } = loadConfig({ PUBLIC_URL: 'https://Give.example/' })
    expect(publicUrl).toBe('https://give.example')
  })
})

describe('the public facts of a chain', () => {
  const node = { id: 5, name: 'five', rpc: ['https://node.example/key'] }
  const chainOf = (chain: object) =>
    loadConfig(chains({ ...node, ...chain })).chains?.map(publicFactsOf)[0]

  test('are its name alone unless the settings say more, and never its nodes', () => {
    const watched = { pollIntervalMs: 4_000, stalledAfterMs: null }
    const facts = { id: 5, name: 'five', rpc: [], explorer: null, testnet: false, ...watched }
    expect(chainOf({})).toEqual(facts)
    const sepolia = { id: 11155111, name: 'Sepolia', testnet: true, stalledAfterMs: 3_600_000 }
    expect(chainOf({ id: 11155111 })).toEqual({ ...facts, ...sepolia })
    const named = {
      name: 'Five',
      rpc: ['https://public.example'],
      explorer: 'https://explorer.example',
      testnet: true,
    }
    expect(chainOf({ public: named })).toEqual({ id: 5, ...named, ...watched })
    const local = 'http://127.0.0.1:8545'
    expect(chainOf({ rpc: [local], public: { rpc: [local] } })).toMatchObject({ rpc: [local] })
  })

  test.each([
    [{ rpc: ['https://node.example/key'] }, 'public.rpc.0 is also in rpc'],
    [{ rpc: ['HTTPS://NODE.example/key'] }, 'public.rpc.0 is also in rpc'],
    [{ rpc: ['http://public.example'] }, 'public.rpc.0 must begin with https://'],
    [{ rpc: ['https://user:word@public.example'] }, 'public.rpc.0 must hold no password'],
    [{ explorer: 'javascript:alert(1)' }, 'public.explorer'],
    [{ quorum: 2 }, 'public'],
  ])('are refused where they are wrong: %j', (facts, message) => {
    expect(() => chainOf({ public: facts })).toThrow(message)
  })
})
