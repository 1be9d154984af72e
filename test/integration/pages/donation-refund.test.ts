import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { loadDonation } from '../../../src/pages/donation/load-donation.ts'
import { findRefund, RefundPart } from '../../../src/pages/donation/refund-part.tsx'
import { hasAnvil } from '../../support/test-chain.ts'
import { createRefundWorld } from '../escrow/support/refund-world.ts'

describe.skipIf(!hasAnvil)('the refund on the page of a donation', () => {
  test('is offered to recorded donors at once, and to others when verifiers have signed', async () => {
    const world = await createRefundWorld()
    const plain = await world.record(await world.pay(1, 30_000_000n), '30')
    await world.deploy()
    await world.settle()
    const recorded = await world.record(await world.donate(2, 35_000_000n), '35')
    await world.chain.mine()
    await world.settle()
    const refundOf = async (id: string) => findRefund(world.ctx, await loadDonation(world.ctx, id))
    expect(await refundOf(recorded)).toBeNull()

    await world.cancel()
    await world.settle()
    const ready = await refundOf(recorded)
    if (ready?.state !== 'ready') throw new Error('The refund of a recorded donor is ready.')
    const html = renderToString(h(RefundPart, { refund: ready, lang: 'en' }))
    expect(html).toContain('Your refund')
    expect(html).toContain('data-island="send"')
    expect(html).toContain(ready.transaction.sendCalls.calls[0]?.data)
    await world.sendReady(ready.transaction)
    await world.settle()
    expect(await refundOf(recorded)).toMatchObject({ state: 'done' })

    expect(await refundOf(plain)).toMatchObject({ state: 'missing' })
    await world.propose()
    expect(await refundOf(plain)).toMatchObject({ state: 'waits' })
    await world.waitForRoot()
    expect(await refundOf(plain)).toMatchObject({ state: 'ready' })
  })
})
