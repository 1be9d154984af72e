import { describe, expect, test } from 'vitest'
import { run as check } from '../../../src/commands/check.ts'
import { withChainLease } from '../../../src/domain/blocks/index.ts'
import { CHAIN_ID } from '../../support/chain-facts.ts'
import { runCommand } from '../../support/command.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { atLeast, waitFor } from '../../support/wait-for.ts'
import { reconcile, startCommand } from './support/command.ts'
import { createReconciledWorld } from './support/world.ts'

const setUp = async () => {
  const setup = await createReconciledWorld()
  const { chain, account } = setup
  await setup.follow()
  await chain.send(await chain.signToken(1, account, 5_000_000n))
  await chain.mine(20)
  await setup.followBlindly()
  const where = { databaseUrl: setup.world.url, rpcUrl: setup.node.url }
  const final = (await chain.head()) - 2
  return {
    ...setup,
    where,
    final,
    command: (...args: string[]) => reconcile(where, args),
  }
}

describe.skipIf(!hasAnvil)('npm run reconcile', () => {
  test('recovers missed transfers and exits with 0; reports a difference and exits with 1', async () => {
    const { command, ctx, final, follow, where } = await setUp()
    const first = await command('--from', '1', '--to', String(final))
    expect(first.errors).toMatch(/100 %.*blocks\/s/)
    expect(first.out).toContain(`${final} blocks, 1 transfers, 1 recovered: everything agrees.`)
    expect(first.code).toBe(0)
    await follow()
    await ctx.sql`update campaign_total set raised = 3000000`
    const second = await command()
    expect(second.code).toBe(1)
    expect(second.out).toContain('current_amount')
    expect(second.out).toContain('0 USDC expected, 3 found')
    expect(second.out).toContain('1 open differences.')
    const checked = await runCommand(check, [], { DATABASE_URL: where.databaseUrl })
    expect(checked.out).toContain('1 open differences between chain and ledger')
  })

  test('reads tokens by headers and blooms alone when asked to', async () => {
    const { command, node, ctx } = await setUp()
    const before = node.calls.length
    node.alter = (method, _params, result) => {
      if (method === 'eth_call') throw new Error('missing trie node')
      return result
    }
    const ended = await command('--tokens-only')
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.out).not.toContain('everything agrees')
    expect(ended.out).toContain('1 recovered')
    const full = node.calls
      .slice(before)
      .filter(({ method, params }) => method === 'eth_getBlockByNumber' && params[1] === true)
    expect(full).toEqual([])
    expect((await ctx.sql`select 1 from chain_transfer`).length).toBe(1)
  })

  test('exits with 2 and names the balances that no node has, also after a resume', async () => {
    const { command, node, ctx, account, final } = await setUp()
    const lost = (method: string) => method === 'eth_call' || method === 'eth_getProof'
    node.alter = (method, _params, result) => {
      if (lost(method)) throw new RpcFault(-32000, 'missing trie node')
      return result
    }
    const ended = await command('--from', '1')
    expect(ended.out).toContain(`${final} blocks, 1 transfers, 1 recovered: all that was compared`)
    expect(ended.out).toContain('0 of 2 balances were compared')
    expect(ended.out).toContain(`balances of ${account}.`)
    expect(ended.code).toBe(2)
    node.alter = undefined
    await ctx.sql`update reconciliation_run set finished_at = null`
    const resumed = await command('--resume')
    expect(resumed.out).toContain('but some balances were not compared')
    expect(resumed.code).toBe(2)
    expect(await command()).toMatchObject({ code: 0 })
  })

  test('exits with 2 and one line where it cannot compare', async () => {
    const { command, final, node, ctx } = await setUp()
    node.alter = (method, _params, result) =>
      method === 'eth_getBlockReceipts' && Array.isArray(result) ? [] : result
    const ended = [
      await command('--to', '100000'),
      await command('--chain', '5'),
      await command('--resume'),
      (await withChainLease(ctx, CHAIN_ID, () => command()))?.result,
    ]
    expect(ended.map((one) => one?.code)).toEqual([2, 2, 2, 2])
    const lines = ended.map((one) => one?.errors)
    expect(lines[0]).toContain(`the newest final block is ${final}`)
    expect(lines[1]).toContain('Chain 5 is not configured')
    expect(lines[2]).toContain('Nothing to resume')
    expect(lines[3]).toContain('is being compared by the worker')
    const forged = await command()
    expect(forged.code).toBe(2)
    expect(forged.errors).toContain('Continue with --resume')
  })

  test('stops on Ctrl-C after the blocks in hand, and goes on with --resume', async () => {
    const { where, command, node, chain, ctx, mineAndFollow } = await setUp()
    await mineAndFollow(600)
    const release = Promise.withResolvers<void>()
    node.handler = async (method, params) => {
      // The node answers for the first window of blocks, and then waits.
      if (method === 'eth_getBlockByNumber' && Number(params[0]) > 330) await release.promise
      return chain.call(method, params)
    }
    const running = startCommand(where, [])
    await waitFor(
      'the first window',
      async () =>
        (await ctx.sql`select 1 from reconciliation_run where next_block > from_block`).length,
      atLeast(1),
    )
    running.kill('SIGINT')
    await waitFor('the signal to be heard', running.errors, (text) => text.includes('Stopping'))
    release.resolve()
    const stopped = await running.ended
    expect(stopped.code).toBe(2)
    expect(stopped.out).toContain('Continue with --resume')
    expect(await command('--resume')).toMatchObject({ code: 0 })
    expect(await ctx.sql`select status from reconciliation_run`).toEqual([{ status: 'finished' }])
  })
})
