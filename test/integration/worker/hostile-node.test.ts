import { describe, expect, test } from 'vitest'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createSyncChainJob } from '../../../worker/jobs/sync-chain.ts'
import { address } from '../../support/chain-facts.ts'
import type { Json } from '../../support/faults/fault.ts'
import { invent } from '../../support/faults/head-lies.ts'
import { NASTY } from '../../support/hostile-node.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createChainWorld } from '../support/chain-world.ts'
import { serveChain } from '../support/served-chain.ts'

const setUp = async (config: Record<string, unknown> = {}, accountIndex?: number) => {
  const chain = await startTestChain()
  const account = accountIndex === undefined ? address('campaign') : chain.addressOf(accountIndex)
  const node = await serveChain(chain)
  const world = await createChainWorld({ chain, rpc: [node.url], campaign: { account }, config })
  const signal = new AbortController()
  const follow = () => syncChain(world.sync, signal.signal)
  const record = (hash: string, from: string) => world.record({ hash, from }, { value: '1' })
  const rows = () => world.ctx.sql<{ status: string; reason: string; off: boolean }[]>`
    select status, reason, coalesce(next_check_at > now() + interval '2 seconds', false) as off
    from donation order by created_at, id`
  const due = () => world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
  return { ...world, node, follow, record, rows, due, signal }
}

