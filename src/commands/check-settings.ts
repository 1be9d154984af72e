import { createBeaconFeed, followFeed, networkOfCommittee } from '../chain/index.ts'
import { type ChainConfig, type Config, loadConfig, namesOfSettings } from '../config/config.ts'
import { createDatabase, type Database } from '../db/client.ts'
import { assertSchema } from '../db/migrate.ts'
import { followSecret } from '../domain/account/index.ts'
import { readStore } from '../domain/blocks/index.ts'
import { openAddressFile } from '../domain/people/index.ts'
import { needsProof, readAssets } from '../domain/service/index.ts'
import { messageOf } from '../kernel/errors.ts'
import { type Asset, createAssetCatalogue } from '../kernel/money/assets.ts'
import { createLog } from '../kernel/ports/log.ts'
import { createSecretBox } from '../kernel/ports/secrets.ts'
import { createSmtpTransport } from '../mail/index.ts'
import { configuredPlaces } from './base.ts'
import { openNode } from './one-node.ts'
import { assertDatabase, configuredAssets, refuseOtherDecimals } from './start-checks.ts'

type ProvenAssets = Promise<ReadonlyMap<string, Asset>>

/** The selector of `decimals()` (ERC-20). */
const DECIMALS = '0x313ce567'

/**
 * A question about a setting, mostly to the server that the setting names. `ask` returns what the
 * server said. If an optional question gets no answer, nothing is wrong.
 */
type Question = { setting: string; isOptional?: boolean | undefined; ask(): Promise<string> }

/**
 * `npm run check-settings`: says which settings are set, and what is wrong. Makes the checks of a
 * start, and asks the database, each node and the mail server. Changes nothing. Returns the exit
 * code: 1 if something is wrong.
 */
export const run = async (_words: readonly string[], env?: NodeJS.ProcessEnv): Promise<number> => {
  const { set, unset } = namesOfSettings(env)
  console.log(`Set: ${set.join(', ') || 'nothing'}`)
  console.log(`Not set, so the defaults of README.md hold: ${unset.join(', ')}`)
  let config: Config
  try {
    config = loadConfig(env)
  } catch (error) {
    console.log(`WRONG  ${messageOf(error)}`)
    return 1
  }
  console.log(`Hash of the settings that must be equal everywhere: ${config.digest}`)
  const { databaseUrl: url, databaseDirectUrl: direct } = config
  const name = 'fundproof check-settings'
  const sql = url
    ? createDatabase({ url, direct: direct ? { url: direct } : undefined, max: 1, name })
    : undefined
  const lines = await Promise.all(questionsOf(config, sql).map(answerOf))
  await sql?.end({ timeout: 1 })
  for (const line of lines) console.log(line)
  return lines.some((line) => line.startsWith('WRONG')) ? 1 : 0
}

const answerOf = ({ setting, isOptional, ask }: Question): Promise<string> =>
  ask().then(
    (said) => `ok     ${setting}: ${said}`,
    (error: unknown) => `${isOptional ? 'note ' : 'WRONG'}  ${setting}: ${messageOf(error)}`,
  )

const questionsOf = (config: Config, sql: Database | undefined): Question[] => {
  const { chains = [], sanctionsFile, smtpUrl, mailFrom } = config
  const stored = new Map<string, Asset>()
  // If the database cannot be read, `stored` stays empty.
  const reading = sql && readAssets(sql, stored).catch(() => {})
  const proven = Promise.resolve(reading).then(() => stored)
  return [
    ...(sql
      ? [
          { setting: 'CHAINS and SECRET', ask: async () => askPlaces(config) },
          { setting: 'DATABASE_URL', ask: () => askDatabase(sql, config) },
        ]
      : []),
    ...(config.chains
      ? [{ setting: 'CHAINS and PRICES', ask: () => askAssets(config, sql, proven) }]
      : []),
    ...chains.flatMap((chain) =>
      chain.rpc.map((url, index) => ({
        setting: `CHAINS, chain ${chain.id}, node ${index + 1}`,
        isOptional: chain.retired,
        ask: () => askNode(chain, url, proven),
      })),
    ),
    ...chains.flatMap((chain) =>
      (chain.beacon ?? []).map((url, index) => ({
        setting: `CHAINS, chain ${chain.id}, beacon ${index + 1}`,
        ask: () => askBeacon(chain, url, sql),
      })),
    ),
    ...(sanctionsFile
      ? [{ setting: 'SANCTIONS_FILE', ask: async () => askFile(sanctionsFile) }]
      : []),
    ...(smtpUrl ? [{ setting: 'SMTP_URL', ask: () => askMail(smtpUrl, mailFrom) }] : []),
  ]
}

