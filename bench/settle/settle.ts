import { createChainClient } from '../../src/chain/index.ts'
import { ChainConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/db/context.ts'
import { checkLedger } from '../../src/domain/books/index.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { type ChainSync, syncChain } from '../../worker/chain/sync-chain.ts'
import { createWatchCache } from '../../worker/chain/watch-cache.ts'
import type { Cleanup } from '../support/cleanup.ts'
import type { Options } from '../support/options.ts'
import type { BenchServer, Statement } from '../support/server.ts'
import { median } from '../support/statistics.ts'
import { BENCH_CHAIN, campaignAccount, openWorld } from '../support/world.ts'
import { type Paid, type PaidChain, preparePaidChain } from './chain.ts'
import { recordPaid } from './record-paid.ts'

export type SettleRun = {
  donationsPerS: number
  seconds: number
  rpcCallsPerDonation: number
  statementsPerDonation: number
  /** The statements that took the most time in the database. */
  slowest: Statement[]
  /** The differences that checkLedger found. Empty if every total agrees with the ledger. */
  differences: string[]
}

export type SettleResult = {
  spread: SettleRun[]
  oneCampaign: SettleRun[]
  /** The median time on one campaign divided by the median time on many campaigns. */
  ratio: number
}

const MAX_PASSES = 20
const SLOWEST = 8

/**
 * Measures from the first block that is read to the last donation that is settled, with a real sync
 * on a real chain and a durable Postgres. Each run has a new database, with many campaigns or with
 * one.
 */
export const benchSettle = async (
  server: BenchServer,
  cleanup: Cleanup,
  options: Options,
): Promise<SettleResult> => {
  const prepare = (campaigns: number) =>
    preparePaidChain(cleanup, {
      blocks: options.blocks,
      transfersPerBlock: options.donations / options.blocks,
      recipients: Array.from({ length: campaigns }, (_, index) => campaignAccount(index)),
    })
  const spread = await prepare(options.campaigns)
  const one = await prepare(1)
  const result = { spread: [] as SettleRun[], oneCampaign: [] as SettleRun[] }
  for (let round = 0; round < options.rounds; round++) {
    result.spread.push(await settleOnce(server, cleanup, spread, options.campaigns, options))
    result.oneCampaign.push(await settleOnce(server, cleanup, one, 1, options))
    const speeds = [result.spread, result.oneCampaign].map((runs) =>
      runs.at(-1)?.donationsPerS.toFixed(0),
    )
    console.error(`settle, round ${round + 1}: spread ${speeds[0]}/s, one campaign ${speeds[1]}/s`)
  }
  await Promise.all([spread.stop(), one.stop()])
  const seconds = (runs: readonly SettleRun[]) => median(runs.map((run) => run.seconds))
  return { ...result, ratio: seconds(result.oneCampaign) / seconds(result.spread) }
}

const settleOnce = async (
  server: BenchServer,
  cleanup: Cleanup,
  chain: PaidChain,
  campaigns: number,
  options: Options,
): Promise<SettleRun> => {
  const database = await server.createDatabase()
  const world = await openWorld(database.url)
  cleanup.add(() => world.close())
  const { ctx } = world
  await recordPaid(ctx, chain.paid, campaigns)
  if (options.analyze) await server.analyze(database.url)
  const sync = createChainSync(ctx, chain.url)
  await server.checkpoint()
  await server.resetStatements()
  const seconds = await settleAll(ctx, sync)
  const statements = await server.statements(database.url)
  const { calls } = sync.client.stats()
  const differences = await check(ctx, chain.paid)
  await sync.client.close()
  await world.close()
  await database.drop()
  const { length } = chain.paid
  return {
    seconds,
    donationsPerS: length / seconds,
    rpcCallsPerDonation: calls / length,
    statementsPerDonation: statements.reduce((sum, one) => sum + one.calls, 0) / length,
    slowest: statements.slice(0, SLOWEST),
    differences,
  }
}

/** Returns the seconds from the first block that is read to the last donation that is settled. */
export const settleAll = async (ctx: Context, sync: ChainSync): Promise<number> => {
  const started = performance.now()
  const signal = new AbortController().signal
  let passes = 0
  do {
    if (passes++ >= MAX_PASSES) throw new Error('Not every donation was settled.')
    await syncChain(sync, signal)
  } while ((await waiting(ctx)) > 0)
  return (performance.now() - started) / 1_000
}

/** Makes a sync as the worker does. */
export const createChainSync = (ctx: Context, url: string): ChainSync => {
  const chain = ChainConfig.parse({ ...BENCH_CHAIN, name: 'bench', rpc: [url], startBlock: 0 })
  return {
    ctx,
    chain,
    client: createChainClient({ chain, log: ctx.log }),
    committee: null,
    watch: createWatchCache(chain),
    owner: newId(),
    leaseMs: 60_000,
  }
}

const waiting = async (ctx: Context): Promise<number> => {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*) from donation where status <> 'completed'`
  return row?.count ?? 0
}

/** Checks that the ledger adds up, and that its sum is the amount that the chain paid. */
export const check = async (ctx: Context, paid: readonly Paid[]): Promise<string[]> => {
  const { differences } = await checkLedger(ctx.pool)
  const [row] = await ctx.sql<{ raised: string; donations: string }[]>`
    select sum(raised)::text as raised, sum(donations)::text as donations from campaign_total`
  const expected = paid.reduce((sum, one) => sum + one.units, 0n)
  const found = differences.map(
    ({ what, id, stored, recomputed }) => `${what} ${id}: ${stored}, recomputed ${recomputed}`,
  )
  if (row?.raised !== String(expected)) found.push(`raised ${row?.raised}, paid ${expected}`)
  if (row?.donations !== String(paid.length)) found.push(`${row?.donations} donations counted`)
  return found
}
