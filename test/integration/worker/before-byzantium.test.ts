import { expect, test } from 'vitest'
import { blockBeforeByzantium } from '../../support/before-byzantium.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'
import { serveNode } from '../support/served-chain.ts'

test.skipIf(!hasAnvil)(
  'a gift by a transaction from before Byzantium fails, and no node is to blame',
  async () => {
    const old = await blockBeforeByzantium(1, ACCOUNT)
    const chain = await startTestChain()
    await chain.mine(3)
    const node = await serveNode((method, params) => {
      const [first] = params
      if (method === 'eth_getTransactionReceipt' && first === old.txHash) return old.receipt
      if (method === 'eth_getBlockReceipts' && first === old.hash) return [old.receipt]
      if (method === 'eth_getBlockByHash' && first === old.hash) return old.block
      if (method === 'eth_getBlockByNumber' && first === old.block.number) return old.block
      return chain.call(method, params)
    })
    const config = { startBlock: 3 }
    const world = await createChainWorld({
      chain,
      rpc: [node.url],
      config,
      campaign: { target: '1' },
    })
    await world.follow()
    await world.record({ hash: old.txHash, from: old.from }, { value: '1', currency: 'ETH' })
    await world.lookUp()
    expect(await world.donations()).toEqual([['failed', 'block_unsupported']])
    expect(world.sync.client.nodes()).toMatchObject([{ state: 'up' }])
  },
)
