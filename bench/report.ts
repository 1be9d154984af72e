import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import type { DeliverResult } from './deliver/deliver.ts'
import type { IsolationRun } from './deliver/isolation.ts'
import type { DeliverWindow, ThroughputResult } from './deliver/throughput.ts'
import { sumsOf } from './growth/bytes.ts'
import type { GrowthResult, GrowthRun } from './growth/growth.ts'
import type { RecordResult, Window } from './record/record.ts'
import type { ScanResult, ScanRun } from './scan/scan.ts'
import type { SettleResult, SettleRun } from './settle/settle.ts'
import type { StalledCase, StalledResult } from './stalled/stalled.ts'
import type { Options } from './support/options.ts'
import { median, rounded } from './support/statistics.ts'
import { table, verdict } from './support/table.ts'
import type { VerifyResult } from './verify-block.ts'
import type { ViewersResult } from './viewers/viewers.ts'

export type Results = {
  record?: RecordResult
  settle?: SettleResult
  scan?: ScanResult
  deliver?: DeliverResult
  stalled?: StalledResult
  viewers?: ViewersResult
  growth?: GrowthResult
  verify?: VerifyResult[]
}

export const TARGETS = {
  recordRatio: 0.6,
  donationsPerS: 2_000,
  rpcCallsPerDonation: 0.05,
  oneCampaignRatio: 1.3,
  scanRatio: 0.5,
  deliverRatio: 0.35,
  isolationRatio: 1.2,
  stalledMb: 300,
  cutOffS: 60,
  viewersRatio: 1.25,
  viewersMb: 300,
  growth: 1.3,
} as const

export const recordTable = (result: RecordResult): string => {
  const row = (name: string, windows: readonly Window[], ratio: number | null) => {
    const middle = (pick: (window: Window) => number | null) =>
      median(windows.map((window) => pick(window) ?? 0))
    return [
      name,
      rounded(middle((window) => window.requestsPerS)),
      ratio === null ? null : ratio.toFixed(2),
      middle((window) => window.p50Ms).toFixed(1),
      middle((window) => window.p99Ms).toFixed(1),
      rounded(middle((window) => window.serverCpuUs)),
      rounded(middle((window) => window.loadCpuUs)),
      windows.reduce((sum, window) => sum + errorsOf(window), 0),
    ]
  }
  const rows = [
    row('ceiling: bare Hono, one INSERT', result.ceiling, null),
    row('POST /api/donations', result.api, result.ratio),
    row('ceiling, a worker running', result.ceilingWithWorker, null),
    row('POST, a worker running', result.apiWithWorker, result.ratioWithWorker),
  ]
  return [
    table(
      ['Recording', 'requests/s', 'ratio', 'p50 ms', 'p99 ms', 'server us', 'load us', 'errors'],
      rows,
    ),
    `Ratio, ${TARGETS.recordRatio} or better: ${verdict(result.ratio >= TARGETS.recordRatio)}`,
  ].join('\n')
}

export const settleTable = (result: SettleResult): string => {
  const row = (name: string, runs: readonly SettleRun[], ratio: number | null) => {
    const middle = (pick: (run: SettleRun) => number) => median(runs.map(pick))
    return [
      name,
      rounded(middle((run) => run.donationsPerS)),
      middle((run) => run.rpcCallsPerDonation).toFixed(4),
      middle((run) => run.statementsPerDonation).toFixed(4),
      ratio === null ? null : ratio.toFixed(2),
      runs.some((run) => run.differences.length > 0) ? 'DIFFERS' : 'agrees',
    ]
  }
  const runs = [...result.spread, ...result.oneCampaign]
  const slowest = Math.min(
    median(result.spread.map((run) => run.donationsPerS)),
    median(result.oneCampaign.map((run) => run.donationsPerS)),
  )
  const calls = Math.max(...runs.map((run) => run.rpcCallsPerDonation))
  const head = ['Settling', 'donations/s', 'RPC calls each', 'SQL each', 'time ratio', 'ledger']
  return [
    table(head, [
      row('many campaigns', result.spread, null),
      row('one campaign', result.oneCampaign, result.ratio),
    ]),
    `${TARGETS.donationsPerS} donations/s or better: ${verdict(slowest >= TARGETS.donationsPerS)}; ` +
      `${TARGETS.rpcCallsPerDonation} RPC calls each or fewer: ${verdict(calls <= TARGETS.rpcCallsPerDonation)}; ` +
      `one campaign within ${TARGETS.oneCampaignRatio} times many: ${verdict(result.ratio <= TARGETS.oneCampaignRatio)}`,
  ].join('\n')
}

