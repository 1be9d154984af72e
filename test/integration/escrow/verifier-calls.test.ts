import { describe, expect, test } from 'vitest'
import { prepareTermination } from '../../../src/domain/campaigns/index.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createRefundWorld, signedBy, withLastByte } from './support/refund-world.ts'

const DAY_MS = 86_400_000

/** A deployed escrow, and the input of a termination that is valid for one day. */
const setUp = async () => {
  const world = await createRefundWorld()
  await world.settle(world.deploy())
  const validUntil = new Date(world.clock.now().getTime() + DAY_MS)
  const { ctx, campaignId } = world
  return {
    world,
    ctx,
    campaignId,
    asked: { reason: 'The creator has left.', validUntil, signatures: [] },
  }
}

describe.skipIf(!hasAnvil)('verifiers of an escrow', () => {
  test('end it together by messages and a transaction that the service makes', async () => {
    const { world, ctx, campaignId, asked } = await setUp()
    const { needed, typedData, transaction } = await prepareTermination(ctx, campaignId, asked)
    expect({ needed, transaction }).toEqual({ needed: 2, transaction: null })
    const one = await signedBy(8, typedData)
    const again = { ...one, signature: withLastByte(one.signature, -27) }
    const twice = { ...asked, signatures: [one, again] }
    expect((await prepareTermination(ctx, campaignId, twice)).transaction).toBeNull()

    const both = { ...asked, signatures: [again, await signedBy(9, typedData)] }
    const ready = await prepareTermination(ctx, campaignId, both)
    expect(ready.transaction?.simulated).toMatchObject({ ok: true })
    if (ready.transaction) await world.sendReady(ready.transaction)
    await world.settle()
    expect((await world.state()).campaign).toBe('failed')
    await expect(prepareTermination(ctx, campaignId, both)).rejects.toMatchObject({
      code: 'escrow_failed',
    })
  })

  test('cannot be replaced by others, or by signatures of another message', async () => {
    const { ctx, campaignId, asked } = await setUp()
    const { typedData } = await prepareTermination(ctx, campaignId, asked)
    for (const [signatures, code] of [
      [[await signedBy(5, typedData)], 'forbidden'],
      [[{ ...(await signedBy(5, typedData)), verifier: keyOf(8).address }], 'invalid_signature'],
    ] as const) {
      const wrong = { ...asked, signatures: [...signatures] }
      await expect(prepareTermination(ctx, campaignId, wrong)).rejects.toMatchObject({ code })
    }
    const other = { ...asked, reason: 'Another reason', signatures: [await signedBy(8, typedData)] }
    await expect(prepareTermination(ctx, campaignId, other)).rejects.toMatchObject({
      code: 'invalid_signature',
    })
  })

  test('sign an end for at most 90 days, which the contract refuses afterwards', async () => {
    const { world, ctx, campaignId, asked } = await setUp()
    const late = { ...asked, validUntil: new Date(asked.validUntil.getTime() + 90 * DAY_MS) }
    for (const wrong of [late, { ...asked, validUntil: new Date(0) }]) {
      await expect(prepareTermination(ctx, campaignId, wrong)).rejects.toMatchObject({
        ...{ code: 'invalid_input', details: [{ path: 'validUntil' }] },
      })
    }
    const { typedData } = await prepareTermination(ctx, campaignId, asked)
    const signatures = [await signedBy(8, typedData), await signedBy(9, typedData)]
    const { transaction } = await prepareTermination(ctx, campaignId, { ...asked, signatures })
    expect(transaction?.validUntil).toEqual(asked.validUntil)
    await world.passTime(DAY_MS / 1_000 + 60)
    if (transaction) await world.sendReady(transaction)
    await world.settle()
    expect((await world.state()).campaign).toBe('active')
  })
})
