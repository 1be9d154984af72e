import { describe, expect, onTestFinished, test } from 'vitest'
import { selectors } from '../../../contracts-abi/index.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { recordDonation } from '../../support/donate.ts'
import { eventTypes } from '../../support/event-types.ts'
import { RpcFault, serveRpc } from '../../support/rpc-server.ts'
import {
  encodeAddressAmount,
  hasAnvil,
  type Signed,
  startTestChain,
  type TestChain,
} from '../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld, TOKEN } from '../../support/world.ts'

const ACCOUNT = address('campaign')
const HIGHER = 40_000_000_000n
const HIGHEST = 80_000_000_000n

/** A node in front of the chain, which lies about nonces where it is told to. */
const serveLies = async (chain: TestChain) => {
  const server = await serveRpc((method, params) => chain.call(method, params))
  onTestFinished(() => server.close())
  return server
}

const setUp = async () => {
  const chain = await startTestChain()
  const node = await serveLies(chain)
  const world = await createWorld()
  const { ctx } = world
  const [creator, donor] = [await createUser(ctx), await createUser(ctx)]
  const campaignId = await createTestCampaign(ctx, { creator, account: ACCOUNT })
  const sync = createChainSync(ctx, servedBy(node.url))
  const job = createCheckDonationsJob(sync)
  const follow = () => syncChain(sync, new AbortController().signal)
  await follow()
  const record = async (signed: Signed, user = donor) =>
    (
      await recordDonation(world.as(user), {
        campaignId,
        amount: { value: '5', currency: 'USDC' },
        transaction: { txHash: signed.hash, ledgerAddress: signed.from },
      })
    ).donation
  /** Signs from account 1, always with the same nonce. */
  const sign = (to: string, units: bigint, gasPrice?: bigint) =>
    chain.sign(
      1,
      {
        to: TOKEN,
        data: encodeAddressAmount(selectors.transfer, to, units),
        ...(gasPrice === undefined ? {} : { gasPrice }),
      },
      0,
    )
  /** Every waiting donation is looked up now. */
  const check = async () => {
    await ctx.sql`
      update donation set next_check_at = now() - interval '1 second'
      where status = 'pending' and next_check_at is not null`
    await job.run()
  }
  return {
    ...{ chain, node, world, ctx, donor, sync, follow, record, sign, check },
    /** Records 5 USDC that are sent and not mined. */
    give: async () => {
      const first = await chain.send(await sign(ACCOUNT, 5_000_000n))
      const { id } = await record(first)
      await check()
      return { first, id }
    },
    mine: async (blocks?: number) => {
      await chain.mine(blocks)
      await follow()
      await check()
    },
    cancel: () => chain.sign(1, { to: chain.addressOf(1), gasPrice: HIGHER }, 0),
    read: (id: string) => getDonation(world.as(donor), id),
    raised: async () =>
      (await ctx.sql<{ raised: string }[]>`select raised from campaign_total`)[0]?.raised,
    events: () => eventTypes(ctx),
    balanced: async () => expect((await checkLedger(ctx.pool)).differences).toEqual([]),
  }
}

describe.skipIf(!hasAnvil)('a replaced transaction', () => {
  test('that was sped up is followed, and credited once', async () => {
    const { chain, sign, record, check, follow, read, raised, events, balanced, mine, give } =
      await setUp()
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
    await balanced()
    const again = await record(first)
    expect(again.id).toBe(id)
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

  test('that gave way to a payment to somebody else fails and names it', async () => {
    const { chain, sign, read, mine, give } = await setUp()
    const { id } = await give()
    const other = await chain.send(await sign(address('somebody else'), 5_000_000n, HIGHER))
    // Long after, so that the block is searched for.
    await mine(40)
    expect(await read(id)).toMatchObject({
      status: 'failed',
      reason: 'transaction_replaced',
      transaction: { replacedBy: other.hash },
    })
  })

  test('twice replaced is followed to the last one', async () => {
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
    const { chain, sign, record, check, read, raised, events, balanced, mine } = await setUp()
    const first = await record(await chain.send(await sign(ACCOUNT, 5_000_000n)))
    await check()
    const faster = await chain.send(await sign(ACCOUNT, 5_000_000n, HIGHER))
    const second = await record(faster)
    await mine(4)
    expect(await read(second.id)).toMatchObject({ status: 'completed' })
    expect(await read(first.id)).toMatchObject({
      status: 'failed',
      reason: 'transfer_already_claimed',
      transaction: { replacedBy: faster.hash },
    })
    expect(await raised()).toBe('5000000')
    expect((await events()).toSorted()).toEqual(['donation.completed', 'donation.failed'])
    await balanced()
  })

  test('within a reorganisation is followed on the new branch', async () => {
    const { chain, sign, check, follow, read, raised, mine, give } = await setUp()
    const { first, id } = await give()
    await chain.mine()
    await follow()
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

  test('comes back with its own hash where a reorganisation chooses it after all', async () => {
    const { chain, sign, follow, read, raised, events, balanced, mine, give } = await setUp()
    const { first, id } = await give()
    await chain.send(await sign(ACCOUNT, 5_000_000n, HIGHER))
    await mine(4)
    expect((await read(id)).status).toBe('completed')
    await chain.reorg(4, [[first, 1]])
    await follow()
    await chain.mine(3)
    await follow()
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
    await balanced()
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

  test('is not believed in because a node says that its nonce is used', async () => {
    const { chain, node, check, follow, read, raised, ctx, give } = await setUp()
    const { id } = await give()
    node.alter = (method, _, result) => (method === 'eth_getTransactionCount' ? '0xff' : result)
    await check()
    await check()
    expect(await read(id)).toMatchObject({
      status: 'pending',
      confirmation: { reason: 'replacement_not_found' },
    })
    node.alter = undefined
    await chain.mine(4)
    await follow()
    expect((await read(id)).status).toBe('completed')
    expect(await raised()).toBe('5000000')
    expect(await ctx.sql`select from event where type = 'donation.failed'`).toHaveLength(0)
  })

  test('that cannot be searched for, since nodes forget old state, is left to expire and says so', async () => {
    const { chain, node, cancel, check, follow, read, events, ctx, give } = await setUp()
    const { id } = await give()
    await chain.send(await cancel())
    await chain.mine(20)
    await follow()
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
    const { id } = await record(await sign(ACCOUNT, 5_000_000n))
    await chain.send(await cancel())
    await mine(4)
    expect((await read(id)).status).toBe('pending')
    await ctx.sql`update donation set expires_at = now() - interval '1 second'`
    await check()
    expect(await read(id)).toMatchObject({ status: 'expired' })
  })
})
