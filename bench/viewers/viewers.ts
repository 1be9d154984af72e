import { freePort } from '../../src/local/server.ts'
import { formatCount } from '../../src/pages/shared/format.ts'
import { startApi } from '../record/services.ts'
import { type PaidChain, preparePaidChain } from '../settle/chain.ts'
import { recordPaid } from '../settle/record-paid.ts'
import { check, createChainSync, settleAll } from '../settle/settle.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { type NodeProcess, startNode } from '../support/node-process.ts'
import type { Options } from '../support/options.ts'
import { memoryMbOf } from '../support/process-memory.ts'
import type { BenchServer } from '../support/server.ts'
import { median } from '../support/statistics.ts'
import { campaignAccount, openWorld } from '../support/world.ts'
import type { BrowsersJob, BrowsersResult, Seen, ViewerJob } from './browsers.ts'

/** The result of settling once while an API process runs. */
export type ViewersRun = {
  viewers: number
  donationsPerS: number
  /**
   * The memory of the API process: before the viewers, and the most. Null if the system does not
   * report it.
   */
  beforeMb: number | null
  mostMb: number | null
  /**
   * The processor time of the API process while settling, or null if the system does not report it.
   */
  apiCpuS: number | null
  seen: Seen[]
  /** The number of renderings of the page, by language. */
  rendered: Record<string, number>
  mbSent: number
}

export type ViewersResult = {
  without: ViewersRun[]
  with: ViewersRun[]
  /** The rate without viewers divided by the rate with viewers: the median of the rounds. */
  ratio: number
  faults: string[]
}

const LANGUAGES = ['en', 'de']
/** The number of viewers in each network, which is less than its limit of streams. */
const PER_NETWORK = 50
const WATCH_MS = 100
/** An update comes within a second. On a busy machine it takes longer. */
const LAST_UPDATE_MS = 30_000

/**
 * Settles the donations of one campaign, alternately without viewers and with many open pages of
 * this campaign. Each run has a new database and a new API process.
 */
export const benchViewers = async (
  server: BenchServer,
  cleanup: Cleanup,
  options: Options,
): Promise<ViewersResult> => {
  const chain = await preparePaidChain(cleanup, {
    blocks: options.blocks,
    transfersPerBlock: options.donations / options.blocks,
    recipients: [campaignAccount(0)],
  })
  const script = 'bench/viewers/browsers.ts'
  const browsers = startNode(server, cleanup, { script, talks: true })
  const result: ViewersResult = { without: [], with: [], ratio: 0, faults: [] }
  const once = (viewers: number) =>
    settleBeside({ server, cleanup, chain, browsers, viewers, faults: result.faults })
  // The first run is slower, so it does not count.
  await once(0)
  for (let round = 0; round < 2 * options.rounds; round++) {
    // The second run of a pair may be slower, so the order alternates.
    const order = round % 2 === 0 ? [0, options.viewers] : [options.viewers, 0]
    for (const viewers of order) {
      const run = await once(viewers)
      const runs = viewers === 0 ? result.without : result.with
      runs.push(run)
      console.error(`viewers, round ${round + 1}: ${JSON.stringify(run)}`)
    }
  }
  await Promise.all([chain.stop(), browsers.stop()])
  result.ratio = median(
    result.without.map(
      (run, round) => run.donationsPerS / (result.with[round]?.donationsPerS ?? 0),
    ),
  )
  return result
}

type Beside = {
  server: BenchServer
  cleanup: Cleanup
  chain: PaidChain
  browsers: NodeProcess
  viewers: number
  faults: string[]
}

const settleBeside = async (beside: Beside): Promise<ViewersRun> => {
  const { server, cleanup, chain, browsers, viewers, faults } = beside
  const database = await server.createDatabase()
  const world = await openWorld(database.url)
  cleanup.add(() => world.close())
  const { ctx } = world
  const [campaignId = ''] = await recordPaid(ctx, chain.paid, 1)
  const metricsPort = await freePort()
  const env = { METRICS_PORT: String(metricsPort) }
  const api = await startApi(server, cleanup, database.url, env)
  const memory = watchMemory(api.process.pid)
  const ask = async (job: BrowsersJob) => (await browsers.ask(job)) as BrowsersResult
  const port = Number(new URL(api.origin).port)
  const jobs = jobsOf(viewers, campaignId, chain.paid.length)
  const opened = await ask({ kind: 'open', port, viewers: jobs })
  if (opened.missing > 0) faults.push(`${opened.missing} viewers got no page`)
  const sync = createChainSync(ctx, chain.url)
  await server.checkpoint()
  const cpuS = api.process.cpuS()
  const seconds = await settleAll(ctx, sync)
  const cpuAfterS = api.process.cpuS()
  const last = await ask({ kind: 'wait', timeoutMs: LAST_UPDATE_MS })
  if (last.missing > 0) faults.push(`${last.missing} viewers were cut or did not see the last sum`)
  const rendered = await rendersOf(metricsPort)
  faults.push(...rendersTooOften(rendered, last.seen))
  faults.push(...(await check(ctx, chain.paid)))
  await ask({ kind: 'close' })
  await sync.client.close()
  await api.process.stop()
  await world.close()
  await database.drop()
  return {
    viewers,
    donationsPerS: chain.paid.length / seconds,
    ...memory.stop(),
    apiCpuS: cpuS === null || cpuAfterS === null ? null : cpuAfterS - cpuS,
    seen: last.seen,
    rendered,
    mbSent: last.bytes / 1_000_000,
  }
}

/** Makes viewers with the languages in turn, a few in each network. */
const jobsOf = (viewers: number, campaignId: string, donations: number): ViewerJob[] =>
  Array.from({ length: viewers }, (_, index) => {
    const lang = LANGUAGES[index % LANGUAGES.length] ?? 'en'
    const network = Math.floor(index / PER_NETWORK)
    return {
      path: `/c/${campaignId}/live?lang=${lang}`,
      lang,
      address: `192.0.${network >> 8}.${network & 255}`,
      last: `<dd>${formatCount(lang, donations)}</dd>`,
    }
  })

/** Reads the number of renderings by language from the metrics of the API. */
const rendersOf = async (port: number): Promise<Record<string, number>> => {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  const found = (await answer.text()).matchAll(
    /^fundproof_page_updates_rendered_total\{.*?lang="(\w+)".*?\} (\d+)$/gm,
  )
  return Object.fromEntries([...found].map(([, lang = '', count]) => [lang, Number(count)]))
}

/**
 * Lists the languages that were rendered too often. An update is rendered once for all viewers of a
 * language. A second rendering, which is not sent, is allowed if the update came between the
 * look-up and the first rendering.
 */
const rendersTooOften = (rendered: Record<string, number>, seen: readonly Seen[]): string[] =>
  seen
    .filter(({ lang, most }) => (rendered[lang] ?? 0) > 2 * most)
    .map(({ lang, most }) => `${rendered[lang]} renders in ${lang} for ${most} updates`)

const watchMemory = (pid: number) => {
  const beforeMb = memoryMbOf(pid)
  let mostMb = beforeMb
  const timer = setInterval(() => {
    const nowMb = memoryMbOf(pid)
    if (nowMb !== null) mostMb = Math.max(mostMb ?? 0, nowMb)
  }, WATCH_MS)
  return {
    stop() {
      clearInterval(timer)
      return { beforeMb, mostMb }
    },
  }
}
