import { onTestFinished } from 'vitest'
import {
  createContractReader,
  createSignatureVerifier,
  createStateReader,
} from '../../src/chain/index.ts'
import { ChainConfig, loadConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/db/client.ts'
import type { Context, WakeTopic } from '../../src/db/context.ts'
import { storeAssets } from '../../src/domain/service/index.ts'
import type { Actor } from '../../src/kernel/actor.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { type ChainAssets, createAssetCatalogue } from '../../src/kernel/money/assets.ts'
import type { PriceTable } from '../../src/kernel/money/prices.ts'
import { type Clock, systemClock } from '../../src/kernel/ports/clock.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { type Metrics, noMetrics } from '../../src/kernel/ports/metrics.ts'
import { noSanctions, type SanctionScreen } from '../../src/kernel/ports/sanctions.ts'
import { createSecretBox } from '../../src/kernel/ports/secrets.ts'
import type { SignatureVerifier } from '../../src/kernel/ports/signatures.ts'
import { noTracing } from '../../src/kernel/ports/tracing.ts'
import type { Settings } from '../../src/kernel/settings.ts'
import { leaveDatabase, takeDatabase } from './idle-databases.ts'

export const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

export const TEST_CHAIN: ChainAssets = {
  id: 31337,
  native: { symbol: 'ETH', decimals: 18 },
  tokens: [{ symbol: 'USDC', address: TOKEN, decimals: 6, escrow: true }],
}

/** A migrated database for one test, with contexts. The database is removed after the test. */
export type World = {
  url: string
  ctx: Context
  /** The same context for another actor. */
  as(actor: Actor): Context
  /** The topics that were woken up, in order. */
  wakes: WakeTopic[]
}

export type WorldOptions = {
  clock?: Clock
  chains?: readonly ChainAssets[]
  prices?: PriceTable
  settings?: Partial<Settings>
  /**
   * The node that is asked about contract wallets on chain 31337. Without it only keys can sign.
   */
  rpcUrl?: string
  sanctions?: SanctionScreen
  metrics?: Metrics
}

export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const used = await takeDatabase()
  onTestFinished(() => leaveDatabase(used))
  return { url: used.database.url, ...(await createContext(used.pool, options)) }
}

/** Makes contexts over an existing database. */
export const createContext = async (
  pool: Database,
  options: WorldOptions = {},
): Promise<Omit<World, 'url'>> => {
  const wakes: WakeTopic[] = []
  const assets = createAssetCatalogue(
    options.chains ?? [TEST_CHAIN],
    options.prices ?? { 'ETH/USDC': '2500', 'USDC/USD': '1', 'ETH/USD': '2500' },
  )
  await storeAssets(pool, assets.all)
  const ctx: Context = {
    sql: pool,
    pool,
    actor: { kind: 'system' },
    requestId: 'test-request',
    clock: options.clock ?? systemClock,
    log: createLog(process.env.TEST_LOG_LEVEL ?? 'silent', 'test'),
    wake: (topic) => wakes.push(topic),
    secrets: createSecretBox('a secret that only tests know, long enough'),
    ...createTestReaders(options.rpcUrl),
    sanctions: options.sanctions ?? noSanctions,
    metrics: options.metrics ?? noMetrics,
    tracer: noTracing,
    settings: {
      environment: 'sandbox',
      publicUrl: 'http://localhost:3000',
      listenPorts: [3000],
      assets,
      chains: [
        {
          id: 31337,
          name: 'Development chain',
          rpc: [],
          explorer: null,
          testnet: true,
          pollIntervalMs: 1_000,
          stalledAfterMs: null,
        },
      ],
      defaultCurrency: 'USDC',
      requireAccountProof: false,
      webhooksAllowLoopback: true,
      donationExpiryMs: 72 * 3_600_000,
      intentExpiryMs: 24 * 3_600_000,
      depositGraceMs: 3_600_000,
      retention: loadConfig({}).retention,
      multisigThreshold: '10000',
      multisigRequired: 2,
      escrow: true,
      escrowMaxTarget: undefined,
      blockedCountries: new Set(),
      countryHeader: undefined,
      mailIsPrinted: true,
      ...options.settings,
    },
  }
  return { ctx, as: (actor) => ({ ...ctx, actor }), wakes }
}

