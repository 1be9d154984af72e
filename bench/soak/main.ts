import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isUnavailable } from '../../src/db/errors.ts'
import { createEndpoint } from '../../src/domain/events/index.ts'
import { messageOf, StartError } from '../../src/kernel/errors.ts'
import type { Behaviour } from '../deliver/receivers.ts'
import { openReceivers, startReceivers } from '../deliver/site.ts'
import { environment, startApi, startWorker } from '../record/services.ts'
import { type Cleanup, createCleanup } from '../support/cleanup.ts'
import { cpuOf } from '../support/processor-time.ts'
import { BENCH_CHAIN, createCampaigns, createDonor, openWorld } from '../support/world.ts'
import { startSoakChain } from './chains.ts'
import { startPair } from './databases.ts'
import { startLoad } from './load.ts'
import { compare, runCommands, untilSettled, warningsIn } from './outcome.ts'
import {
  isAbove,
  lineOf,
  type Sample,
  slopesOf,
  slopeTable,
  startAndEnd,
  takeSample,
  type Watched,
} from './samples.ts'
import { runSchedule } from './schedule.ts'

const USAGE = `npm run soak -- [options]
  --hours 2      how long the load lasts. Below an hour, the faults come as often in all
  --rate 3       donations a second
  --viewers 20   open live parts of pages

Runs the service with two chains, reorgs, node faults, failovers of PostgreSQL and bad receivers, and
watches its memory. Exits with 1 if anything differs, if a donation is lost or doubled, or if the
memory of a process grows by more than 1 MB an hour.`

const CHAIN_IDS = [31337, 31338]
const CAMPAIGNS = 5
const WORKERS = 2
const RECEIVERS: Behaviour[] = [...Array<Behaviour>(17).fill('good'), 'slow', 'failing', 'dead']
const HOUR_S = 3_600
const SAMPLE_S = 60
const MOST_WARM_UP_S = 900
const WARM_UP_SHARE = 0.2
/** A shorter time after the warm-up says nothing about an hour. */
const LEAST_JUDGED_S = 1_200
/** The growth of a process in MB an hour above which the run has failed. */
const MOST_MB_PER_HOUR = 1

type Options = { hours: number; perS: number; viewers: number }

