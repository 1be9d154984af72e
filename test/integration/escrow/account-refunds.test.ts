import { describe, expect, test } from 'vitest'
import { findAccountRefunds, listAccountRefunds } from '../../../src/domain/campaigns/index.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { createRefundWorld } from './support/refund-world.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()

describe.skipIf(!hasAnvil)('the refunds of an account', () => {
  test('are found and paid, also if the service knows no donation of it', async () => {
    const world = await createRefundWorld()
    const of = (key: number) => listAccountRefunds(world.ctx, world.campaignId, wallet(key))
    const amounts = async (key: number) => {
      const { refunds } = await findAccountRefunds(world.ctx, world.campaignId, wallet(key))
      return refunds.map(({ money }) => money)
    }
    await world.deploy()
    const paid = await world.pay(1, 20_000_000n)
    await world.donate(2, 10_000_000n)
    await expect(of(1)).rejects.toMatchObject({ code: 'campaign_not_failed' })
    await world.chain.mine()
    await world.settle(world.cancel())
    const [recorded] = (await of(2)).refunds
    expect(recorded).toMatchObject({ refund: 'on_chain', state: 'ready', amount: null })
    expect(await amounts(1)).toEqual([{ value: '20', currency: 'USDC' }])
    expect(await amounts(2)).toEqual([{ value: '10', currency: 'USDC' }])
    const plain = {
      ...{ refund: 'by_verifiers', amount: '20000000', transaction: null },
      asset: expect.stringMatching(new RegExp(TOKEN, 'i')),
    }
    expect(await of(1)).toEqual({
      ...{ campaignId: world.campaignId, account: keyOf(1).address },
      refunds: [{ ...plain, state: 'unsigned', receiver: null, transactions: [] }],
    })
    const before = await world.balanceOf(wallet(1))
    await world.giveBack([{ transaction: paid.hash, position: 0, receiver: keyOf(1).address }])
    if (recorded?.transaction) await world.sendReady(recorded.transaction)
    await world.mineAndFollow()
    expect(await of(1)).toMatchObject({ refunds: [{ state: 'sent', transaction: null }] })
    await world.settle()
    expect(await world.balanceOf(wallet(1))).toBe(before + 20_000_000n)
    expect(await world.balanceOf(world.account)).toBe(0n)
    expect([await amounts(1), await amounts(2)]).toMatchObject([
      [{ value: '20' }],
      [{ value: '10' }],
    ])
    for (const key of [1, 2]) {
      expect((await of(key)).refunds).toMatchObject([
        {
          ...{ state: 'done', receiver: keyOf(key).address, transaction: null },
          transactions: [expect.stringMatching(/^0x/)],
        },
      ])
    }
    expect((await of(5)).refunds).toEqual([])
  })
})
