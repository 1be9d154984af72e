import { expect, test } from 'vitest'
import { recordPrices } from '../../../src/domain/books/index.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  startChain,
  txHash,
} from '../../support/chain-facts.ts'
import { recordDonation } from '../../support/donate.ts'
import { finalise } from '../../support/finalise.ts'
import { createTestCampaign, createUser, TEST_CHAIN } from '../../support/world.ts'
import { createTestApi } from '../http/support/api.ts'

test.each(['/api', '/v1'])(
  '%s shows the price of a donation and every step to it',
  async (family) => {
    const api = await createTestApi({
      chains: [{ ...TEST_CHAIN, feeds: [{ pair: 'ETH/USD' }] }],
      prices: { 'USDC/USD': '0.5' },
    })
    const { ctx } = api
    const creator = await createUser(ctx)
    const account = address('campaign')
    const campaignId = await createTestCampaign(ctx, { creator, account })
    await startChain(ctx)
    const { donation } = await recordDonation(api.as(creator), {
      campaignId,
      amount: { value: '1', currency: 'ETH' },
      transaction: { txHash: txHash('a'), ledgerAddress: address('donor') },
    })
    await applyBlock(ctx, 1, [{ tx: 'a', to: account, wei: 10n ** 18n }])
    const updatedAt = new Date('2026-01-01T00:00:00Z')
    await recordPrices(ctx, CHAIN_ID, [
      {
        pair: 'ETH/USD',
        blockNumber: 1,
        blockHash: blockHash(1),
        price: '2500.12345678',
        feed: address('feed'),
        roundId: '129127208515966861312',
        answer: '250012345678',
        decimals: 8,
        updatedAt,
        method: 'round',
      },
    ])
    const read = async () => (await api.ask('GET', `${family}/donations/${donation.id}`)).body
    expect(await read()).toMatchObject({ price: null, priceSource: null })
    await finalise(ctx, 1)
    expect(await read()).toMatchObject({
      creditedAmount: { value: 5000.246913, currency: 'USDC' },
      price: '5000.24691356',
      priceSource: [
        {
          pair: 'ETH/USD',
          inverse: false,
          price: '2500.12345678',
          method: 'round',
          feed: toChecksumAddress(address('feed')),
          roundId: '129127208515966861312',
          answer: '250012345678',
          decimals: 8,
          updatedAt: updatedAt.toISOString(),
        },
        { pair: 'USDC/USD', inverse: true, price: '0.5', method: 'fixed' },
      ],
    })
  },
)
