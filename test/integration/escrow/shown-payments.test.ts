import { id } from 'ethers'
import { describe, expect, test } from 'vitest'
import { listEntries, readFlows } from '../../../src/domain/books/index.ts'
import { readEvidence } from '../../../src/domain/campaigns/index.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createUser } from '../../support/world.ts'
import { createFollowedWorld } from './support/followed-world.ts'

const amounts = (currency: string, values: Record<string, string>) => [{ currency, ...values }]

describe.skipIf(!hasAnvil)('the payments of an escrow', () => {
  test('have the transaction that moved the money, and add up at one block', async () => {
    const world = await createFollowedWorld()
    const { ctx } = world.world
    await world.deploy()
    const gift = await world.donate(2, 70_000_000n)
    await world.settle(world.record(gift, '70'))
    const { hash: release } = await world.release(0)
    await world.settle()
    const flows = async () => readFlows(ctx, world.campaignId)
    expect(await flows()).toEqual({
      block: expect.any(Number),
      flows: amounts('USDC', { cameIn: '70', paid: '30', refunded: '0', held: '40' }),
    })
    const { hash: ended } = await world.cancel()
    await world.settle()
    const refund = await world.refund(keyOf(2).address.toLowerCase())
    await world.settle()
    const { items } = await listEntries(ctx, world.campaignId, { page: 1, limit: 20 })
    const hashOf = Object.fromEntries(items.map(({ kind, txHash }) => [kind, txHash]))
    expect(hashOf).toMatchObject({
      donation: gift.hash,
      release,
      payout: release,
      refund: refund.hash,
    })
    expect(ended).not.toBe(refund.hash)
    expect((await flows()).flows).toEqual(
      amounts('USDC', { cameIn: '70', paid: '30', refunded: '40', held: '0' }),
    )
  })

  test('name the verifiers who signed, and by name only those who want to be named', async () => {
    const world = await createFollowedWorld()
    const { ctx } = world.world
    const [first = '', second = ''] = world.terms.verifiers
    for (const wallet of [first, second]) {
      const { userId } = await createUser(ctx, ['verifier'])
      await linkWallet(world.world, userId, wallet)
      const profile = wallet === first ? { publicName: 'Hanna Girma' } : { city: 'Bako' }
      await ctx.sql`update app_user set profile = ${ctx.sql.json(profile)} where id = ${userId}`
    }
    await world.deploy()
    await world.mine(world.record(await world.pay(1, 70_000_000n), '70'))
    const { hash } = await world.release(0)
    await world.settle()
    const [signed, ...more] = await readEvidence(ctx, world.campaignId)
    expect(more).toEqual([])
    expect(signed).toMatchObject({ evidenceHash: id('evidence'), evidence: null, txHash: hash })
    expect(signed?.signers).toEqual([
      { address: toChecksumAddress(first), name: 'Hanna Girma', signature: null },
      { address: toChecksumAddress(second), name: null, signature: null },
    ])
  })
})
