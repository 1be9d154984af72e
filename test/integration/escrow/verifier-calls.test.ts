import { describe, expect, test } from 'vitest'
import { prepareTermination, prepareVeto } from '../../../src/domain/escrow/index.ts'
import type { TypedData } from '../../../src/kernel/ports/signatures.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { signWith } from '../milestones/support/verified-world.ts'
import { createRefundWorld, withLastByte } from './support/refund-world.ts'

const REASON = { reason: 'The creator has left.' }

const signed = async (key: number, data: TypedData) => ({
  verifier: keyOf(key).address,
  signature: await signWith(keyOf(key))(data),
})

describe.skipIf(!hasAnvil)('verifiers of an escrow', () => {
  test('end it together by messages and a transaction that the service makes', async () => {
    const world = await createRefundWorld()
    const { ctx, campaignId } = world
    await world.deploy()
    await world.settle()
    const { needed, typedData, transaction } = await prepareTermination(ctx, campaignId, {
      ...{ ...REASON, signatures: [] },
    })
    expect({ needed, transaction }).toEqual({ needed: 2, transaction: null })
    const one = await signed(8, typedData)
    const again = { ...one, signature: withLastByte(one.signature, -27) }
    const twice = { ...REASON, signatures: [one, again] }
    expect((await prepareTermination(ctx, campaignId, twice)).transaction).toBeNull()

    const both = { ...REASON, signatures: [again, await signed(9, typedData)] }
    const ready = await prepareTermination(ctx, campaignId, both)
    expect(ready.transaction?.simulated).toMatchObject({ ok: true })
    if (ready.transaction) await world.sendReady(ready.transaction)
    await world.settle()
    expect((await world.state()).campaign).toBe('failed')
    await expect(prepareTermination(ctx, campaignId, both)).rejects.toMatchObject({
      code: 'escrow_failed',
    })
  })

  test('object to a waiting root by a message and a transaction that the service makes', async () => {
    const world = await createRefundWorld()
    const { ctx, campaignId } = world
    await world.pay(1, 5n)
    await world.deploy()
    await world.cancel()
    await world.settle()
    await world.propose()
    expect((await world.refunds()).waiting).not.toBeNull()
    const { needed, typedData } = await prepareVeto(ctx, campaignId, { signatures: [] })
    expect(needed).toBe(1)
    const signatures = [await signed(9, typedData)]
    const { transaction } = await prepareVeto(ctx, campaignId, { signatures })
    if (transaction) await world.sendReady(transaction)
    await world.settle()
    expect(await world.refunds()).toMatchObject({ waiting: null, root: { index: 1, missing: 2 } })

    // The same root is proposed again. The contract takes a veto by another verifier only.
    await world.propose()
    const again = (await prepareVeto(ctx, campaignId, { signatures: [] })).typedData
    const repeated = { signatures: [await signed(9, again)] }
    await expect(prepareVeto(ctx, campaignId, repeated)).rejects.toMatchObject({
      ...{ code: 'conflict', message: expect.stringContaining('has already vetoed this root') },
    })
    const other = await prepareVeto(ctx, campaignId, { signatures: [await signed(8, again)] })
    expect(other.transaction?.simulated).toMatchObject({ ok: true })
  })

  test('cannot be replaced by others, or by signatures of another message', async () => {
    const world = await createRefundWorld()
    const { ctx, campaignId } = world
    const { typedData } = await prepareTermination(ctx, campaignId, { ...REASON, signatures: [] })
    for (const [signatures, code] of [
      [[await signed(5, typedData)], 'forbidden'],
      [[{ ...(await signed(5, typedData)), verifier: keyOf(8).address }], 'invalid_signature'],
    ] as const) {
      const asked = { ...REASON, signatures: [...signatures] }
      await expect(prepareTermination(ctx, campaignId, asked)).rejects.toMatchObject({ code })
    }
    const other = { reason: 'Another reason', signatures: [await signed(8, typedData)] }
    await expect(prepareTermination(ctx, campaignId, other)).rejects.toMatchObject({
      code: 'invalid_signature',
    })
    await expect(prepareVeto(ctx, campaignId, { signatures: [] })).rejects.toMatchObject({
      code: 'refund_root_missing',
    })
  })
})
