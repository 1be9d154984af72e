import { describe, expect, test } from 'vitest'
import { selectors } from '../../../contracts-abi/index.ts'
import { address } from '../../support/chain-facts.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { encodeAddressAmount, hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'
import { serveChain } from '../support/served-chain.ts'

const HIGHER = 40_000_000_000n
const HIGHEST = 80_000_000_000n

const setUp = async () => {
  const chain = await startTestChain()
  const node = await serveChain(chain)
  const { checks, ...world } = await createChainWorld({ chain, rpc: [node.url] })
  await world.follow()
  /** Signs a transfer from account 1. The nonce is always 0. */
  const sign = (to: string, units: bigint, gasPrice?: bigint) => {
    const data = encodeAddressAmount(selectors.transfer, to, units)
    return chain.sign(1, { to: TOKEN, data, ...(gasPrice === undefined ? {} : { gasPrice }) }, 0)
  }
  /** Looks up every waiting donation now. */
  const check = async () => {
    await world.ctx.sql`
      update donation set next_check_at = now() - interval '1 second'
      where status = 'pending' and next_check_at is not null`
    await checks.run()
  }
  return {
    ...{ ...world, node, sign, check },
    /** Records a donation of 5 USDC whose transaction is sent but not mined. */
    give: async () => {
      const first = await chain.send(await sign(ACCOUNT, 5_000_000n))
      const id = await world.record(first)
      await check()
      return { first, id }
    },
    mine: async (blocks?: number) => {
      await world.mineAndFollow(blocks)
      await check()
    },
    cancel: () => chain.sign(1, { to: chain.addressOf(1), gasPrice: HIGHER }, 0),
  }
}

