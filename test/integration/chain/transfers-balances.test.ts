import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { createCheckBalancesJob } from '../../../worker/jobs/check-balances.ts'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createPaymentsWorld, deploy, ETHER, NODES, type NodeKind } from './support/payments.ts'

const CAMPAIGN = address('campaign')

/** A world in which the balances were checked once, before any payment. */
const setUp = async (kind: NodeKind, options: Parameters<typeof createPaymentsWorld>[1] = {}) => {
  const world = await createPaymentsWorld(kind, options)
  const balances = createCheckBalancesJob(world.sync)
  const check = async () => {
    await world.follow()
    await balances.run()
  }
  await world.chain.mine(3)
  await check()
  const differences = async () => [
    ...(await world.world.ctx.sql<
      { kind: string; blockNumber: number; expected: string; actual: string }[]
    >`select kind, block_number, expected::text, actual::text from ledger_difference
      where resolved_at is null`),
  ]
  const known = async () => [
    ...(await world.world.ctx.sql<{ balance: string; blockNumber: number }[]>`
      select balance::text, block_number from account_balance order by account`),
  ]
  return { ...world, check, differences, known }
}

describe.skipIf(!hasAnvil).each(NODES)('balances of campaigns, from a node with %s', (kind) => {
  test('an unclaimed payment by calls is narrowed down to its block and recorded, within one final step', async () => {
    const { chain, check, transfers, differences, known } = await setUp(kind)
    const router = await deploy(chain, 'router')
    await chain.mine(40)
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    const paid = await safe.call(1, 'execTransaction', [CAMPAIGN, 7n, '0x'])
    const block = await chain.mine()
    const direct = await chain.send(await chain.signEther(2, CAMPAIGN, '1'))
    await chain.mine(20)
    await router.call(3, 'payInVain', [CAMPAIGN], 5n)
    const head = await chain.mine(3)
    await check()
    const stored = [
      { txHash: paid.hash, position: -2, amount: '7', sender: safe.address },
      { txHash: direct.hash, position: -1, amount: `${ETHER}` },
    ]
    expect(await transfers()).toMatchObject(stored)
    expect(block).toBeLessThan(head)
    expect(await differences()).toEqual([])
    expect(await known()).toEqual([{ balance: `${ETHER + 7n}`, blockNumber: head - 2 }])
    await chain.mine()
    await check()
    expect(await transfers()).toMatchObject(stored)
  })

  test('an unclaimed payment by calls whose final block a reorg removes is recorded in its new block', async () => {
    const { chain, check, transfers, differences, known, world } = await setUp(kind)
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    const paid = await safe.call(1, 'execTransaction', [CAMPAIGN, 7n, '0x'])
    await chain.mine(5)
    await check()
    const stored = { txHash: paid.hash, position: -2, amount: '7', sender: safe.address }
    expect(await transfers()).toMatchObject([stored])
    await chain.reorg(5)
    await check()
    expect(await transfers()).toEqual([])
    await chain.send(paid)
    const head = await chain.mine(5)
    await check()
    expect(await transfers()).toMatchObject([stored])
    expect(await known()).toEqual([{ balance: '7', blockNumber: head - 2 }])
    expect(await differences()).toEqual([])
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  })

  test('an account whose nonce no number holds is compared like any other', async () => {
    const { chain, check, differences, known } = await setUp(kind)
    await chain.call('anvil_setNonce', [CAMPAIGN, `0x${(2n ** 64n - 2n).toString(16)}`])
    await chain.send(await chain.signEther(2, CAMPAIGN, '1'))
    const head = await chain.mine(4)
    await check()
    expect(await known()).toEqual([{ balance: `${ETHER}`, blockNumber: head - 2 }])
    expect(await differences()).toEqual([])
  })

  test('several payments in several blocks are all found, and booked as deposits', async () => {
    const { chain, check, transfers, world } = await setUp(kind)
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    for (const amount of [3n, 4n, 5n]) {
      await safe.call(1, 'execTransaction', [CAMPAIGN, amount, '0x'])
      await chain.mine(5)
    }
    await check()
    expect((await transfers()).map((one) => one.amount)).toEqual(['3', '4', '5'])
    const [deposited] = await world.ctx.sql<{ sum: string }[]>`
      select sum(amount)::text from ledger_entry where kind = 'deposit'`
    expect(deposited?.sum).toBe('12')
  })

  test('a rise of the balance that no transaction explains becomes one difference, and is examined once', async () => {
    const { chain, check, transfers, differences, known } = await setUp(kind)
    // The reward of a block's producer appears in no transaction, log or trace.
    await chain.call('anvil_setCoinbase', [CAMPAIGN])
    await chain.send(await chain.signEther(2, address('shop'), '1'))
    const block = await chain.mine()
    await chain.call('anvil_setCoinbase', [address('producer')])
    await chain.mine(4)
    await check()
    await chain.mine()
    await check()
    expect(await transfers()).toEqual([])
    const [balance] = await known()
    expect(BigInt(balance?.balance ?? 0)).toBeGreaterThan(0n)
    expect(await differences()).toEqual([
      { kind: 'balance', blockNumber: block, expected: '0', actual: balance?.balance },
    ])
  })

  test('money that was there before the campaign is no donation', async () => {
    const chain = await startTestChain()
    await chain.call('anvil_setBalance', [CAMPAIGN, '0x64'])
    const { check, known, transfers, differences } = await setUp(kind, { chain })
    await chain.mine(2)
    await check()
    expect(await known()).toMatchObject([{ balance: '100' }])
    expect([await transfers(), await differences()]).toEqual([[], []])
  })

  test('an account that pays out is not reported as missing money', async () => {
    const chain = await startTestChain()
    const safe = await deploy(chain, 'safe', [chain.addressOf(5)], ETHER)
    const plain = chain.addressOf(7)
    const { check, differences } = await setUp(kind, { chain, accounts: [safe.address, plain] })
    await safe.call(5, 'execTransaction', [address('shop'), 7n, '0x'])
    await chain.send(await chain.signEther(7, address('shop'), '1'))
    await chain.mine(3)
    await check()
    expect(await differences()).toEqual([])
  })
})

describe.skipIf(!hasAnvil)('balances that cannot be proven', () => {
  test('wait for a node that has the state, and lose nothing', async () => {
    const { chain, check, node, transfers, known } = await setUp('traces')
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    await safe.call(1, 'execTransaction', [CAMPAIGN, 7n, '0x'])
    await chain.mine(3)
    const before = await known()
    const healthy = node.alter
    node.alter = (method, _params, result) => {
      if (method !== 'eth_getProof') return result
      return { ...(result as object), accountProof: ['0xc0'] }
    }
    await check()
    expect(await known()).toEqual(before)
    expect(await transfers()).toEqual([])
    node.alter = healthy
    await chain.mine()
    await check()
    expect((await transfers()).map((one) => one.amount)).toEqual(['7'])
  })
})
