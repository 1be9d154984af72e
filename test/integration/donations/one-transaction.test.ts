import { describe, expect, test } from 'vitest'
import { selectors } from '../../../contracts-abi/index.ts'
import { address } from '../../support/chain-facts.ts'
import { recordDonation } from '../../support/donate.ts'
import {
  encodeAddressAmount,
  hasAnvil,
  startTestChain,
  type TestChain,
} from '../../support/test-chain.ts'
import { createUser, TEST_CHAIN, TOKEN } from '../../support/world.ts'
import { at, createPaymentsWorld, deploy } from '../chain/support/payments.ts'
import { ACCOUNT, createChainWorld } from '../support/chain-world.ts'

const OTHER = address('other campaign')
const OTHER_CHAIN = { ...TEST_CHAIN, id: 31338 }

/** Two real chains with the same accounts, token address and campaign account. */
const createTwoChains = async () => {
  const world = await createChainWorld({ chains: [TEST_CHAIN, OTHER_CHAIN] })
  const second = await createChainWorld({
    world: world.world,
    chain: await startTestChain({ chainId: OTHER_CHAIN.id }),
    chains: [OTHER_CHAIN],
    campaign: { chainId: OTHER_CHAIN.id },
  })
  return { world, first: world, second }
}

/**
 * Signs a transaction without a chain id (before EIP-155). Every chain accepts it, with the same
 * hash.
 */
const signForAnyChain = (chain: TestChain, payment: 'coin' | 'token') => {
  const value = 10n ** 16n
  const data = encodeAddressAmount(selectors.transfer, ACCOUNT, 25_000_000n)
  const transaction = payment === 'coin' ? { to: ACCOUNT, value } : { to: TOKEN, data }
  return chain.sign(1, { ...transaction, chainId: 0n }, 0)
}
const GIFTS = [
  ['coin', { value: '0.01', currency: 'ETH' }, -1],
  ['token', { value: '25', currency: 'USDC' }, 0],
] as const

describe.skipIf(!hasAnvil)('one transaction with many gifts', () => {
  test('is a gift of each donor who claims a part of it, each part once', async () => {
    const chain = await startTestChain()
    const router = await deploy(chain, 'router')
    const token = at(chain, 'token', TOKEN)
    await token.call(1, 'approve', [router.address, 1_000_000_000n])
    await chain.mine()
    const world = await createPaymentsWorld('traces', { chain, accounts: [ACCOUNT, OTHER] })
    const [first = '', second = ''] = (
      await world.world.ctx.sql<{ id: string }[]>`select id from campaign order by created_at, id`
    ).map((row) => row.id)
    await world.follow()
    const amounts = [1_000_000n, 2_000_000n, 4_000_000n, 8_000_000n]
    const to = [ACCOUNT, ACCOUNT, ACCOUNT, OTHER]
    const paid = await router.call(1, 'disperse', [TOKEN, to, amounts])
    const claim = async (campaignId: string, logPosition?: number) =>
      recordDonation(world.world.as(await createUser(world.world.ctx)), {
        campaignId,
        amount: { value: '1', currency: 'USDC' },
        transaction: {
          txHash: paid.hash,
          ledgerAddress: chain.addressOf(1),
          ...(logPosition === undefined ? {} : { logPosition }),
        },
      })
    await claim(first, 1)
    await claim(first, 0)
    await claim(first)
    await claim(second)
    // Claims the positions of another campaign's gift, and positions that do not exist.
    await claim(first, 3)
    await claim(first, 4)
    await world.mineAndFollow(3)
    expect((await world.donations()).map(Object.values)).toEqual([
      ['completed', 'completed', '2000000'],
      ['completed', 'completed', '1000000'],
      ['completed', 'completed', '4000000'],
      ['completed', 'completed', '8000000'],
      ['failed', 'no_such_transfer', null],
      ['failed', 'no_such_transfer', null],
    ])
    await expect(claim(first, 2)).rejects.toMatchObject({ code: 'transfer_already_claimed' })
    const totals = await world.world.ctx.sql`
      select raised::text from campaign_total order by raised`
    expect(totals.map((row) => row.raised)).toEqual(['7000000', '8000000'])
  })
})

