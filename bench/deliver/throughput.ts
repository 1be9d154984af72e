import { waitFor } from '../../test/support/wait-for.ts'
import type { NodeProcess } from '../support/node-process.ts'
import type { Statement } from '../support/server.ts'
import { median } from '../support/statistics.ts'
import type { CeilingJob, CeilingResult } from './ceiling.ts'
import type { Arrived, Behaviour, ReceiversJob } from './receivers.ts'
import { openReceivers, openSite, type SiteOptions, startTalking, type Target } from './site.ts'

/**
 * The result of sending the same events to the same endpoints, by the bare loop or by the service.
 */
export type DeliverWindow = {
  deliveriesPerS: number
  requests: number
  /** The processor time for each delivery, or null if the system does not report it. */
  senderUs: number | null
  receiversUs: number | null
}
export type ServiceWindow = DeliverWindow & {
  statementsPerDelivery: number
  databaseUs: number | null
}

export type ThroughputResult = {
  ceiling: DeliverWindow[]
  service: ServiceWindow[]
  /** Deliveries a second divided by those of the ceiling's window: the median of all pairs. */
  ratio: number
  slowest: Statement[]
  faults: string[]
}

export type ThroughputOptions = {
  events: number
  endpoints: number
  /** Whether the receivers answer at once, or after 10 ms. */
  receivers: 'good' | 'distant'
}

/** The default of the delivery job: the attempts in flight in one process. */
const CONCURRENCY = 64
const WINDOWS = 5
const TIMEOUT_MS = 120_000
const SLOWEST = 12

/**
 * Measures from the commit of a backlog until its last delivery has arrived: events are relayed,
 * claimed, signed, sent and recorded. Then the bare loop sends the same bodies.
 */
export const benchThroughput = async (
  options: SiteOptions,
  receivers: NodeProcess,
  { events, endpoints, receivers: behaviour }: ThroughputOptions,
): Promise<ThroughputResult> => {
  const { server, cleanup } = options
  const behaviours = Array.from({ length: endpoints }, (): Behaviour => behaviour)
  const site = await openSite(options, await openReceivers(receivers, behaviours))
  const sender = startTalking(server, cleanup, 'bench/deliver/ceiling.ts')
  const faults: string[] = []
  const all = new Map<string, Statement>()

  const used = (process: NodeProcess): Used => ({
    senderS: process.cpuS(),
    receiversS: receivers.cpuS(),
    databaseS: server.cpuS(),
  })
  const arrived = async (count: number): Promise<Arrived> => {
    const job: ReceiversJob = { kind: 'wait', count, timeoutMs: TIMEOUT_MS }
    const result = (await receivers.ask(job)) as Arrived
    if (result.distinct < count) faults.push(`${count - result.distinct} deliveries never arrived`)
    return result
  }
  const begin = async (): Promise<void> => {
    await server.checkpoint()
    const job: ReceiversJob = { kind: 'reset' }
    await receivers.ask(job)
  }
  const serviceWindow = async (count: number) => {
    await begin()
    await server.resetStatements()
    const before = used(site.worker)
    const sent = await site.emit(count)
    const startedAtMs = performance.timeOrigin + performance.now()
    const deliveries = count * endpoints
    const { requests, lastAtMs } = await arrived(deliveries)
    await waitFor(
      'every delivery to be recorded',
      async () => {
        const [row] = await site.ctx.sql`
          select exists (select from unrelayed_event)
            or exists (select from webhook_delivery where status = 'pending') as pending`
        return row?.pending === false
      },
      (recorded) => recorded,
      TIMEOUT_MS,
    )
    const statements = await server.statements(site.databaseUrl)
    for (const each of statements) add(all, each)
    const window: ServiceWindow = {
      deliveriesPerS: deliveries / ((lastAtMs - startedAtMs) / 1_000),
      requests,
      ...perDelivery(before, used(site.worker), deliveries),
      statementsPerDelivery: statements.reduce((sum, { calls }) => sum + calls, 0) / deliveries,
    }
    return { window, sent }
  }
  const ceilingWindow = async (targets: readonly Target[], sent: CeilingJob['events']) => {
    await begin()
    const before = used(sender)
    const startedAtMs = performance.timeOrigin + performance.now()
    const job: CeilingJob = { targets, events: sent, concurrency: CONCURRENCY }
    const result = (await sender.ask(job)) as CeilingResult
    const { requests, lastAtMs } = await arrived(result.sent)
    if (result.failed > 0) faults.push(`${result.failed} of the bare loop failed`)
    const { senderUs, receiversUs } = perDelivery(before, used(sender), result.sent)
    return {
      deliveriesPerS: result.sent / ((lastAtMs - startedAtMs) / 1_000),
      requests,
      senderUs,
      receiversUs,
    }
  }

  const perWindow = Math.ceil(events / WINDOWS)
  const service: ServiceWindow[] = []
  const ceiling: DeliverWindow[] = []
  const warmUp = await serviceWindow(perWindow)
  await ceilingWindow(site.targets, warmUp.sent)
  all.clear()
  for (let count = 0; count < WINDOWS; count++) {
    const { window, sent } = await serviceWindow(perWindow)
    service.push(window)
    ceiling.push(await ceilingWindow(site.targets, sent))
  }
  await sender.stop()
  await site.close()
  const ratios = service.map(
    ({ deliveriesPerS }, index) => deliveriesPerS / (ceiling[index]?.deliveriesPerS ?? 1),
  )
  console.error(
    `deliver, ${behaviour} receivers: ratios ${ratios.map((each) => each.toFixed(2)).join(' ')}`,
  )
  const slowest = [...all.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, SLOWEST)
  return { ceiling, service, ratio: median(ratios), slowest, faults }
}

const add = (all: Map<string, Statement>, { text, calls, totalMs }: Statement): void => {
  const known = all.get(text)
  all.set(text, {
    text,
    calls: calls + (known?.calls ?? 0),
    totalMs: totalMs + (known?.totalMs ?? 0),
  })
}

type Used = { senderS: number | null; receiversS: number | null; databaseS: number | null }

const perDelivery = (before: Used, after: Used, deliveries: number) => {
  const us = (name: keyof Used): number | null => {
    const [from, to] = [before[name], after[name]]
    return from === null || to === null ? null : ((to - from) / deliveries) * 1e6
  }
  return { senderUs: us('senderS'), receiversUs: us('receiversS'), databaseUs: us('databaseS') }
}
