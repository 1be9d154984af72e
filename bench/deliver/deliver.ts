import { startAnvil } from '../settle/anvil.ts'
import type { Cleanup } from '../support/cleanup.ts'
import type { Options } from '../support/options.ts'
import type { BenchServer } from '../support/server.ts'
import { benchIsolation, type IsolationResult } from './isolation.ts'
import { startReceivers } from './site.ts'
import { benchThroughput, type ThroughputResult } from './throughput.ts'

export type DeliverResult = {
  throughput: ThroughputResult
  /** The throughput with receivers that take 10 ms, so that the network limits the rate. */
  distant: ThroughputResult
  isolation: IsolationResult
}

const ENDPOINTS = 10
const ISOLATED_ENDPOINTS = 100
const EVENTS_PER_S = 5
const WINDOW_S = 20

/**
 * Measures the rate of webhook deliveries against a bare loop, and whether four bad receivers delay
 * deliveries to others.
 */
export const benchDeliver = async (
  server: BenchServer,
  cleanup: Cleanup,
  options: Options,
): Promise<DeliverResult> => {
  const anvil = await startAnvil(cleanup, ['--block-time=1'])
  const receivers = startReceivers(server, cleanup)
  const site = { server, cleanup, anvil }
  const throughput = await benchThroughput(site, receivers, {
    events: options.events,
    endpoints: ENDPOINTS,
    receivers: 'good',
  })
  const distant = await benchThroughput(site, receivers, {
    events: Math.ceil(options.events / 2),
    endpoints: ENDPOINTS,
    receivers: 'distant',
  })
  const isolation = await benchIsolation(site, receivers, {
    endpoints: ISOLATED_ENDPOINTS,
    rounds: options.rounds,
    windowS: WINDOW_S,
    eventsPerS: EVENTS_PER_S,
  })
  await receivers.stop()
  await anvil.stop()
  return { throughput, distant, isolation }
}
