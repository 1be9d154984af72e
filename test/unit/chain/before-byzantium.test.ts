import { id } from 'ethers'
import { expect, onTestFinished, test } from 'vitest'
import { blockBeforeByzantium } from '../../support/before-byzantium.ts'
import { address } from '../../support/chain-facts.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { serveRpc } from '../../support/rpc-server.ts'
import { clientOf, codeOf } from './support.ts'

type Made = Awaited<ReturnType<typeof blockBeforeByzantium>>

/**
 * Starts one node per function. Each node shows the receipts of the same block as its function
 * says. Connects a client that believes a single node.
 */
const setUp = async (...shown: ((made: Made) => unknown)[]) => {
  const made = await blockBeforeByzantium(5, address('campaign'))
  const nodes = await Promise.all(
    shown.map((show) =>
      serveRpc((method) => {
        if (method === 'eth_chainId') return '0x1'
        return method === 'eth_getBlockReceipts' ? show(made) : made.block
      }),
    ),
  )
  for (const node of nodes) onTestFinished(() => node.close())
  const metrics = createTestMetrics()
  const urls = nodes.map((node) => node.url)
  const client = clientOf({ urls, metrics, chain: { quorum: 1 } })
  onTestFinished(() => client.close())
  const faults = (reason: string) =>
    nodes.map(({ url }) =>
      metrics.value('fundproof_node_faults_total', { chain: 1, node: new URL(url).host, reason }),
    )
  const read = async () => {
    const blocks = await client.blocks(5, 5)
    return codeOf(() => client.receipts(blocks))
  }
  return { made, nodes, client, faults, read }
}
const honest = ({ receipt }: Made) => [receipt]

test('proven receipts from before Byzantium are unsupported, and no node is to blame', async () => {
  const { client, faults, nodes, read } = await setUp(honest, honest)
  expect(await read()).toBe('unsupported')
  expect(client.nodes()).toMatchObject([{ state: 'up' }, { state: 'up' }])
  expect(faults('unsupported')).toEqual([0, 0])
  // The first node proves the receipts, so the second node is not asked.
  expect(nodes[1]?.calls).toEqual([])
})

test('a node that adds a status to such a receipt is not to blame', async () => {
  const { client, read } = await setUp(({ receipt }) => [{ ...receipt, status: '0x0' }])
  expect(await read()).toBe('unsupported')
  expect(client.nodes()).toMatchObject([{ state: 'up' }])
})

test.each<[string, (made: Made) => unknown]>([
  ['another state', ({ receipt }) => [{ ...receipt, root: id('another') }]],
  ['a status alone', ({ receipt: { root: _, ...receipt } }) => [{ ...receipt, status: '0x1' }]],
  ['neither state nor status', ({ receipt: { root: _, ...receipt } }) => [receipt]],
])(
  'a node that shows such a receipt with %s is blamed, and what the next one proves counts',
  async (_, lie) => {
    const { client, read } = await setUp(lie, honest)
    expect(await read()).toBe('unsupported')
    expect(client.nodes()).toMatchObject([{ state: 'distrusted' }, { state: 'up' }])
  },
)
