import { createHash } from 'node:crypto'
import { createSignatureVerifier } from '../../src/chain/index.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createDatabase } from '../../src/db/client.ts'
import type { Context } from '../../src/db/context.ts'
import { createCampaign } from '../../src/domain/campaigns/index.ts'
import { storeAssets } from '../../src/domain/service/index.ts'
import type { Actor } from '../../src/kernel/actor.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { type ChainAssets, createAssetCatalogue } from '../../src/kernel/money/assets.ts'
import { systemClock } from '../../src/kernel/ports/clock.ts'
import { createLog } from '../../src/kernel/ports/log.ts'
import { noMetrics } from '../../src/kernel/ports/metrics.ts'
import { noSanctions } from '../../src/kernel/ports/sanctions.ts'
import { createSecretBox } from '../../src/kernel/ports/secrets.ts'
import { noTracing } from '../../src/kernel/ports/tracing.ts'
import { DEV_CHAIN_ID } from '../../src/local/dev-chain.ts'
import { DEV_TOKEN_ADDRESS } from '../../src/local/dev-token.ts'
import { noContracts } from '../../test/support/no-contracts.ts'

export const SECRET = 'a secret that only benchmarks know, long enough'

export const BENCH_CHAIN: ChainAssets = {
  id: DEV_CHAIN_ID,
  native: { symbol: 'ETH', decimals: 18 },
  tokens: [{ symbol: 'USDC', address: DEV_TOKEN_ADDRESS, decimals: 6 }],
}

export type World = { ctx: Context; close(): Promise<void> }

/** Opens a context on a migrated database, as the worker does. No job listens to its wake-ups. */
export const openWorld = async (
  databaseUrl: string,
  chains: readonly ChainAssets[] = [BENCH_CHAIN],
): Promise<World> => {
  const pool = createDatabase({ url: databaseUrl, name: 'bench' })
  const ctx: Context = {
    sql: pool,
    pool,
    actor: { kind: 'system' },
    requestId: null,
    clock: systemClock,
    log: createLog('warn', 'bench'),
    wake: () => {},
    secrets: createSecretBox(SECRET),
    signatures: createSignatureVerifier({ readers: [], log: createLog('warn', 'bench') }),
    contracts: noContracts,
    sanctions: noSanctions,
    metrics: noMetrics,
    tracer: noTracing,
    settings: {
      environment: 'sandbox',
      publicUrl: 'http://localhost:3000',
      listenPorts: [3000],
      assets: createAssetCatalogue(chains, {}),
      chains: [],
      defaultCurrency: 'USDC',
      requireAccountProof: false,
      webhooksAllowLoopback: true,
      donationExpiryMs: 72 * 3_600_000,
      intentExpiryMs: 24 * 3_600_000,
      depositGraceMs: 3_600_000,
      retention: loadConfig({}).retention,
      multisigThreshold: '10000',
      multisigRequired: 2,
      escrow: false,
      escrowMaxTarget: undefined,
      blockedCountries: new Set(),
      countryHeader: undefined,
      mailIsPrinted: true,
    },
  }
  await storeAssets(ctx.pool, ctx.settings.assets.all)
  return { ctx, close: () => pool.end({ timeout: 1 }) }
}

/** The account of the campaign with this number, the same in every run. */
export const campaignAccount = (index: number): string =>
  `0x${createHash('sha256').update(`campaign ${index}`).digest('hex').slice(0, 40)}`

/** Creates a verified user. No part measures the registration. */
export const createDonor = async ({ sql }: Context): Promise<Actor & { kind: 'user' }> => {
  const userId = newId()
  await sql`
    insert into app_user (id, email, username, password_hash, roles, email_verified_at, created_at)
    values (${userId}, ${`${userId}@example.org`}, ${userId}, 'unusable', '{}', now(), now())`
  return { kind: 'user', userId, roles: [] }
}

const DAY_MS = 86_400_000
const MILESTONE_AMOUNTS = ['1000', '9000', '90000']

/**
 * Creates campaigns that are a day old, so that every transfer of the run counts. Returns their
 * ids.
 */
export const createCampaigns = async (
  ctx: Context,
  creator: Actor,
  count: number,
  chainId = BENCH_CHAIN.id,
): Promise<string[]> => {
  const yesterday = { ...systemClock, now: () => new Date(Date.now() - DAY_MS) }
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const campaign = await createCampaign(
      { ...ctx, actor: creator, clock: yesterday },
      {
        title: `Wells ${index}`,
        description: 'Clean water',
        targetAmount: '100000000',
        ledgerAccount: `eip155:${chainId}:${campaignAccount(index)}`,
        milestones: MILESTONE_AMOUNTS.map((amount) => ({ description: 'A step', amount })),
        status: 'active',
      },
    )
    ids.push(campaign.id)
  }
  return ids
}
