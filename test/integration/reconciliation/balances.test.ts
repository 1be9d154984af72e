import { describe, expect, test } from 'vitest'
import { ETH_ASSET } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deploy, ETHER } from '../chain/support/payments.ts'
import { createReconciledWorld, type ReconciledWorld } from './support/world.ts'

const PAID = 3n * 10n ** 15n

const withoutTraces = ({ node }: ReconciledWorld): void => {
  node.alter = (method, _params, result) => {
    if (method.startsWith('debug_') || method.startsWith('trace_')) throw new Error('no traces')
    return result
  }
}

describe.skipIf(!hasAnvil)('balances of campaign accounts', () => {
  for (const traces of [true, false]) {
    test(`a payment by a call that was not seen is found by the balance in its very block, ${traces ? 'and recovered by its trace' : 'and is an open difference where no node has traces'}`, async () => {
      const setup = await createReconciledWorld()
      const { chain, account, campaignId } = setup
      if (!traces) withoutTraces(setup)
      const router = await deploy(chain, 'router')
      await setup.mineAndReconcile(5)
      await chain.mine(37)
      await router.call(1, 'forward', [account], PAID)
      const at = await chain.mine(1)
      await chain.mine(25)
      await setup.followBlindly()
      // Removes the transfer that another job may have found by the balance.
      await setup.ctx.sql`delete from chain_transfer`
      await setup.reconcile()
      const found = await setup.differences()
      if (traces) {
        expect(found).toEqual([])
        expect(await setup.transfers()).toEqual([
          { source: 'trace', amount: PAID.toString(), blockNumber: at },
        ])
      } else {
        expect(found).toMatchObject([
          {
            kind: 'balance',
            campaignId,
            account,
            assetId: ETH_ASSET,
            blockNumber: at,
            firstBlock: at,
            expected: '0',
            actual: PAID.toString(),
            resolvedAt: null,
          },
        ])
        expect(await setup.transfers()).toEqual([])
      }
      // The comparison continues from this block, so the difference is reported once.
      await chain.send(await chain.signEther(2, account, '0.5'))
      await setup.mineAndFollow(10)
      await setup.reconcile()
      expect(await setup.differences()).toHaveLength(found.length)
      expect(await setup.events()).toHaveLength(found.length)

      // When a node has traces, the payment is recovered and the difference is resolved.
      setup.node.alter = undefined
      await setup.mineAndReconcile(3)
      expect((await setup.differences()).every(({ resolvedAt }) => resolvedAt)).toBe(true)
      expect(await setup.transfers()).toMatchObject([{ source: 'trace' }, { source: 'value' }])
      await setup.follow()
      await setup.reconcile()
      const [sum] = await setup.ctx.sql`
        select sum(amount)::text from ledger_entry where kind = 'deposit'`
      expect(sum).toEqual({ sum: (PAID + ETHER / 2n).toString() })
    })
  }

  test('several changes of one balance are separate differences, block by block', async () => {
    const setup = await createReconciledWorld()
    const { chain, account } = setup
    withoutTraces(setup)
    const router = await deploy(chain, 'router')
    const blocks: number[] = []
    for (const wei of [5n, 7n, 11n]) {
      await router.call(1, 'forward', [account], wei)
      blocks.push(await chain.mine(1))
      await chain.mine(13)
    }
    await setup.followBlindly()
    await setup.ctx.sql`delete from chain_transfer`
    await setup.reconcile()
    const found = await setup.differences()
    expect(found.map((one) => one.blockNumber).sort((a, b) => a - b)).toEqual(blocks)
    const gaps = found.map((one) => BigInt(one.actual) - BigInt(one.expected))
    expect(gaps.sort((a, b) => Number(a - b))).toEqual([5n, 7n, 11n])
  })

  test('an account that spends its money and pays for gas adds up', async () => {
    const chain = await startTestChain()
    const spender = chain.addressOf(6)
    const setup = await createReconciledWorld({ chain, account: spender })
    await setup.follow()
    await chain.send(await chain.signToken(1, spender, 8_000_000n))
    await chain.mine(2)
    await chain.send(await chain.signToken(6, chain.addressOf(1), 3_000_000n))
    await chain.send(await chain.signEther(6, chain.addressOf(2), '1.25'))
    // A payment to itself, a failed transaction that costs gas, and one with a gas price of the fee
    // market.
    await chain.send(await chain.signEther(6, spender, '2'))
    await chain.send(await chain.signToken(6, chain.addressOf(1), 10n ** 30n))
    await chain.send(await chain.sign(6, { data: '0x00', value: 10n ** 9n }))
    await setup.mineAndReconcile(5)
    expect(await setup.differences()).toEqual([])
    expect(await setup.transfers()).toHaveLength(1)
  })

  test('a contract that pays out by its own code adds up by its traces, and is bounded without them', async () => {
    for (const traces of [true, false]) {
      const chain = await startTestChain()
      const safe = await deploy(chain, 'safe', [chain.addressOf(3)])
      const setup = await createReconciledWorld({ chain, account: safe.address })
      if (!traces) withoutTraces(setup)
      await setup.mineAndFollow(4)
      await chain.send(await chain.signEther(2, safe.address, '0.5'))
      await setup.mineAndFollow(2)
      await safe.call(3, 'execTransaction', [chain.addressOf(7), ETHER / 4n, '0x'])
      await setup.mineAndReconcile(5)
      expect(await setup.differences()).toEqual([])
    }
  })

  test('a node without old states leaves balances out, and everything else is compared', async () => {
    const setup = await createReconciledWorld()
    const { chain, account, node } = setup
    node.alter = (method, _params, result) => {
      if (method === 'eth_getProof' || method === 'eth_call') throw new Error('missing trie node')
      return result
    }
    await chain.send(await chain.signToken(1, account, 5_000_000n))
    await chain.mine(5)
    await setup.followBlindly()
    await setup.reconcile()
    expect(await setup.run()).toMatchObject({ status: 'finished', recovered: 1 })
    expect(await setup.differences()).toEqual([])
  })

  test('a node that lies about a balance is not believed', async () => {
    const setup = await createReconciledWorld()
    const { node } = setup
    node.alter = (method, _params, result) =>
      method === 'eth_getProof'
        ? { ...(result as object), balance: '0xffff', accountProof: ['0xc0'] }
        : result
    await setup.mineAndFollow(5)
    await expect(setup.reconcile()).rejects.toMatchObject({ code: 'state_forged' })
    expect(await setup.differences()).toEqual([])
  })
})