/** The real verifier of signatures, with the node of a test's chain. */
export const createTestVerifier = (rpcUrl?: string): SignatureVerifier =>
  createTestReaders(rpcUrl).signatures

/**
 * The real verifier of signatures and the real reader of contracts, with the node of a test's
 * chain.
 */
export const createTestReaders = (rpcUrl?: string): Pick<Context, 'signatures' | 'contracts'> => {
  const log = createLog(process.env.TEST_LOG_LEVEL ?? 'silent', 'test')
  const readers =
    rpcUrl === undefined ? [] : [createStateReader({ chain: testChainConfig(rpcUrl), log })]
  for (const reader of readers) onTestFinished(() => reader.close())
  return {
    signatures: createSignatureVerifier({ readers, log }),
    contracts: createContractReader({ readers, log }),
  }
}

export const testChainConfig = (rpcUrl: string): ChainConfig =>
  ChainConfig.parse({ id: TEST_CHAIN.id, name: 'test', rpc: [rpcUrl] })

/** The hash of a password that no test knows. */
const UNKNOWN_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$umZyNVY55fVhlXazWRxo2w$CMbSPYpi8xSfUeyKA0HjsP4mgs0+JsJ2syvWtR7SpqI'

let usernames = 0

/** Inserts a verified user directly. Other tests check the registration. */
export const createUser = async (
  ctx: Context,
  roles: string[] = [],
): Promise<Actor & { kind: 'user' }> => {
  const userId = newId()
  const name = `user${process.pid}x${usernames++}`
  await ctx.sql`
    insert into app_user (id, email, username, password_hash, roles, email_verified_at, created_at)
    values (${userId}, ${`${name}@example.org`}, ${name}, ${UNKNOWN_PASSWORD}, ${roles}, now(),
            now())`
  return { kind: 'user', userId, roles }
}

export type NewCampaign = {
  id?: string
  creator: { userId: string }
  account: string
  /** The target in whole units. Default 1000. */
  target?: string
  currency?: string
  milestones?: string[]
  createdAt?: Date
  chainId?: number
}

/** Inserts an active campaign directly. Amounts are in whole units of its currency. */
export const createTestCampaign = async (ctx: Context, input: NewCampaign): Promise<string> => {
  const id = input.id ?? newId()
  const chainId = input.chainId ?? ctx.settings.assets.chainIds[0] ?? 0
  const currency = ctx.settings.assets.bySymbol(input.currency ?? 'USDC', chainId)
  const units = (whole: string) => (BigInt(whole) * 10n ** BigInt(currency.decimals)).toString()
  const createdAt = input.createdAt ?? new Date(0)
  await ctx.sql`
    insert into campaign (id, creator_id, title, description, status, currency_id, target_amount,
                          chain_id, account, created_at, updated_at)
    values (${id}, ${input.creator.userId}, 'Wells', 'Clean water', 'active', ${currency.id},
            ${units(input.target ?? '1000')}, ${chainId}, ${input.account.toLowerCase()},
            ${createdAt}, ${createdAt})`
  await ctx.sql`insert into campaign_total (campaign_id, updated_at) values (${id}, ${createdAt})`
  let cumulative = 0n
  for (const [position, amount] of (input.milestones ?? []).entries()) {
    cumulative += BigInt(units(amount))
    await ctx.sql`
      insert into milestone (id, campaign_id, position, title, description, amount, cumulative)
      values (${newId()}, ${id}, ${position}, ${`Step ${position + 1}`}, 'A step', ${units(amount)},
              ${cumulative.toString()})`
  }
  return id
}