const askPlaces = (config: Config): string => {
  configuredPlaces(config)
  return 'the API and the worker have what they need.'
}

const askDatabase = async (sql: Database, { secret, secretPrevious }: Config): Promise<string> => {
  await assertSchema(sql)
  if (secret) await followSecret({ sql, secrets: createSecretBox(secret, secretPrevious) })
  const [row] = await sql<{ version: string }[]>`
    select current_setting('server_version') as version`
  return `PostgreSQL ${row?.version} answers, with the schema of this version.`
}

const askAssets = async (
  config: Config,
  sql: Database | undefined,
  proven: ProvenAssets,
): Promise<string> => {
  const assets = configuredAssets(config, config.chains ?? [])
  if (sql) await assertDatabase(sql, config, assets)
  refuseOtherDecimals(assets.all, await proven)
  return `${assets.all.length} assets, such as ${config.defaultCurrency}.`
}

const askFile = (path: string): string => {
  openAddressFile(path, createLog('silent', 'check-settings')).close()
  return 'the list can be read.'
}

const askNode = async (chain: ChainConfig, url: string, proven: ProvenAssets): Promise<string> => {
  const { id, finality } = chain
  const { host, call } = openNode(url)
  const chainId = Number(await call('eth_chainId', []))
  if (chainId !== id) throw new Error(`${host} is a node of chain ${chainId}.`)
  const tag = 'tag' in finality ? finality.tag : 'latest'
  const block = (await call('eth_getBlockByNumber', [tag, false])) as { number?: string } | null
  if (!block?.number) throw new Error(`${host} names no ${tag} block.`)
  for (const asset of createAssetCatalogue([chain], {}).all) {
    if (!needsProof(asset, await proven)) continue
    const { symbol, address, decimals, retired } = asset
    const said = await call('eth_call', [{ to: address, data: DECIMALS }, 'latest'])
    const actual = typeof said === 'string' && /^0x[0-9a-f]{64}$/i.test(said) ? Number(said) : null
    if (actual === null) {
      const remedy = retired ? ' It was never used here: remove it.' : ''
      throw new Error(`${host} finds no token ${symbol} at ${address}.${remedy}`)
    }
    if (actual !== decimals) throw new Error(`${symbol} has ${actual} decimals, not ${decimals}.`)
  }
  return `${host} answers; its ${tag} block is ${Number(block.number)}.`
}

/** Verifies what a beacon node adds to the kept messages or, without these, to the checkpoint. */
const askBeacon = async (
  chain: ChainConfig,
  url: string,
  sql: Database | undefined,
): Promise<string> => {
  const network = networkOfCommittee(chain)
  const { id, checkpoint = '' } = chain
  let store = sql ? await readStore({ sql }, id, network, checkpoint).catch(() => null) : null
  const feed = createBeaconFeed(url)
  try {
    const start = { store, checkpoint, now: () => new Date() }
    for await (const step of followFeed(network, feed, start)) store = step.store
    return `${feed.name} proves block ${store?.final?.number}, from the checkpoint on.`
  } finally {
    await feed.close()
  }
}

const askMail = async (url: string, from: string): Promise<string> => {
  const mail = createSmtpTransport({ url, from })
  try {
    await mail.verify()
    return 'the mail server answers, and accepts the login.'
  } finally {
    mail.close()
  }
}

if (import.meta.main) process.exitCode = await run([])
