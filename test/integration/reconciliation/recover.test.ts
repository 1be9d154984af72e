import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { deploy, ETHER } from '../chain/support/payments.ts'
import { createReconciledWorld } from './support/world.ts'

describe.skipIf(!hasAnvil)('what the follower never saw', () => {
  test('a token transfer and a native one that a blind follower missed are recovered, and credited once', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, ctx } = setup
    await setup.followBlindly()
    const token = await chain.send(await chain.signToken(1, account, 5_000_000n))
    const ether = await chain.send(await chain.signEther(2, account, '0.001'))
    await chain.mine(5)
    await setup.followBlindly()
    await setup.record(token, '5')
    await setup.record(ether, '0.001', 'ETH')
    expect(await setup.transfers()).toEqual([])
    expect(await setup.raised()).toBe('0')

    await setup.reconcile()
    expect(await setup.run()).toMatchObject({ status: 'finished', transfers: 2, recovered: 2 })
    await setup.follow()
    expect(await setup.raised()).toBe('7500000')
    const statuses = await ctx.sql`select status from donation`
    expect(statuses).toEqual([{ status: 'completed' }, { status: 'completed' }])

    await setup.mineAndReconcile(3)
    await setup.follow()
    expect(await setup.raised()).toBe('7500000')
    expect(await setup.transfers()).toHaveLength(2)
    expect(await setup.run()).toMatchObject({ recovered: 2 })
    expect(await setup.differences()).toEqual([])
    expect((await checkLedger(ctx.pool)).differences).toEqual([])
  })

  test('a missed transfer without a donation becomes a deposit of the campaign', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, ctx, campaignId } = setup
    await setup.followBlindly()
    await chain.send(await chain.signToken(1, account, 5_000_000n))
    await chain.mine(5)
    await setup.followBlindly()
    await setup.reconcile()
    await setup.follow()
    const entries = await ctx.sql`select kind, campaign_id, amount::text from ledger_entry`
    expect(entries).toEqual([{ kind: 'deposit', campaignId, amount: '5000000' }])
    await setup.reconcile()
    expect(await setup.differences()).toEqual([])
  })

  test('a transfer that was deleted from the database comes back', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, ctx } = setup
    await setup.follow()
    await chain.send(await chain.signToken(1, account, 5_000_000n))
    await setup.mineAndFollow(2)
    expect(await setup.transfers()).toHaveLength(1)
    await ctx.sql`delete from chain_transfer`
    await setup.mineAndReconcile(3)
    expect(await setup.transfers()).toMatchObject([{ source: 'log', amount: '5000000' }])
  })

  test('a payment by calls whose final block a reorg removed is recovered in its new block', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, ctx } = setup
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    await setup.follow()
    const paid = await safe.call(1, 'execTransaction', [account, 7n, '0x'])
    await setup.mineAndReconcile(5)
    await setup.follow()
    expect(await setup.transfers()).toMatchObject([{ source: 'trace', amount: '7' }])
    await chain.reorg(5)
    await setup.follow()
    expect(await setup.transfers()).toEqual([])
    await chain.send(paid)
    const blockNumber = (await chain.mine(5)) - 4
    await setup.follow()
    await setup.reconcile()
    await setup.follow()
    expect(await setup.transfers()).toEqual([{ source: 'trace', amount: '7', blockNumber }])
    expect(await setup.differences()).toEqual([])
    expect((await checkLedger(ctx.pool)).differences).toEqual([])
  })

  test('what an account received before its first campaign is not the campaign’s', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, ctx } = setup
    await ctx.sql`update campaign set created_at = now() + interval '1 day'`
    await setup.follow()
    await chain.send(await chain.signToken(1, account, 5_000_000n))
    await chain.mine(5)
    await setup.followBlindly()
    await setup.reconcile()
    expect(await setup.transfers()).toEqual([])
    expect(await setup.differences()).toEqual([])
  })

  test('what an account received between its draft and the opening is recovered as a deposit', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, ctx, campaignId } = setup
    await setup.followBlindly()
    await chain.send(await chain.signToken(1, account, 5_000_000n))
    await chain.mine(5)
    await setup.followBlindly()
    await ctx.sql`update campaign set created_at = now(), opened_at = now() + interval '1 day'`
    await setup.reconcile()
    await setup.follow()
    const entries = await ctx.sql`select kind, campaign_id, amount::text from ledger_entry`
    expect(entries).toEqual([{ kind: 'deposit', campaignId, amount: '5000000' }])
    expect(await setup.differences()).toEqual([])
    expect((await checkLedger(ctx.pool)).differences).toEqual([])
  })

  test('a node that hides a log contradicts the block’s receipts root, and nothing is compared', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, node } = setup
    await setup.followBlindly()
    await chain.send(await chain.signToken(1, account, 5_000_000n))
    await chain.mine(5)
    await setup.followBlindly()
    node.alter = (method, _params, result) => {
      if (method !== 'eth_getBlockReceipts' || !Array.isArray(result)) return result
      return result.map((receipt: Record<string, unknown>) => ({ ...receipt, logs: [] }))
    }
    await expect(setup.reconcile()).rejects.toMatchObject({ code: 'receipts_forged' })
    node.alter = (method, _params, result) =>
      method === 'eth_getBlockReceipts' && Array.isArray(result) ? [] : result
    await expect(setup.reconcile()).rejects.toMatchObject({ code: 'receipts_forged' })
    const run = await setup.run()
    expect(run.nextBlock).toBe(run.fromBlock)

    node.alter = (method, _params, result) =>
      method === 'eth_getBlockByNumber' && typeof result === 'object' && result !== null
        ? { ...result, logsBloom: `0x${'00'.repeat(256)}` }
        : result
    await expect(setup.reconcile()).rejects.toMatchObject({ code: 'header_forged' })
    node.alter = (method, _params, result) =>
      method === 'eth_getBlockByHash' && typeof result === 'object' && result !== null
        ? { ...result, transactions: [] }
        : result
    await expect(setup.reconcile()).rejects.toMatchObject({ code: 'transactions_forged' })

    node.alter = undefined
    await setup.reconcile()
    expect(await setup.run()).toMatchObject({ status: 'finished', recovered: 1 })
    expect(await setup.differences()).toEqual([])
  })
})