export const scanTable = (result: ScanResult): string => {
  const rows = result.cases.map(({ name, runs, ratio }) => {
    const middle = (pick: (run: ScanRun) => number) => rounded(median(runs.map(pick)))
    return [name, middle((run) => run.rawPerS), middle((run) => run.scanPerS), ratio.toFixed(2)]
  })
  // Reading full blocks is only for chains whose nodes have no proofs, so its ratio is printed but
  // has no target.
  const used = result.cases.filter(({ depth }) => depth === 'proven')
  const slowest = Math.min(...used.map(({ ratio }) => ratio))
  return [
    table(['Scanning', 'raw blocks/s', 'blocks/s', 'ratio'], rows),
    `Ratio of headers, blooms and states, ${TARGETS.scanRatio} or better: ${verdict(slowest >= TARGETS.scanRatio)}`,
  ].join('\n')
}

export const deliverTable = ({ throughput, distant, isolation }: DeliverResult): string => {
  const middle = <T>(list: readonly T[], pick: (one: T) => number | null) =>
    median(list.map((one) => pick(one) ?? 0))
  const rate = (
    name: string,
    windows: readonly DeliverWindow[],
    extra: (string | number | null)[],
  ) => [
    name,
    rounded(middle(windows, (window) => window.deliveriesPerS)),
    rounded(middle(windows, (window) => window.senderUs)),
    rounded(middle(windows, (window) => window.receiversUs)),
    ...extra,
  ]
  const wait = (name: string, runs: readonly IsolationRun[], ratio: number | null) => [
    name,
    middle(runs, (run) => run.p50Ms).toFixed(1),
    middle(runs, (run) => run.p99Ms).toFixed(1),
    rounded(middle(runs, (run) => run.workerCpuUs)),
    ratio === null ? null : ratio.toFixed(2),
  ]
  const pair = (name: string, { ceiling, service, ratio }: ThroughputResult) => {
    const database = rounded(middle(service, (window) => window.databaseUs))
    const statements = middle(service, (window) => window.statementsPerDelivery)
    return [
      rate(`${name}, a bare undici loop`, ceiling, []),
      rate(`${name}, the worker`, service, [database, statements.toFixed(4), ratio.toFixed(2)]),
    ]
  }
  return [
    table(
      ['Delivering', 'per s', 'sender us', 'receivers us', 'Postgres us', 'SQL each', 'ratio'],
      [...pair('receivers at once', throughput), ...pair('after 10 ms', distant)],
    ),
    `Ratio, ${TARGETS.deliverRatio} or better: ${verdict(throughput.ratio >= TARGETS.deliverRatio)}`,
    '',
    table(
      ['Created to received', 'p50 ms', 'p99 ms', 'worker us', 'p99 ratio'],
      [
        wait('100 good endpoints', isolation.without, null),
        wait('4 of them bad, the other 96', isolation.with, isolation.ratio),
      ],
    ),
    `p99 within ${TARGETS.isolationRatio} times: ${verdict(isolation.ratio <= TARGETS.isolationRatio)}`,
  ].join('\n')
}

/** A table with a column for each size, and the ratios to the smallest size. */
export const growthTable = (runs: GrowthResult): string => {
  const [small, ...larger] = runs
  const names = Object.keys(small?.ms ?? {})
  const ratio = (run: GrowthRun, name: string) => (run.ms[name] ?? 0) / (small?.ms[name] ?? 1)
  const rows = names.map((name) => [
    name,
    ...runs.map((run) => (run.ms[name] ?? 0).toFixed(1)),
    ...larger.map((run) => ratio(run, name).toFixed(2)),
  ])
  const worst = Math.max(
    ...larger.flatMap((run) =>
      names.filter((name) => name !== 'check').map((name) => ratio(run, name)),
    ),
  )
  return [
    table(
      [
        'Growth, in ms',
        ...runs.map(({ donations }) => `${donations}`),
        ...larger.map(() => 'ratio'),
      ],
      rows,
    ),
    `Ratio, ${TARGETS.growth} or less for all but check: ${verdict(worst <= TARGETS.growth)}`,
    ...runs.map(sizeTable),
  ].join('\n')
}

