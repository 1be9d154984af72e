import { describe, expect, test } from 'vitest'
import { applyLookups } from '../../../src/domain/blocks/index.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  ETH_ASSET,
  minedAt,
  startChain,
  txHash,
} from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'
import { createPaymentsWorld, deploy, ETHER, encode, nodeBefore } from './support/payments.ts'

const CAMPAIGN = address('campaign')
const ZERO_WORD = `0x${'0'.repeat(64)}`
type PaymentsWorld = Awaited<ReturnType<typeof createPaymentsWorld>>

const lookAgain = async ({ world, checks }: PaymentsWorld) => {
  await world.ctx.sql`
    update donation set next_check_at = now() - interval '1 second' where status = 'pending'`
  await checks.run()
}

const received = async ({ transfers }: PaymentsWorld): Promise<bigint> =>
  (await transfers()).reduce((sum, one) => sum + BigInt(one.amount), 0n)

describe.skipIf(!hasAnvil)('payments by calls that a stranger claims', () => {
  test('one rise of a balance is one payment, however many transactions are claimed for it in turn', async () => {
    const payments = await createPaymentsWorld('no traces')
    const { chain, follow, claim, mineAndFollow } = payments
    const router = await deploy(chain, 'router')
    await router.call(1, 'forward', [CAMPAIGN], 9n)
    const others = []
    for (const index of [2, 3]) {
      others.push(await router.call(index, 'payInVain', [CAMPAIGN], 1n))
    }
    await mineAndFollow(3)
    for (const other of others) {
      await claim(other, CAMPAIGN)
      await lookAgain(payments)
    }
    expect(await received(payments)).toBeLessThanOrEqual(9n)
    await follow()
    expect((await checkLedger(payments.world.ctx.pool)).differences).toEqual([])
  })

  test('without traces a claim does not take what another transaction of the block may have paid', async () => {
    const payments = await createPaymentsWorld('no traces')
    const { chain, claim, transfers, mineAndFollow } = payments
    const router = await deploy(chain, 'router')
    const paid = await router.call(1, 'forward', [CAMPAIGN], 9n)
    await claim(await router.call(2, 'payInVain', [CAMPAIGN], 1n), CAMPAIGN)
    await mineAndFollow(3)
    expect((await transfers()).filter((one) => one.txHash !== paid.hash)).toEqual([])
  })

  test('a single node of three that has traces does not decide who paid', async () => {
    const { chain, world, claim, transfers, donations } = await createPaymentsWorld()
    const nodes = await Promise.all(
      (['traces', 'no traces', 'no traces'] as const).map((kind) => nodeBefore(chain, kind)),
    )
    const router = await deploy(chain, 'router')
    const paid = await router.call(1, 'forward', [CAMPAIGN], 9n)
    const other = await router.call(2, 'payInVain', [CAMPAIGN], 9n)
    const [liar] = nodes
    if (!liar) throw new Error('no node')
    liar.alter = (method, [hash], result) => {
      if (method !== 'debug_traceTransaction') return result
      const frame = result as { from: string }
      const call = { type: 'CALL', from: frame.from, to: CAMPAIGN, value: '0x9' }
      return { ...frame, calls: hash === other.hash ? [call] : [] }
    }
    const sync = createChainSync(world.ctx, servedBy(...nodes.map((node) => node.url)))
    await claim(paid, CAMPAIGN)
    await claim(other, CAMPAIGN)
    await chain.mine(3)
    await syncChain(sync, new AbortController().signal)
    expect(await transfers()).toEqual([])
    expect((await donations()).map((one) => one.status)).toEqual(['pending', 'pending'])
  })

  test('without traces a bundle of several operations is no payment of its bundler', async () => {
    const payments = await createPaymentsWorld('no traces')
    const { chain, claim, transfers, donations, mineAndFollow } = payments
    const entryPoint = await deploy(chain, 'entryPointV07')
    const operations = []
    for (const to of [CAMPAIGN, address('shop')]) {
      const account = await deploy(chain, 'account', [entryPoint.address], ETHER)
      const call = encode('account', 'execute', [to, 9n, '0x'])
      operations.push([account.address, 0, '0x', call, ZERO_WORD, 0, ZERO_WORD, '0x', '0x'])
    }
    const bundler = chain.addressOf(3)
    await claim(await entryPoint.call(3, 'handleOps', [operations, bundler]), CAMPAIGN)
    await mineAndFollow(3)
    await lookAgain(payments)
    expect(await transfers()).toEqual([])
    expect(await donations()).toMatchObject([{ reason: 'internal_payment_unproven' }])
  })

  test('a replaced transaction costs proofs of the account that it was claimed for, and of no other', async () => {
    const others = Array.from({ length: 5 }, (_, index) => address(`other campaign ${index}`))
    const payments = await createPaymentsWorld('traces', { accounts: [CAMPAIGN, ...others] })
    const { chain, node, follow, claim, mineAndFollow } = payments
    const router = await deploy(chain, 'router')
    await follow()
    const first = await chain.send(await chain.sign(1, { to: CAMPAIGN, value: 9n }, 0))
    await claim(first, CAMPAIGN)
    await lookAgain(payments)
    const data = encode('router', 'payInVain', [CAMPAIGN])
    const gasPrice = 40_000_000_000n
    await chain.send(
      await chain.sign(1, { to: router.address, data, value: 1n, gasPrice, gasLimit: 99_999n }, 0),
    )
    await mineAndFollow(4)
    node.calls.length = 0
    await lookAgain(payments)
    const proven = node.calls.filter((call) => call.method === 'eth_getProof')
    expect(new Set(proven.map(({ params }) => params[0]))).toEqual(new Set([CAMPAIGN]))
    expect(await payments.donations()).toMatchObject([{ reason: 'transaction_replaced' }])
  })
})

test('a later trace that splits the same money into other parts adds nothing', async () => {
  const { ctx } = await createWorld()
  const creator = await createUser(ctx)
  await createTestCampaign(ctx, { creator, account: CAMPAIGN })
  await startChain(ctx)
  await applyBlock(ctx, 1, [])
  const place = { blockNumber: 1, blockHash: blockHash(1), minedAt: minedAt(1) }
  const tell = (...amounts: bigint[]) =>
    applyLookups(ctx, CHAIN_ID, [{ number: 1, hash: blockHash(1) }], {
      transfers: amounts.map((amount, k) => ({
        ...{ ...place, txHash: txHash('router'), position: -2 - k, source: 'trace' as const },
        ...{ assetId: ETH_ASSET, sender: address('router'), recipient: CAMPAIGN, amount },
      })),
      transactions: [],
    })
  await tell(9n)
  await tell(4n, 5n)
  const rows = await ctx.sql<{ amount: string }[]>`select amount::text from chain_transfer`
  expect(rows.reduce((sum, one) => sum + BigInt(one.amount), 0n)).toBe(9n)
})
