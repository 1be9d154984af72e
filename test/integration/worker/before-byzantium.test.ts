import { expect, onTestFinished, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { blockBeforeByzantium } from '../../support/before-byzantium.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { serveRpc } from '../../support/rpc-server.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld, TEST_CHAIN } from '../../support/world.ts'

test.skipIf(!hasAnvil)(
  'a gift by a transaction from before Byzantium fails, and no node is to blame',
  async () => {
    const account = address('campaign')
    const old = await blockBeforeByzantium(1, account)
    const chain = await startTestChain()
    await chain.mine(3)
    const node = await serveRpc((method, params) => {
      const [first] = params
      if (method === 'eth_getTransactionReceipt' && first === old.txHash) return old.receipt
      if (method === 'eth_getBlockReceipts' && first === old.hash) return [old.receipt]
      if (method === 'eth_getBlockByHash' && first === old.hash) return old.block
      if (method === 'eth_getBlockByNumber' && first === old.block.number) return old.block
      return chain.call(method, params)
    })
    onTestFinished(() => node.close())
    const world = await createWorld()
    const creator = await createUser(world.ctx)
    const campaignId = await createTestCampaign(world.ctx, { creator, account, target: '1' })
    const rpc = [node.url]
    const sync = createChainSync(world.ctx, { ...TEST_CHAIN, name: 'test', rpc, startBlock: 3 })
    await syncChain(sync, new AbortController().signal)
    await recordGift(
      world.as(await createUser(world.ctx)),
      campaignId,
      { hash: old.txHash, from: old.from },
      '1',
      'ETH',
    )
    await world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
    await createCheckDonationsJob(sync).run()
    expect(await world.ctx.sql`select status, reason from donation`).toEqual([
      { status: 'failed', reason: 'block_unsupported' },
    ])
    expect(sync.client.nodes()).toMatchObject([{ state: 'up' }])
  },
)
