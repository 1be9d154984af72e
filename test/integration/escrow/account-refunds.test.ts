import { describe, expect, test } from 'vitest'
import { listAccountRefunds } from '../../../src/domain/escrow/refund/index.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { createRefundWorld } from './support/refund-world.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()

describe.skipIf(!hasAnvil)('the refunds of an account', () => {
  test('are found and paid, also if the service knows no donation of it', async () => {
    const world = await createRefundWorld()
    const of = (key: number) => listAccountRefunds(world.ctx, world.campaignId, wallet(key))
    await world.deploy()
    await world.pay(1, 20_000_000n)
    await world.donate(2, 10_000_000n)
    await expect(of(1)).rejects.toMatchObject({ code: 'campaign_not_failed' })
    await world.chain.mine()
    await world.cancel()
    await world.settle()
    expect(await of(1)).toMatchObject({ refunds: [], waitingUntil: null })
    const [recorded] = (await of(2)).refunds
    expect(recorded).toMatchObject({ refund: 'on_chain', state: 'ready', cumulative: null })
    await world.propose()
    const { waiting } = await world.refunds()
    expect(await of(1)).toMatchObject({ refunds: [], waitingUntil: waiting?.readyAt })
    expect(await of(2)).toMatchObject({ waitingUntil: null })
    await world.waitForRoot()
    const { account, refunds, waitingUntil } = await of(1)
    expect({ account, refunds, waitingUntil }).toEqual({
      account: keyOf(1).address,
      refunds: [
        {
          ...{ refund: 'by_verifiers', donor: keyOf(1).address, cumulative: '20000000' },
          ...{ asset: expect.stringMatching(new RegExp(TOKEN, 'i')), state: 'ready' },
          ...{ transactions: [], transaction: expect.objectContaining({ value: '0' }) },
        },
      ],
      waitingUntil: null,
    })
    const before = await world.balanceOf(wallet(1))
    for (const { transaction } of [...refunds, ...(await of(2)).refunds]) {
      if (transaction) await world.sendReady(transaction)
    }
    await world.chain.mine()
    await world.follow()
    expect(await of(1)).toMatchObject({ refunds: [{ state: 'sent', transaction: null }] })
    await world.settle()
    expect(await world.balanceOf(wallet(1))).toBe(before + 20_000_000n)
    expect(await world.balanceOf(world.account)).toBe(0n)
    for (const key of [1, 2]) {
      expect(await of(key)).toMatchObject({
        refunds: [
          { state: 'done', transaction: null, transactions: [expect.stringMatching(/^0x/)] },
        ],
        waitingUntil: null,
      })
    }
    // A later payment of one donor changes nothing for donors that are already paid.
    await world.pay(4, 5n)
    await world.settle()
    await world.propose()
    expect(await of(1)).toMatchObject({ waitingUntil: null })
    expect(await of(4)).toMatchObject({ waitingUntil: expect.any(Date) })
  })
})