const sizeTable = ({ donations, sizes, wal }: GrowthRun): string => {
  const { stays, ends, proofs } = sumsOf(sizes)
  return table(
    [`Bytes for each of ${donations} donations`, 'index', 'bytes'],
    [
      ...sizes.map((one) => [one.table, one.index ?? '', Math.round(one.bytes)]),
      ['stays for ever', '', Math.round(stays)],
      ['is removed by retention', '', Math.round(ends)],
      ['proofs', '', Math.round(proofs)],
      ['all', '', Math.round(stays + ends + proofs)],
      ['write-ahead log', '', Math.round(wal)],
    ],
  )
}

export const stalledTable = ({ cases }: StalledResult): string => {
  const costOf = ({ beforeMb, mostMb }: StalledCase) =>
    beforeMb === null || mostMb === null ? null : rounded(mostMb - beforeMb)
  const secondsOf = (seconds: number | null) => seconds?.toFixed(1) ?? null
  const rows = cases.map((one) => [
    one.name,
    one.clients,
    one.beforeMb === null ? null : rounded(one.beforeMb),
    costOf(one),
    secondsOf(one.firstCutS),
    secondsOf(one.lastCutS),
    one.left,
  ])
  const most = Math.max(...cases.map((one) => costOf(one) ?? Number.POSITIVE_INFINITY))
  const last = Math.max(
    ...cases.map(({ left, lastCutS }) =>
      left > 0 || lastCutS === null ? Number.POSITIVE_INFINITY : lastCutS,
    ),
  )
  return [
    table(
      ['Never reading', 'clients', 'MB before', 'MB they cost', 'first cut s', 'last s', 'not cut'],
      rows,
    ),
    `Less than ${TARGETS.stalledMb} MB: ${verdict(most < TARGETS.stalledMb)}; ` +
      `cut off within ${TARGETS.cutOffS} s: ${verdict(last <= TARGETS.cutOffS)}`,
  ].join('\n')
}

/** Faults that do not depend on the machine: wrong answers, and a ledger that does not add up. */
export const faultsOf = ({ record, settle, scan, deliver, viewers }: Results): string[] => [
  ...(viewers?.faults ?? []),
  ...(deliver
    ? [...deliver.throughput.faults, ...deliver.distant.faults, ...deliver.isolation.faults]
    : []),
  ...(scan?.faults ?? []),
  ...(record ? [record.ceiling, record.api, record.ceilingWithWorker, record.apiWithWorker] : [])
    .flat()
    .filter((window) => errorsOf(window) > 0)
    .map((window) => `not every answer was a 201: ${JSON.stringify(window.errors)}`),
  ...[...(settle?.spread ?? []), ...(settle?.oneCampaign ?? [])].flatMap((run) => run.differences),
]

/** Writes all results as JSON. Returns the path relative to the repository's root. */
export const writeResults = (
  results: Results,
  options: Options,
  postgres: string | undefined,
  loadBefore: number,
): string => {
  const at = new Date().toISOString()
  const path = join('bench', 'results', `${at.replaceAll(':', '-')}.json`)
  const file = join(import.meta.dirname, '..', path)
  mkdirSync(join(file, '..'), { recursive: true })
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model,
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    loadBefore,
    postgres,
  }
  writeFileSync(
    file,
    `${JSON.stringify({ at, machine, options, targets: TARGETS, ...results }, null, 2)}\n`,
  )
  return path
}

/** Returns the load average of the last minute. Prints a warning if the machine is busy. */
export const loadBefore = (): number => {
  const [load = 0] = loadavg()
  if (load > cpus().length / 2) {
    console.error(`The machine is busy (load ${load.toFixed(1)}): only the ratios mean something.`)
  }
  return load
}

const errorsOf = (window: Window): number =>
  Object.values(window.errors).reduce((sum, count) => sum + count, 0)
