import { describe, expect, test } from 'vitest'
import { changeCampaign, getCampaign } from '../../../src/domain/campaigns/index.ts'
import { formatUnits } from '../../../src/kernel/money/money.ts'
import { recordIntent } from '../../support/donate.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { TEST_CHAIN } from '../../support/world.ts'
import { deploy } from '../chain/support/payments.ts'
import { ACCOUNT, type ChainWorld, createChainWorld } from '../support/chain-world.ts'

const LARGEST = 2n ** 256n - 1n

/** The balances of the campaign's ledger accounts by kind: debits minus credits. */
const balances = async ({ ctx }: ChainWorld, campaignId: string) => {
  const rows = await ctx.sql<{ kind: string; balance: string }[]>`
    select account.kind, sum(case when entry.debit_account = account.id then amount
                                  else -amount end)::text as balance
    from ledger_account account
    join ledger_entry entry on account.id in (entry.debit_account, entry.credit_account)
    where account.campaign_id = ${campaignId} group by 1`
  return Object.fromEntries(rows.map((row) => [row.kind, row.balance]))
}

describe.skipIf(!hasAnvil)('amounts of any width', () => {
  test.each([0, 6, 18, 27])(
    'of a token with %i decimals are exact to the base unit, up to the largest uint256',
    async (decimals) => {
      const chain = await startTestChain()
      const token = await deploy(chain, 'token')
      await token.call(1, 'mint', [chain.addressOf(1), LARGEST])
      await chain.mine()
      const wide = { symbol: 'WIDE', address: token.address, decimals }
      const world = await createChainWorld({
        chain,
        chains: [{ ...TEST_CHAIN, tokens: [...TEST_CHAIN.tokens, wide] }],
        campaign: { currency: 'WIDE', target: '1' },
      })
      await world.follow()
      // A double cannot hold the first amounts exactly. The sum of all amounts is the largest
      // uint256.
      const amounts = [1n, 2n ** 53n + 1n, 10n ** 27n + 1n, 2n ** 128n - 1n]
      amounts.push(LARGEST - amounts.reduce((sum, amount) => sum + amount))
      const ids: string[] = []
      for (const amount of amounts) {
        const value = formatUnits(amount, decimals)
        const gift = await token.call(1, 'transfer', [ACCOUNT, amount])
        ids.push(await world.record(gift, { value, currency: 'WIDE' }))
      }
      await world.mineAndFollow(3)
      for (const [index, id] of ids.entries()) {
        const value = formatUnits(amounts[index] ?? 0n, decimals)
        expect(await world.read(id)).toMatchObject({
          status: 'completed',
          discrepancy: false,
          creditedAmount: { value, currency: 'WIDE' },
        })
      }
      expect(await world.raised()).toBe(LARGEST.toString())
      expect(await getCampaign(world.ctx, world.campaignId)).toMatchObject({
        currentAmount: formatUnits(LARGEST, decimals),
        status: 'funded',
      })
    },
  )
})

describe.skipIf(!hasAnvil)('a gift that is not what was announced', () => {
  test.each([
    ['less', '10', 4_000_000n, '4'],
    ['more', '10', 25_000_000n, '25'],
  ])(
    'is credited with what arrived where that is %s, and says so',
    async (_, declared, units, arrived) => {
      const { follow, record, read, raised, mineAndFollow, pay } = await createChainWorld()
      await follow()
      const gift = await pay(1, units)
      const id = await record(gift, { value: declared })
      await mineAndFollow(3)
      expect(await read(id)).toMatchObject({
        status: 'completed',
        discrepancy: true,
        amount: { value: arrived, currency: 'USDC' },
        declaredAmount: { value: declared, currency: 'USDC' },
        creditedAmount: { value: arrived, currency: 'USDC' },
      })
      expect(await raised()).toBe(units.toString())
    },
  )

  test('is credited in full beyond the target, which is reached once', async () => {
    const { follow, read, raised, events, mineAndFollow, give } = await createChainWorld({
      campaign: { target: '10', milestones: ['10'] },
    })
    await follow()
    const { id: first } = await give(1, 15_000_000n)
    await mineAndFollow(3)
    const { id: second } = await give(1)
    await mineAndFollow(3)
    expect(await read(first)).toMatchObject({ creditedAmount: { value: '15' } })
    expect(await read(second)).toMatchObject({
      status: 'completed',
      creditedAmount: { value: '5' },
    })
    expect(await raised()).toBe('20000000')
    expect(await events()).toEqual([
      'donation.completed',
      'campaign.milestone.reached',
      'campaign.funded',
      'donation.completed',
    ])
  })

  test('is credited where it comes late, and marked as late', async () => {
    const chain = await startTestChain()
    const clock = createFakeClock()
    const world = await createChainWorld({
      ...{ chain, clock, settings: { intentExpiryMs: 3_600_000 } },
    })
    await world.follow()
    const { id } = await recordIntent(world.world.as(world.donor), {
      campaignId: world.campaignId,
      amount: { value: '5', currency: 'USDC' },
      donor: { walletAddress: chain.addressOf(1) },
    })
    clock.advance(7_200_000)
    await chain.call('evm_increaseTime', [7_200])
    await world.checks.run()
    expect(await world.statuses()).toEqual(['expired'])
    await world.pay(1)
    await world.mineAndFollow(3)
    expect(await world.read(id)).toMatchObject({
      status: 'completed',
      payment: { state: 'exact', late: true },
    })
    expect(await world.raised()).toBe('5000000')
  })

  test('counts where its campaign was cancelled between recording and mining', async () => {
    const world = await createChainWorld()
    const { follow, raised, statuses, mineAndFollow, give } = world
    await follow()
    await give(1)
    await changeCampaign(world.world.as(world.creator), world.campaignId, { status: 'cancelled' })
    await mineAndFollow(3)
    expect(await statuses()).toEqual(['completed'])
    expect(await raised()).toBe('5000000')
  })

  test('is refused by a campaign that is over, and its money is kept as a deposit', async () => {
    const world = await createChainWorld()
    const { follow, record, raised, campaignId, mineAndFollow, pay } = world
    await follow()
    await changeCampaign(world.world.as(world.creator), campaignId, { status: 'cancelled' })
    const gift = await pay(1)
    await expect(record(gift)).rejects.toMatchObject({ code: 'campaign_not_active' })
    await mineAndFollow(3)
    await expect(record(gift)).rejects.toMatchObject({ code: 'campaign_not_active' })
    expect(await raised()).toBe('0')
    expect(await balances(world, campaignId)).toMatchObject({ custody: '5000000' })
    expect(Object.keys(await balances(world, campaignId)).toSorted()).toEqual([
      'custody',
      'unclaimed',
    ])
  })
})
