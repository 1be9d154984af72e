import { describe, expect, test } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { createFollowedWorld, RECIPIENT } from './support/followed-world.ts'

describe.skipIf(!hasAnvil)('following releases of an escrow', () => {
  test('credits money that arrived before the code, and books a release by a stranger', async () => {
    const world = await createFollowedWorld()
    const gift = await world.pay(1, 50_000_000n)
    await world.record(gift, '50')
    await world.settle()
    expect(await world.balances()).toEqual({ custody: 50_000_000n, held: 50_000_000n })
    await world.deploy()
    await world.settle()
    await world.record(await world.donate(2, 20_000_000n), '20')
    await world.chain.mine()
    await world.release(0)
    await world.settle()
    expect(await world.balanceOf(RECIPIENT)).toBe(30_000_000n)
    expect(await world.state()).toMatchObject({
      campaign: 'funded',
      raised: '70000000',
      milestones: ['released', 'reached'],
    })
    expect(await world.balances()).toEqual({
      ...{ custody: 40_000_000n, held: 40_000_000n },
      ...{ released: 30_000_000n, paid: 30_000_000n },
    })
    const events = await world.events()
    expect(events.filter(({ type }) => type === 'milestone.released')).toMatchObject([
      {
        data: {
          amount: { value: '30', currency: 'USDC' },
          transaction: { ledgerTxId: expect.stringMatching(/^0x/) },
        },
      },
    ])
  })
})