describe.skipIf(!hasAnvil)('a node that is young, partial or contradictory', () => {
  test('what an account sends to itself is no donation', async () => {
    const { chain, follow, record, rows, raised, account, mineAndFollow } = await setUp({}, 1)
    await follow()
    const token = await chain.send(await chain.signToken(1, account, 5_000_000n))
    const ether = await chain.send(await chain.signEther(1, account, '1'))
    await record(token.hash, token.from)
    await record(ether.hash, ether.from)
    await mineAndFollow(3)
    expect(await raised()).toBe('0')
    expect((await rows()).map((row) => row.status)).toEqual(['failed', 'failed'])
  })

  test('a look-up that the node refuses holds up no other', async () => {
    const { chain, node, follow, record, rows, due, checks, mineAndFollow } = await setUp()
    await follow()
    const reverts = await chain.send(await chain.signToken(7, address('campaign'), 5n))
    await mineAndFollow(3)
    const refused = `0x${'ab'.repeat(32)}`
    node.alter = (method, [hash], result) => {
      if (method === 'eth_getTransactionReceipt' && hash === refused) {
        throw new RpcFault(4444, 'pruned history unavailable')
      }
      return result
    }
    await record(refused, address('donor'))
    await record(reverts.hash, reverts.from)
    await record(`0x${'cd'.repeat(32)}`, address('donor'))
    await due()
    await checks.run()
    expect(await rows()).toMatchObject([
      { status: 'pending', reason: 'node_unavailable', off: true },
      { status: 'failed', reason: 'transaction_reverted' },
      { status: 'pending', reason: 'waiting_for_transaction', off: true },
    ])
  })

  test('a donation says that no node answers, and stays due for the first that does', async () => {
    const { node, follow, record, rows, due, checks } = await setUp()
    await follow()
    await record(`0x${'cd'.repeat(32)}`, address('donor'))
    await due()
    await node.close()
    await expect(checks.run()).rejects.toMatchObject({ code: 'transport' })
    expect(await rows()).toEqual([{ status: 'pending', reason: 'node_unavailable', off: false }])
  })

  test('a claim that its block cannot prove is put off, so that others get their turn', async () => {
    const { chain, node, follow, record, rows, due, checks, mineAndFollow } = await setUp({
      proof: 'receipts-root',
    })
    node.alter = (method, _params, result) => {
      const block = result as { transactions?: ({ hash: string } | string)[] } | null
      if (!method.startsWith('eth_getBlockBy') || !block?.transactions) return result
      const transactions = block.transactions.map((one) =>
        typeof one === 'string' ? one : one.hash,
      )
      return { ...block, transactions }
    }
    await follow()
    const ether = await chain.send(await chain.signEther(1, address('campaign'), '1'))
    await mineAndFollow(3)
    await record(ether.hash, ether.from)
    await due()
    await checks.run()
    expect(await rows()).toMatchObject([{ status: 'pending', off: true }])
  })

  test('a look-up of a block that the follower has not read is put off', async () => {
    const { chain, follow, record, rows, due, checks, pay } = await setUp()
    await follow()
    const token = await pay(1, 5n)
    await record(token.hash, token.from)
    await chain.mine()
    await due()
    await checks.run()
    expect(await rows()).toMatchObject([{ status: 'pending', off: true }])
  })

  test('does not begin at block 0 because the node names no final block yet', async () => {
    const { node, follow, ctx, chain } = await setUp({ startBlock: undefined })
    await chain.mine(3)
    node.alter = (_method, [tag], result) => (tag === 'finalized' ? null : result)
    await follow().catch(() => {})
    expect(await ctx.sql`select cursor_number from chain_state`).toEqual([])
    node.alter = undefined
    await follow()
    const [oldest] = await ctx.sql`select min(number) as number from chain_block`
    expect(oldest?.number).toBe((await chain.head()) - 2)
  })

  test('begins no later than the final block, so that a start block that is replaced stops nothing', async () => {
    const probe = await setUp({ startBlock: 4 })
    expect(await probe.chain.mine(2)).toBe(4)
    await probe.follow()
    await probe.chain.reorg(1)
    const token = await probe.chain.send(await probe.chain.signToken(1, address('campaign'), 5n))
    await probe.record(token.hash, token.from)
    await probe.mineAndFollow(3)
    expect((await probe.rows()).map((row) => row.status)).toEqual(['completed'])
  })

  test.each([
    [1, 'block_missing'],
    [0, 'wrong_hash'],
    [-2, 'wrong_hash'],
  ])(
    'an invented newest block, %i above the true one, reverts nothing and fails the pass after few calls',
    async (above, code) => {
      const { node, follow, ctx, record, rows, mineAndFollow, pay } = await setUp()
      const token = await pay(1, 5n)
      await record(token.hash, token.from)
      await mineAndFollow(5)
      const cursor = () => ctx.sql`select cursor_number, cursor_hash from chain_state`
      const before = await cursor()
      node.alter = (_method, [tag], result) =>
        tag === 'latest'
          ? invent(result as Json, {
              number: `0x${(Number((result as Json).number) + above).toString(16)}`,
            })
          : result
      const asked = node.calls.length
      await expect(follow()).rejects.toMatchObject({ code, retryable: true })
      expect(node.calls.length - asked).toBeLessThan(50)
      expect(await cursor()).toEqual(before)
      node.alter = undefined
      await mineAndFollow()
      expect(await rows()).toMatchObject([{ status: 'completed' }])
    },
  )

  test('a pass that is stopped before it has caught up makes nothing final by depth', async () => {
    const { chain, follow, record, ctx, signal, mineAndFollow, pay } = await setUp({
      finality: { depth: 3 },
    })
    await follow()
    const token = await pay(1, 5n)
    await record(token.hash, token.from)
    await mineAndFollow(3)
    await chain.reorg(3)
    await chain.mine(2)
    signal.abort()
    await follow()
    const [state] = await ctx.sql`select finalized_number from chain_state`
    expect(state?.finalizedNumber).toBe(2)
  })

  test('stores the text of a node cut and without characters that a database or a terminal refuses', async () => {
    const { node, ctx, sync, follow } = await setUp()
    await follow()
    node.alter = (method, _params, result) => {
      if (!method.startsWith('eth_getBlock')) return result
      const block = result as Record<string, unknown>
      return { ...block, gasUsed: '0x1', [`${NASTY}${'f'.repeat(1_000_000)}`]: '0x' }
    }
    await expect(createSyncChainJob(sync).run()).rejects.toMatchObject({
      code: 'header_unverified',
    })
    const [state] = await ctx.sql<{ problem: string }[]>`select problem from chain_state`
    expect(state?.problem).toMatch(/^header_unverified: The header of block [\x20-\x7e]*f\.\.\.$/)
    expect(state?.problem.length).toBeLessThan(1_100)
  })

  test('is asked for its chain id again, and the answer is compared again', async () => {
    const { node, sync } = await setUp()
    await sync.client.assertChainId()
    node.alter = (method, _params, result) => (method === 'eth_chainId' ? '0x1' : result)
    await expect(sync.client.assertChainId()).rejects.toMatchObject({ code: 'wrong_chain' })
  })
})
