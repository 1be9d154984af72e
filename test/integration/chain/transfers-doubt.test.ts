import { describe, expect, test } from 'vitest'
import { applyLookups } from '../../../src/domain/blocks/index.ts'
import { scanBlocks } from '../../../worker/chain/scan.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TEST_CHAIN } from '../../support/world.ts'
import { createPaymentsWorld, deploy, ETHER, encode, nodeBefore } from './support/payments.ts'

const CAMPAIGN = address('campaign')

type Frame = { calls?: object[]; to: string }
/** Adds a payment to the campaign that never happened to a trace. */
const invented = (trace: unknown, value: bigint, to = CAMPAIGN) => {
  const frame = trace as Frame
  const call = { type: 'CALL', from: frame.to, to, value: `0x${value.toString(16)}` }
  return { ...frame, calls: [...(frame.calls ?? []), call] }
}

const lookAgain = async (world: Awaited<ReturnType<typeof createPaymentsWorld>>) => {
  await world.world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
  await world.checks.run()
}
const UNPROVEN = [{ status: 'pending', reason: 'internal_payment_unproven', amount: null }]

describe.skipIf(!hasAnvil)('payments by calls that are in doubt', () => {
  test('a trace that invents a payment credits nothing: the proven balance did not rise', async () => {
    const chain = await startTestChain()
    const safe = await deploy(chain, 'safe', [chain.addressOf(5)])
    const world = await createPaymentsWorld('traces', { chain, accounts: [safe.address] })
    const { node, claim, transfers, donations, mineAndFollow } = world
    let asked = 0
    node.alter = (method, _params, result) => {
      if (method !== 'debug_traceTransaction') return result
      asked += 1
      return invented(result, 9n, safe.address)
    }
    const router = await deploy(chain, 'router')
    await claim(await router.call(1, 'payInVain', [safe.address], 9n), safe.address)
    await mineAndFollow(3)
    await lookAgain(world)
    expect(asked).toBeGreaterThan(0)
    expect([await transfers(), await donations()]).toEqual([[], UNPROVEN])
  })

  test('a trace that exaggerates or hides a payment is not believed, and fails no donation', async () => {
    const world = await createPaymentsWorld()
    const { chain, node, claim, transfers, donations, mineAndFollow } = world
    const honest = node.alter
    const router = await deploy(chain, 'router')
    const paid = await router.call(1, 'forward', [CAMPAIGN], 9n)
    await claim(paid, CAMPAIGN)
    node.alter = (method, _params, result) =>
      method === 'debug_traceTransaction' ? invented(result, 1n) : result
    await mineAndFollow(3)
    expect(await transfers()).toEqual([])
    await lookAgain(world)
    expect(await donations()).toEqual(UNPROVEN)
    node.alter = (method, _params, result) =>
      method === 'debug_traceTransaction' ? { ...(result as Frame), calls: [] } : result
    await lookAgain(world)
    expect([await transfers(), await donations()]).toEqual([[], UNPROVEN])
    node.alter = honest
    await lookAgain(world)
    expect(await transfers()).toMatchObject([{ txHash: paid.hash, amount: '9' }])
    expect(await donations()).toMatchObject([{ status: 'completed', amount: '9' }])
  })

  test('one of three nodes that invents a payment is outvoted where state is too old to prove', async () => {
    const { chain, world, claim, transfers, donations } = await createPaymentsWorld()
    const nodes = await Promise.all([1, 2, 3].map(() => nodeBefore(chain, 'no old state')))
    const [liar] = nodes
    if (!liar) throw new Error('no node')
    const refusing = liar.alter
    liar.alter = (method, params, result) =>
      method === 'debug_traceTransaction'
        ? invented(result, 5n)
        : refusing?.(method, params, result)
    const sync = createChainSync(world.ctx, servedBy(...nodes.map((node) => node.url)))
    const router = await deploy(chain, 'router')
    const paid = await router.call(1, 'forward', [CAMPAIGN], 7n)
    await claim(paid, CAMPAIGN)
    await claim(await router.call(2, 'payInVain', [CAMPAIGN], 5n), CAMPAIGN)
    await chain.mine(3)
    await syncChain(sync, new AbortController().signal)
    expect(await transfers()).toMatchObject([{ txHash: paid.hash, amount: '7', source: 'trace' }])
    expect((await donations()).map((one) => one.status)).toEqual(['completed', 'failed'])
  })

  test('without traces and without old state a donation waits, says why, and is found later', async () => {
    const world = await createPaymentsWorld('no traces, no old state')
    const { chain, node, claim, transfers, donations, mineAndFollow } = world
    const router = await deploy(chain, 'router')
    await claim(await router.call(1, 'forward', [CAMPAIGN], 9n), CAMPAIGN)
    await mineAndFollow(3)
    await lookAgain(world)
    expect([await transfers(), await donations()]).toEqual([[], UNPROVEN])
    node.alter = undefined
    await lookAgain(world)
    expect(await transfers()).toMatchObject([{ amount: '9' }])
    expect(await donations()).toMatchObject([{ status: 'completed', amount: '9' }])
  })

  test('without traces no donation is credited where two transactions may have paid', async () => {
    const world = await createPaymentsWorld('no traces')
    const { chain, claim, transfers, donations, mineAndFollow } = world
    const router = await deploy(chain, 'router')
    await claim(await router.call(1, 'forward', [CAMPAIGN], 9n), CAMPAIGN)
    await claim(await router.call(2, 'payInVain', [CAMPAIGN], 9n), CAMPAIGN)
    await mineAndFollow(3)
    await lookAgain(world)
    expect([await transfers(), await donations()]).toEqual([[], [...UNPROVEN, ...UNPROVEN]])
  })

  test('what a balance has shown is not recorded again when a trace shows it in parts', async () => {
    const { chain, world, claim, transfers, follow } = await createPaymentsWorld('no traces')
    const router = await deploy(chain, 'router')
    const shares = [
      [CAMPAIGN, CAMPAIGN],
      [3n, 4n],
    ]
    const paid = await router.call(1, 'split', shares, 7n)
    await claim(paid, CAMPAIGN)
    const number = await chain.mine()
    await follow()
    const stored = await transfers()
    expect(stored).toMatchObject([{ position: -2, amount: '7', source: 'balance' }])
    const other = createChainSync(world.ctx, { ...TEST_CHAIN, name: 'traces', rpc: [chain.url] })
    const [block] = await other.client.blocks(number, number)
    if (!block) throw new Error('no block')
    const observed = await scanBlocks(
      other.client,
      world.ctx.settings.assets,
      [block],
      await other.watch(world.ctx),
      new Map([[paid.hash, new Set([CAMPAIGN])]]),
    )
    expect(observed.transfers.map((one) => one.amount)).toEqual([3n, 4n])
    expect(await applyLookups(world.ctx, TEST_CHAIN.id, [block], observed)).toBe(true)
    expect(await transfers()).toEqual(stored)
  })

  test('a payment by calls that a reorganisation moves to another block is credited once', async () => {
    const { chain, claim, transfers, donations, mineAndFollow } = await createPaymentsWorld()
    const router = await deploy(chain, 'router')
    await chain.mine(2)
    const paid = await router.call(1, 'forward', [CAMPAIGN], 9n)
    await claim(paid, CAMPAIGN)
    await mineAndFollow()
    expect(await donations()).toMatchObject([{ status: 'confirming' }])
    await chain.reorg(1, [])
    await mineAndFollow()
    expect(await transfers()).toEqual([])
    await chain.send(paid)
    await mineAndFollow(3)
    expect(await transfers()).toMatchObject([{ txHash: paid.hash, position: -2, amount: '9' }])
    expect(await donations()).toMatchObject([{ status: 'completed', amount: '9' }])
  })

  test('a contract that passes on what it received in the same block is credited by agreed traces', async () => {
    const chain = await startTestChain()
    const safe = await deploy(chain, 'safe', [chain.addressOf(5)], ETHER)
    const { transfers, mineAndFollow } = await createPaymentsWorld('traces', {
      chain,
      accounts: [safe.address],
    })
    const router = await deploy(chain, 'router')
    const paid = await router.call(1, 'forward', [safe.address], 9n)
    await safe.call(5, 'execTransaction', [address('shop'), 9n, '0x'])
    await mineAndFollow()
    expect(await transfers()).toMatchObject([{ txHash: paid.hash, position: -2, amount: '9' }])
  })

  test('blocks that hide nothing cost no further call', async () => {
    const chain = await startTestChain()
    const safe = await deploy(chain, 'safe', [chain.addressOf(5)])
    const { node, follow, claim, transfers } = await createPaymentsWorld('traces', {
      chain,
      accounts: [safe.address, CAMPAIGN],
    })
    await follow()
    // A Safe also logs direct payments.
    await claim(
      await chain.send(await chain.sign(1, { to: safe.address, value: 3n })),
      safe.address,
    )
    await claim(await chain.send(await chain.signToken(2, CAMPAIGN, 5n)), CAMPAIGN, '5', 'USDC')
    await chain.mine()
    // The client asks for no trace of the other Safe and the router, because no donation claims
    // their payments.
    const other = await deploy(chain, 'safe', [chain.addressOf(6)], ETHER)
    await chain.send(
      await chain.sign(6, {
        to: other.address,
        data: encode('safe', 'execTransaction', [address('shop'), 1n, '0x']),
      }),
    )
    await chain.mine()
    const before = node.calls.length
    await follow()
    expect((await transfers()).map((one) => one.position).toSorted()).toEqual([-1, 0])
    const methods = new Set(node.calls.slice(before).map((call) => call.method))
    expect([...methods].filter((method) => /Proof|trace/.test(method))).toEqual([])
    expect(node.calls.filter((call) => call.method === 'eth_getBlockReceipts')).toHaveLength(1)
  })
})