const main = async ({ hours, perS, viewers }: Options, cleanup: Cleanup): Promise<number> => {
  const totalS = hours * HOUR_S
  /** The time in which everything happens once that happens once an hour. */
  const hourS = Math.min(totalS, HOUR_S)
  const everyS = Math.min(SAMPLE_S, hourS / 30)
  const pair = await startPair(cleanup)
  const chains = await Promise.all(CHAIN_IDS.map((id) => startSoakChain(cleanup, id)))
  const assets = CHAIN_IDS.map((id) => ({ ...BENCH_CHAIN, id }))
  const world = await openWorld(pair.url, assets)
  cleanup.add(() => world.close())
  const { ctx } = world
  const creator = await createDonor(ctx)
  const receivers = startReceivers({ folder: pair.folder }, cleanup)
  const goodEndpoints: string[] = []
  for (const [index, origin] of (await openReceivers(receivers, RECEIVERS)).entries()) {
    const { id } = await createEndpoint({ ...ctx, actor: creator }, { url: `${origin}/hooks` })
    if (RECEIVERS[index] === 'good') goodEndpoints.push(id)
  }
  const sites = await Promise.all(
    chains.map(async (chain) => {
      const campaignIds = await createCampaigns(ctx, creator, CAMPAIGNS, chain.id)
      return { chain, campaignIds }
    }),
  )

  const watched: Watched[] = []
  const shared = {
    CHAINS: JSON.stringify(chains.map(({ config }) => config)),
    PRICES: JSON.stringify({ 'ETH/USDC': '2500' }),
    RECONCILE_EVERY_MINUTES: String(hourS / 360),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'memory.ts')}`,
    SOAK_MEMORY_EVERY_MS: String(everyS * 1_000),
  }
  const envOf = (name: string) => ({
    ...shared,
    DATA_DIR: join(pair.folder, `${name}-data`),
    SOAK_MEMORY_FILE: join(pair.folder, `${name}-memory`),
  })
  const watch = (name: string, pid: number) =>
    watched.push({ name, pid, memoryFile: join(pair.folder, `${name}-memory`) })
  const api = await startApi(pair, cleanup, pair.url, envOf('api'))
  watch('api', api.process.pid)
  const workers = Array.from({ length: WORKERS }, (_, index) => {
    const name = `worker ${index + 1}`
    const worker = startWorker(pair, cleanup, pair.url, '', envOf(name))
    watch(name, worker.pid)
    return worker
  })

  const load = await startLoad({
    ...{ origin: api.origin, sites, perS, viewers },
    verify: (email) =>
      ctx.sql`update app_user set email_verified_at = now() where email = ${email}`,
  })
  const beganMs = performance.now()
  const atS = () => (performance.now() - beganMs) / 1_000
  const schedule = runSchedule({ chains, pair, hourS, totalS })
  const samples: Sample[] = []
  const busy = new Map(watched.map(({ name, pid }) => [name, cpuOf(pid) ?? 0]))
  for (let nextS = everyS; nextS <= totalS; nextS += everyS) {
    await delay(Math.max(0, nextS - atS()) * 1_000)
    for (const half of [api.process, ...workers]) half.assertRunning()
    const facts = { atS: atS(), postgresPid: pair.pid(), donations: load.acknowledged.size }
    const sample = await takeSample(ctx.sql, watched, { ...facts, times: load.take() }).catch(
      (error: unknown) => {
        if (!isUnavailable(error)) throw error
      },
    )
    console.log(sample ? lineOf(sample) : 'PostgreSQL was away at this time.')
    if (sample) samples.push(sample)
  }
  await Promise.all([load.stop(), schedule.stop()])

  const warmUpS = Math.min(MOST_WARM_UP_S, totalS * WARM_UP_SHARE)
  const counted = samples.filter((sample) => sample.atS >= warmUpS)
  const slopes = slopesOf(counted)
  const isJudged = totalS - warmUpS >= LEAST_JUDGED_S
  console.log(`\n${startAndEnd(counted)}\n\n${slopeTable(slopes)}\n`)
  for (const { name, pid } of watched) {
    const share = ((cpuOf(pid) ?? 0) - (busy.get(name) ?? 0)) / atS()
    console.log(`${name}: ${(share * 100).toFixed(1)} % of a core`)
  }
  const left = await untilSettled(ctx.sql, chains, goodEndpoints)
  await Promise.all([api.process, ...workers].map((half) => half.stop()))
  const logs = ['src-commands-server.ts.log', 'worker-main.ts.log']
  console.log(`\n${warningsIn(logs.map((name) => join(pair.folder, name)))}\n`)
  const env = { ...environment(pair.url, ''), ...envOf('check') }
  const faults = [
    ...[...load.faults].map(([text, count]) => `${count} × ${text}`),
    ...schedule.faults,
    ...left,
    ...(await compare(ctx.sql, load.acknowledged, receivers, goodEndpoints)),
    ...(await runCommands(env, chains)),
    ...slopes
      .filter((slope) => isJudged && isAbove(slope, MOST_MB_PER_HOUR))
      .map(({ what, perHour }) => `${what}: grows by ${perHour.toFixed(1)} MB an hour`),
  ]
  for (const fault of faults) console.error(fault)
  if (!isJudged) console.log('The run was too short to judge the memory.')
  if (faults.length === 0) console.log('Nothing is lost, doubled or different.')
  return faults.length === 0 ? 0 : 1
}

/** Reads the command line. Throws StartError with a message of one line. */
const readOptions = (args: string[]): Options | 'help' => {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const options = { hours: text('2'), rate: text('3'), viewers: text('20') }
  const help = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ args, options: { ...options, help } })
  if (values.help) return 'help'
  const number = (name: keyof typeof options, least: number, most: number): number => {
    const value = Number(values[name])
    if (value >= least && value <= most) return value
    throw new StartError(`--${name} must be a number from ${least} to ${most}.`)
  }
  return {
    hours: number('hours', 0.02, 1_000),
    perS: number('rate', 0.1, 20),
    viewers: number('viewers', 0, 40),
  }
}

const cleanup = createCleanup()
try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') console.log(USAGE)
  else process.exitCode = await main(options, cleanup)
} catch (error) {
  if (!cleanup.interrupted()) console.error(error instanceof StartError ? messageOf(error) : error)
  process.exitCode = 1
} finally {
  await cleanup.run()
}