describe.skipIf(!hasAnvil)('a replaced transaction', () => {
  test('that was sped up is followed, and credited once', async () => {
    const { chain, sign, record, check, follow, read, raised, events, mine, give } = await setUp()
    const { first, id } = await give()
    const faster = await chain.send(await sign(ACCOUNT, 5_000_000n, HIGHER))
    await mine()
    expect(await read(id)).toMatchObject({
      status: 'pending',
      transaction: { txHash: first.hash, originalTxHash: null },
    })
    await mine(3)
    expect(await read(id)).toMatchObject({
      status: 'completed',
      transaction: { txHash: faster.hash, originalTxHash: first.hash, replacedBy: null },
      confirmedAmount: { value: '5' },
    })
    await check()
    await follow()
    expect(await raised()).toBe('5000000')
    expect(await events()).toEqual(['donation.completed'])
    expect(await record(first)).toBe(id)
  })

  test('that was cancelled fails when the cancellation is final, and not before', async () => {
    const { chain, cancel, read, raised, events, mine, give } = await setUp()
    const { first, id } = await give()
    const cancelled = await chain.send(await cancel())
    await mine(2)
    expect((await read(id)).status).toBe('pending')
    expect(await events()).toEqual([])
    await mine()
    expect(await read(id)).toMatchObject({
      status: 'failed',
      reason: 'transaction_replaced',
      transaction: { txHash: first.hash, originalTxHash: null, replacedBy: cancelled.hash },
    })
    expect(await events()).toEqual(['donation.failed'])
    expect(await raised()).toBe('0')
  })

  test('that gave way to a payment to another account fails and names it', async () => {
    const { chain, sign, read, mine, give } = await setUp()
    const { id } = await give()
    const other = await chain.send(await sign(address('another account'), 5_000_000n, HIGHER))
    // Mines so many blocks that the service must search for the block.
    await mine(40)
    expect(await read(id)).toMatchObject({
      status: 'failed',
      reason: 'transaction_replaced',
      transaction: { replacedBy: other.hash },
    })
  })

  test('that was replaced twice is followed to the last replacement', async () => {
    const { chain, sign, check, read, raised, mine, give } = await setUp()
    const { first, id } = await give()
    await chain.send(await sign(ACCOUNT, 5_000_000n, HIGHER))
    await check()
    const last = await chain.send(await sign(ACCOUNT, 6_000_000n, HIGHEST))
    await mine(4)
    expect(await read(id)).toMatchObject({
      status: 'completed',
      transaction: { txHash: last.hash, originalTxHash: first.hash },
      discrepancy: true,
    })
    expect(await raised()).toBe('6000000')
  })

  test('whose donor has posted both hashes is credited once', async () => {
    const { chain, sign, record, check, read, raised, events, mine } = await setUp()
    const first = await record(await chain.send(await sign(ACCOUNT, 5_000_000n)))
    await check()
    const faster = await chain.send(await sign(ACCOUNT, 5_000_000n, HIGHER))
    const second = await record(faster)
    await mine(4)
    expect(await read(second)).toMatchObject({ status: 'completed' })
    expect(await read(first)).toMatchObject({
      status: 'failed',
      reason: 'transfer_already_claimed',
      transaction: { replacedBy: faster.hash },
    })
    expect(await raised()).toBe('5000000')
    expect((await events()).toSorted()).toEqual(['donation.completed', 'donation.failed'])
  })

  test('within a reorganisation is followed on the new branch', async () => {
    const { chain, sign, check, follow, read, raised, mine, give, mineAndFollow } = await setUp()
    const { first, id } = await give()
    await mineAndFollow()
    expect((await read(id)).status).toBe('confirming')
    const faster = await sign(ACCOUNT, 5_000_000n, HIGHER)
    await chain.reorg(1, [[faster, 0]])
    await follow()
    await check()
    expect((await read(id)).status).toBe('pending')
    await mine(3)
    expect(await read(id)).toMatchObject({
      status: 'completed',
      transaction: { txHash: faster.hash, originalTxHash: first.hash },
    })
    expect(await raised()).toBe('5000000')
  })

  test('comes back with its own hash if a reorg mines it after all', async () => {
    const { chain, sign, follow, read, raised, events, mine, give, mineAndFollow } = await setUp()
    const { first, id } = await give()
    await chain.send(await sign(ACCOUNT, 5_000_000n, HIGHER))
    await mine(4)
    expect((await read(id)).status).toBe('completed')
    await chain.reorg(4, [[first, 1]])
    await follow()
    await mineAndFollow(3)
    expect(await read(id)).toMatchObject({
      status: 'completed',
      transaction: { txHash: first.hash, originalTxHash: null },
    })
    expect(await raised()).toBe('5000000')
    expect(await events()).toEqual([
      'donation.completed',
      'donation.reversed',
      'donation.completed',
    ])
  })

  test('that failed waits again where a reorganisation takes its replacement away', async () => {
    const { chain, cancel, follow, read, raised, events, mine, give } = await setUp()
    const { first, id } = await give()
    await chain.send(await cancel())
    await mine(4)
    expect((await read(id)).status).toBe('failed')
    await chain.reorg(4, [[first, 0]])
    await follow()
    expect(await read(id)).toMatchObject({
      status: 'completed',
      transaction: { txHash: first.hash, replacedBy: null },
    })
    expect(await raised()).toBe('5000000')
    expect(await events()).toEqual(['donation.failed', 'donation.reopened', 'donation.completed'])
  })

  test('costs two calls a look-up while it only waits, however long', async () => {
    const { chain, sign, record, check, follow, sync, ctx } = await setUp()
    await record(await chain.send(await sign(ACCOUNT, 5_000_000n)))
    for (let round = 0; round < 3; round++) {
      await follow()
      const before = sync.client.stats().calls
      await check()
      expect(sync.client.stats().calls - before).toBe(2)
    }
    expect(await ctx.sql`select tx_sender, tx_nonce from donation`).toMatchObject([
      { txSender: chain.addressOf(1), txNonce: 0 },
    ])
  })

  test('is not assumed because one node says that the nonce is used', async () => {
    const { node, check, read, raised, ctx, give, mineAndFollow } = await setUp()
    const { id } = await give()
    node.alter = (method, _, result) => (method === 'eth_getTransactionCount' ? '0xff' : result)
    await check()
    await check()
    expect(await read(id)).toMatchObject({
      status: 'pending',
      confirmation: { reason: 'replacement_not_found' },
    })
    node.alter = undefined
    await mineAndFollow(4)
    expect((await read(id)).status).toBe('completed')
    expect(await raised()).toBe('5000000')
    expect(await ctx.sql`select from event where type = 'donation.failed'`).toHaveLength(0)
  })

  test('that cannot be searched for, since nodes forget old state, is left to expire and says so', async () => {
    const { chain, node, cancel, check, read, events, ctx, give, mineAndFollow } = await setUp()
    const { id } = await give()
    await chain.send(await cancel())
    await mineAndFollow(20)
    let asked = 0
    node.alter = (method, _, result) => {
      if (method === 'eth_getTransactionCount' && asked++ > 0) {
        throw new RpcFault(-32000, 'missing trie node')
      }
      return result
    }
    await check()
    expect(asked).toBeGreaterThan(1)
    expect(await read(id)).toMatchObject({
      status: 'pending',
      confirmation: { reason: 'replacement_not_found' },
    })
    await ctx.sql`update donation set expires_at = now() - interval '1 second'`
    await check()
    expect(await read(id)).toMatchObject({ status: 'expired' })
    expect(await events()).toEqual([])
  })

  test('that no pool has shown expires as before', async () => {
    const { chain, sign, cancel, record, check, read, ctx, mine } = await setUp()
    const id = await record(await sign(ACCOUNT, 5_000_000n))
    await chain.send(await cancel())
    await mine(4)
    expect((await read(id)).status).toBe('pending')
    await ctx.sql`update donation set expires_at = now() - interval '1 second'`
    await check()
    expect(await read(id)).toMatchObject({ status: 'expired' })
  })
})