describe.skipIf(!hasAnvil)('the same transaction hash on two chains', () => {
  test.each(GIFTS)(
    'is two gifts, each credited once, on its own chain and by its own blocks (%s)',
    async (payment, claim, position) => {
      const { world, first, second } = await createTwoChains()
      await first.follow()
      await second.follow()
      const gift = await signForAnyChain(first.chain, payment)
      const here = await world.record(gift, claim)
      const there = await world.record(gift, { ...claim, campaignId: second.campaignId })
      expect(here).not.toBe(there)
      await first.chain.send(gift)
      await first.chain.mine(3)
      await second.chain.mine(3)
      await first.follow()
      await second.follow()
      await world.due()
      await second.checks.run()
      expect(await world.statuses()).toEqual(['completed', 'pending'])
      await second.chain.send(gift)
      await second.mineAndFollow(3)
      expect(await world.statuses()).toEqual(['completed', 'completed'])
      const keys = await world.ctx.sql`
      select tx_hash, position, recipient, array_agg(chain_id order by chain_id)::text as chains
      from chain_transfer group by 1, 2, 3`
      expect(keys).toEqual([
        { txHash: gift.hash, position, recipient: ACCOUNT, chains: '{31337,31338}' },
      ])
      expect(await world.raised(first.campaignId)).toBe('25000000')
      expect(await world.raised(second.campaignId)).toBe('25000000')
    },
  )

  test('is not taken back on one because the other is reorganised', async () => {
    const { world, first, second } = await createTwoChains()
    const gift = await signForAnyChain(first.chain, 'token')
    for (const { chain, campaignId, follow, mineAndFollow } of [first, second]) {
      await follow()
      await world.record(gift, { value: '25', campaignId })
      await chain.send(gift)
      await mineAndFollow(3)
    }
    await second.chain.reorg(3)
    await second.mineAndFollow(2)
    expect(await world.statuses()).toEqual(['completed', 'reversed'])
    expect(await world.raised(first.campaignId)).toBe('25000000')
    expect(await world.raised(second.campaignId)).toBe('0')
  })

  test('that pays on one of them only is no gift on the other, which holds it too', async () => {
    const { world, first, second } = await createTwoChains()
    await first.follow()
    await second.follow()
    // On the second chain the token has no code. The call succeeds, but moves nothing.
    await second.chain.call('anvil_setCode', [TOKEN, '0x'])
    const gift = await signForAnyChain(first.chain, 'token')
    await world.record(gift, { value: '25', campaignId: second.campaignId })
    for (const { chain, mineAndFollow } of [first, second]) {
      await chain.send(gift)
      await mineAndFollow(3)
    }
    expect(await world.donations()).toEqual([['failed', 'wrong_recipient']])
    expect(await world.raised(first.campaignId)).toBe('0')
    expect(await world.raised(second.campaignId)).toBe('0')
  })

  test('is no proof for a campaign of the chain that does not hold it', async () => {
    const { world, first, second } = await createTwoChains()
    await first.follow()
    await second.follow()
    const gift = await first.chain.send(await first.chain.signToken(1, ACCOUNT, 5_000_000n))
    await first.mineAndFollow(3)
    await world.record(gift, { campaignId: second.campaignId })
    await second.mineAndFollow(3)
    await world.due()
    await second.checks.run()
    expect(await world.donations()).toEqual([['pending', 'waiting_for_transaction']])
    expect(await world.raised(second.campaignId)).toBe('0')
  })
})

describe.skipIf(!hasAnvil)('an old transaction that is offered as a new gift', () => {
  const credited = async () => {
    const world = await createChainWorld()
    await world.follow()
    const gift = await world.give(1)
    await world.mineAndFollow(3)
    expect(await world.raised()).toBe('5000000')
    return { ...world, gift }
  }
  const isRefused = (attempt: Promise<unknown>) =>
    expect(attempt).rejects.toMatchObject({ code: 'transfer_already_claimed' })

  test('is refused to every user once it is credited, under any position or address', async () => {
    const { world, ctx, record, gift, raised, donor } = await credited()
    const stranger = await createUser(ctx)
    for (const logPosition of [undefined, 0] as const) {
      const position = logPosition === undefined ? {} : { logPosition }
      await isRefused(record(gift, { user: stranger, ...position }))
      await isRefused(record(gift, { user: stranger, ledgerAddress: ACCOUNT, ...position }))
    }
    // The donor who records the transaction again gets the existing donation.
    const again = await recordDonation(world.as(donor), {
      campaignId: (await ctx.sql<{ id: string }[]>`select id from campaign`)[0]?.id ?? '',
      amount: { value: '5', currency: 'USDC' },
      transaction: { txHash: gift.hash, ledgerAddress: gift.from, logPosition: 0 },
    })
    expect(again.created).toBe(false)
    expect(await raised()).toBe('5000000')
  })

  test('is refused by the chain itself when the same bytes are sent again', async () => {
    const { chain, gift, raised, mineAndFollow } = await credited()
    await expect(chain.send(gift)).rejects.toThrow(/nonce|known|imported/)
    await mineAndFollow(3)
    expect(await raised()).toBe('5000000')
  })

  test('brings nothing to a campaign that opened on the same account after it', async () => {
    const { ctx, open, record, gift, follow, raised, donations, mineAndFollow, pay, lookUp } =
      await credited()
    const unclaimed = await pay(2, 7_000_000n)
    await mineAndFollow(3)
    await ctx.sql`update campaign set status = 'completed'`
    const later = await open({ createdAt: new Date(Date.now() + 60_000) })
    const user = await createUser(ctx)
    for (const old of [gift, unclaimed]) {
      await record(old, { campaignId: later, user }).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'transfer_already_claimed' }),
      )
    }
    await lookUp()
    await follow()
    expect((await donations()).slice(1)).toEqual([['failed', 'transfer_before_campaign']])
    expect(await raised(later)).toBe('0')
  })
})
