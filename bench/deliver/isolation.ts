import { setTimeout as delay } from 'node:timers/promises'
import type { NodeProcess } from '../support/node-process.ts'
import { median, quantile } from '../support/statistics.ts'
import type { Arrival, Arrived, Behaviour, ReceiversJob } from './receivers.ts'
import { openReceivers, openSite, type SiteOptions } from './site.ts'

/** The delay of events at the good endpoints, from `created` to their arrival. */
export type IsolationRun = {
  p50Ms: number
  p99Ms: number
  deliveries: number
  workerCpuUs: number | null
}

export type IsolationResult = {
  /** The runs in which all endpoints are good. */
  without: IsolationRun[]
  /** The runs in which four endpoints are bad. */
  with: IsolationRun[]
  /** p99 with four bad endpoints divided by p99 without: the median of all pairs of runs. */
  ratio: number
  faults: string[]
}

export type IsolationOptions = {
  endpoints: number
  rounds: number
  windowS: number
  eventsPerS: number
}

const BAD: readonly Behaviour[] = ['dead', 'trickling', 'failing', 'slow']
const WARM_UP_S = 3
const DRAIN_MS = 60_000

/**
 * Sends a steady stream of events to all endpoints, while four of them refuse connections, trickle,
 * answer 500 or take 20 s. The other endpoints must not be delayed. Each run has a new database and
 * worker.
 */
export const benchIsolation = async (
  options: SiteOptions,
  receivers: NodeProcess,
  { endpoints, rounds, windowS, eventsPerS }: IsolationOptions,
): Promise<IsolationResult> => {
  const faults: string[] = []
  const good = endpoints - BAD.length
  const allGood = Array.from({ length: endpoints }, (): Behaviour => 'good')

  const run = async (behaviours: readonly Behaviour[]): Promise<IsolationRun> => {
    const site = await openSite(options, await openReceivers(receivers, behaviours))
    const expectedPerEvent = behaviours.filter((each) => each === 'good').length
    const before = site.worker.cpuS()
    const counted = new Set<string>()
    let events = 0
    const startedAt = performance.now()
    const ticks = (WARM_UP_S + windowS) * eventsPerS
    for (let tick = 0; tick < ticks; tick++) {
      const waitMs = startedAt + (tick * 1_000) / eventsPerS - performance.now()
      if (waitMs > 0) await delay(waitMs)
      for (const { id } of await site.emit(1)) {
        events++
        if (tick >= WARM_UP_S * eventsPerS) counted.add(id)
      }
    }
    const wanted = events * expectedPerEvent
    const job: ReceiversJob = { kind: 'wait', count: wanted, timeoutMs: DRAIN_MS }
    const arrived = (await receivers.ask(job)) as Arrived
    if (arrived.distinct < wanted)
      faults.push(`${wanted - arrived.distinct} deliveries are missing`)
    const after = site.worker.cpuS()
    const waits = await waitsOf(site.ctx.sql, receivers, { counted, below: good })
    await site.close()
    return {
      p50Ms: quantile(waits, 0.5),
      p99Ms: quantile(waits, 0.99),
      deliveries: waits.length,
      workerCpuUs: before === null || after === null ? null : ((after - before) / wanted) * 1e6,
    }
  }

  const result: Omit<IsolationResult, 'ratio'> = { without: [], with: [], faults }
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that a change of the machine's load affects both kinds of runs.
    const inTurn = [
      async () => result.without.push(await run(allGood)),
      async () => result.with.push(await run([...allGood.slice(0, good), ...BAD])),
    ]
    for (const each of round % 2 === 0 ? inTurn : inTurn.toReversed()) await each()
  }
  const ratios = result.with.map(
    ({ p99Ms }, index) => p99Ms / (result.without[index]?.p99Ms ?? p99Ms),
  )
  console.error(`deliver, isolation: ratios ${ratios.map((each) => each.toFixed(2)).join(' ')}`)
  return { ...result, ratio: median(ratios) }
}

type Row = { id: string; at: Date }

/** The delays at endpoints with an index below `below`, for the counted events. */
const waitsOf = async (
  sql: (strings: TemplateStringsArray) => PromiseLike<readonly unknown[]>,
  receivers: NodeProcess,
  { counted, below }: { counted: ReadonlySet<string>; below: number },
): Promise<number[]> => {
  const created = new Map<string, number>()
  for (const { id, at } of (await sql`select id, created_at as at from event`) as readonly Row[]) {
    if (counted.has(id)) created.set(id, at.getTime())
  }
  const job: ReceiversJob = { kind: 'arrivals' }
  const arrivals = (await receivers.ask(job)) as Arrival[]
  return arrivals.flatMap(({ endpoint, eventId, atMs }) => {
    const from = created.get(eventId)
    return from === undefined || endpoint >= below ? [] : [atMs - from]
  })
}
