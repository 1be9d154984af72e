import { describe, expect, test } from 'vitest'
import { createCollectors } from '../../../src/domain/service/index.ts'
import { createMetricsRegistry } from '../../../src/metrics/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createSyncChainJob } from '../../../worker/jobs/sync-chain.ts'
import { expectAlerts, expectStory, hasPromtool } from '../../support/alerts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { type Fault, type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { readSeries } from '../../support/metrics-scrape.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { exactly, waitFor } from '../../support/wait-for.ts'
import { createWorld, TEST_CHAIN } from '../../support/world.ts'

const CHAIN = `chain="${TEST_CHAIN.id}"`
const CURSOR = `fundproof_chain_cursor{${CHAIN}}`
const NEVER = new AbortController().signal
const hostOf = ({ url }: FaultProxy): string => new URL(url).host

/** A worker that follows a chain by three nodes, and its metrics in the form of Prometheus. */
const setUp = async () => {
  const chain = await startTestChain()
  const start = () => startFaultProxy(chain.url)
  const nodes = [await start(), await start(), await start()] as const
  const registry = createMetricsRegistry({ cacheMs: 0, limitMs: 30_000 })
  const { ctx } = await createWorld({ metrics: registry })
  const sync = createChainSync(ctx, servedBy(...nodes.map(({ url }) => url)), {
    metrics: registry,
    cooldown: { firstMs: 1, longestMs: 5 },
  })
  for (const collector of createCollectors(ctx)) {
    if (collector.name === 'chains') registry.collect(collector)
  }
  /** Follows the chain until the metrics are as expected. */
  const scrape = (isExpected: (series: Map<string, number>) => boolean) =>
    waitFor(
      'the metrics',
      async () => {
        await syncChain(sync, NEVER)
        return registry.text()
      },
      (text) => isExpected(readSeries(text)),
    )
  const of = (name: string, node: FaultProxy) =>
    `fundproof_node_${name}{${CHAIN},node="${hostOf(node)}"}`
  const isWell = (head: number) => (series: Map<string, number>) =>
    series.get(CURSOR) === head && nodes.every((node) => series.get(of('up', node)) === 1)
  return { ctx, sync, chain, nodes, scrape, of, isWell }
}

describe.skipIf(!hasAnvil || !hasPromtool)('of three nodes', () => {
  test('two that lag behind the third make FundproofChainBehind fire', async () => {
    const { chain, nodes, scrape, of, isWell } = await setUp()
    const [first, second, third] = nodes
    const head = await chain.mine(8)
    const well = await scrape(isWell(head))
    for (const node of [first, second]) node.set({ kind: 'stale', at: head - 2 })
    const newest = await chain.mine(60)
    const lagging = await scrape((series) => series.get(of('head', third)) === newest)
    expect(readSeries(lagging).get(`fundproof_chain_head{${CHAIN}}`)).toBeLessThan(head)
    expect(readSeries(lagging).get(CURSOR)).toBe(head)
    for (const node of [first, second]) node.heal()
    const mended = await scrape(isWell(newest))
    expectStory(well, lagging, mended, [`FundproofChainBehind chain=${TEST_CHAIN.id}`])
  })

  const faults: [string, Fault, string[]][] = [
    ['refuses connections', { kind: 'drop' }, ['FundproofNodeDown']],
    [
      'gives false hashes',
      { kind: 'forged-hash' },
      ['FundproofNodeDown', 'FundproofNodeDisbelieved'],
    ],
  ]
  test.each(faults)('one that %s has its alerts until it is mended', async (_, fault, alerts) => {
    const { chain, nodes, scrape, of, isWell } = await setUp()
    const [first] = nodes
    const well = await scrape(isWell(await chain.mine(3)))
    first.set(fault)
    await chain.mine(3)
    const faulty = await scrape((series) => series.get(of('up', first)) === 0)
    first.heal()
    const mended = await scrape(isWell(await chain.mine(3)))
    const labels = `chain=${TEST_CHAIN.id} node=${hostOf(first)}`
    expectStory(
      well,
      faulty,
      mended,
      alerts.map((alert) => `${alert} ${labels}`),
    )
  })
})

test.skipIf(!hasPromtool)('FundproofChainBehind also fires for a chain with one node', () => {
  // A chain with one node has no metric fundproof_node_head.
  const behind = {
    'fundproof_collector_up{collector="chains"}': '1x20',
    [`fundproof_chain_head{${CHAIN}}`]: '100x20',
    [CURSOR]: '49x20',
  }
  expectAlerts(behind, [{ at: 15, alerts: [`FundproofChainBehind chain=${TEST_CHAIN.id}`] }])
})

test.skipIf(!hasAnvil)('a worker without the lease notices a node that lags', async () => {
  const { ctx, sync, chain, nodes, of } = await setUp()
  nodes[0].set({ kind: 'stale', at: await chain.mine(3) })
  await chain.call('anvil_mine', ['0x6', '0x20'])
  await syncChain(sync, NEVER)
  const registry = createMetricsRegistry()
  const idle = createChainSync(
    { ...ctx, metrics: registry },
    servedBy(...nodes.map(({ url }) => url)),
    { metrics: registry },
  )
  await createSyncChainJob(idle).run()
  await waitFor(
    'the state of the node',
    async () => readSeries(await registry.text()).get(of('up', nodes[0])),
    exactly(0),
  )
})

test.skipIf(!hasAnvil)('a worker without the lease reports no unproven escrows', async () => {
  const { ctx, sync, chain } = await setUp()
  await chain.mine(3)
  await syncChain(sync, NEVER)
  const metrics = createTestMetrics()
  const labels = { chain: TEST_CHAIN.id }
  metrics.gauge('fundproof_escrows_unproven', labels, 1)
  const idle = { ...sync, ctx: { ...ctx, metrics }, owner: '0190a000-0000-7000-8000-000000000000' }
  expect(await syncChain(idle, NEVER)).toBe('elsewhere')
  expect(metrics.value('fundproof_escrows_unproven', labels)).toBe(0)
})
