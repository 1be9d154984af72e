import { DEV_TOKEN_ADDRESS } from '../../src/local/dev-token.ts'
import { startAnvil } from '../settle/anvil.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { type NodeProcess, startNode } from '../support/node-process.ts'
import type { Options } from '../support/options.ts'
import type { BenchServer } from '../support/server.ts'
import { median } from '../support/statistics.ts'
import { BENCH_CHAIN, createCampaigns, createDonor, openWorld } from '../support/world.ts'
import type { CeilingJob } from './ceiling.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { POOL, signIn, startApi, startWorker } from './services.ts'

/** A time window in which one server is under load. */
export type Window = {
  requestsPerS: number
  p50Ms: number
  p99Ms: number
  errors: Record<string, number>
  /**
   * The processor time of the server and of the load generator, or null if the system does not
   * report it.
   */
  serverCpuUs: number | null
  loadCpuUs: number
}

export type RecordResult = {
  ceiling: Window[]
  api: Window[]
  apiWithWorker: Window[]
  ceilingWithWorker: Window[]
  /**
   * Requests a second divided by those of the ceiling's window just before: the median of all
   * pairs.
   */
  ratio: number
  ratioWithWorker: number
}

const DONORS = 8
const WARM_UP_S = 3

/**
 * Measures recording over a socket against its ceiling, in turn and on one database, so that both
 * use the same table and disk at about the same time. Repeats the measurement while a worker runs.
 */
export const benchRecord = async (
  server: BenchServer,
  cleanup: Cleanup,
  options: Options,
): Promise<RecordResult> => {
  const database = await server.createDatabase()
  const world = await openWorld(database.url)
  cleanup.add(() => world.close())
  const creator = await createDonor(world.ctx)
  const campaignIds = await createCampaigns(world.ctx, creator, options.campaigns)
  const api = await startApi(server, cleanup, database.url)
  const tokens: string[] = []
  for (let index = 0; index < DONORS; index++) {
    const verify = (email: string) =>
      world.ctx.sql`update app_user set email_verified_at = now() where email = ${email}`
    tokens.push(await signIn(api.origin, `donor${index}`, verify))
  }
  const ceiling = await startCeiling(server, cleanup, {
    databaseUrl: database.url,
    pool: POOL,
    userId: creator.userId,
    chainId: BENCH_CHAIN.id,
    assetId: `eip155:${BENCH_CHAIN.id}/erc20:${DEV_TOKEN_ADDRESS}`,
  })
  const load = startNode(server, cleanup, { script: 'bench/record/load.ts', talks: true })
  const window = async (
    target: { process: NodeProcess; origin: string; path: string },
    seconds: number,
  ): Promise<Window> => {
    await server.checkpoint()
    const { connections } = options
    const { origin, path } = target
    const durationMs = seconds * 1_000
    const job: LoadJob = { origin, path, tokens, campaignIds, connections, durationMs }
    const before = target.process.cpuS()
    const result = (await load.ask(job)) as LoadResult
    return toWindow(result, before, target.process.cpuS())
  }
  const targets = {
    ceiling: { ...ceiling, path: '/donations' },
    api: { ...api, path: '/api/donations' },
  }
  for (const target of Object.values(targets)) await window(target, WARM_UP_S)

  const pairs = async (): Promise<Pair[]> => {
    const list: Pair[] = []
    for (let count = 0; count < options.windows; count++) {
      const ceiling = await window(targets.ceiling, options.windowS)
      list.push({ ceiling, api: await window(targets.api, options.windowS) })
    }
    return list
  }
  const alone = await pairs()
  progress('alone', alone)
  const anvil = await startAnvil(cleanup, ['--block-time=1'])
  const worker = startWorker(server, cleanup, database.url, anvil.url)
  const withWorker = await pairs()
  progress('with a worker', withWorker)
  worker.assertRunning()
  await Promise.all([worker, api.process, ceiling.process, load].map((each) => each.stop()))
  await anvil.stop()
  await world.close()
  await database.drop()
  return {
    ceiling: alone.map((pair) => pair.ceiling),
    api: alone.map((pair) => pair.api),
    apiWithWorker: withWorker.map((pair) => pair.api),
    ceilingWithWorker: withWorker.map((pair) => pair.ceiling),
    ratio: ratioOf(alone),
    ratioWithWorker: ratioOf(withWorker),
  }
}

/** Two consecutive windows, so that other load on the machine affects both. */
type Pair = { ceiling: Window; api: Window }

const ratioOf = (pairs: readonly Pair[]): number =>
  median(pairs.map(({ ceiling, api }) => api.requestsPerS / ceiling.requestsPerS))

const startCeiling = async (server: BenchServer, cleanup: Cleanup, job: CeilingJob) => {
  const started = startNode(server, cleanup, { script: 'bench/record/ceiling.ts', talks: true })
  const { port } = (await started.ask(job)) as { port: number }
  return { process: started, origin: `http://127.0.0.1:${port}` }
}

const toWindow = (result: LoadResult, before: number | null, after: number | null): Window => ({
  requestsPerS: result.requests / result.seconds,
  p50Ms: result.p50Ms,
  p99Ms: result.p99Ms,
  errors: result.errors,
  serverCpuUs:
    before === null || after === null ? null : ((after - before) / result.requests) * 1e6,
  loadCpuUs: (result.cpuS / result.requests) * 1e6,
})

const progress = (what: string, pairs: readonly Pair[]): void => {
  const ratios = pairs.map((pair) => ratioOf([pair]).toFixed(2))
  console.error(`record, ${what}: ratios ${ratios.join(' ')}`)
}
