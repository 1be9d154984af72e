import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { RefundDesk } from '../../../src/pages/donation/donation-view.tsx'
import { loadDonation } from '../../../src/pages/donation/load-donation.ts'
import { readyRefundOf } from '../../../src/pages/load/ready-refund.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createRefundWorld } from '../escrow/support/refund-world.ts'
import { createTestApi } from '../http/support/api.ts'
import { readLive } from './support/read-live.ts'
import { pagesOf } from './support/test-pages.ts'

describe.skipIf(!hasAnvil)('the refund on the page of a donation', () => {
  test('is offered to recorded donors at once, and paid to others when verifiers have signed', async () => {
    const world = await createRefundWorld()
    const plain = await world.record(await world.pay(1, 30_000_000n), '30')
    await world.settle(world.deploy())
    const recorded = await world.record(await world.donate(2, 35_000_000n), '35')
    await world.chain.mine()
    await world.settle()
    const refundOf = async (id: string) => (await loadDonation(world.ctx, id)).refund
    expect(await refundOf(recorded)).toBeNull()

    await world.settle(world.cancel())
    expect(await refundOf(recorded)).toMatchObject({
      ...{ state: 'ready', refund: 'on_chain' },
      receiver: keyOf(2).address.toLowerCase(),
    })
    const ready = await readyRefundOf(world.ctx, await loadDonation(world.ctx, recorded))
    if (!ready) throw new Error('The refund of a recorded donor is ready.')
    const html = renderToString(h(RefundDesk, { ready, lang: 'en' }))
    expect(html).toContain('data-island="send"')
    expect(html).toContain(ready.transaction.sendCalls.calls[0]?.data)
    await world.settle(world.sendReady(ready.transaction))
    expect(await refundOf(recorded)).toMatchObject({ state: 'done' })
    expect(await readyRefundOf(world.ctx, await loadDonation(world.ctx, recorded))).toBeNull()

    expect(await refundOf(plain)).toMatchObject({ state: 'unsigned', receiver: null })
    expect(await readyRefundOf(world.ctx, await loadDonation(world.ctx, plain))).toBeNull()
    await world.settle(world.giveAllBack())
    expect(await refundOf(plain)).toMatchObject({
      ...{ state: 'done', refund: 'by_verifiers' },
      receiver: keyOf(1).address.toLowerCase(),
    })
  })

  test('comes to the open page, when a block has it and when it is final', async () => {
    const api = await createTestApi()
    const world = await createRefundWorld({ world: api })
    const { site, visit } = await pagesOf(api)
    await world.settle(world.deploy())
    const id = await world.record(await world.donate(2, 70_000_000n), '70')
    await world.chain.mine()
    await world.settle()
    await world.settle(world.cancel())
    const path = `/d/${id}`
    expect((await visit(path)).html).toContain('class="when-refundable"')
    const { shows } = await readLive(site, `${path}/live?lang=en`)
    await shows('data-refund="ready"')

    const { hash } = await world.refund(keyOf(2).address)
    await world.mineAndFollow()
    await shows('A block has your refund, but it is not final yet.')
    await shows(hash)
    expect((await visit(path)).html).not.toContain('class="when-refundable"')
    await world.settle()
    await shows('The escrow has paid your refund.')
    await shows('The escrow has paid back 70\u00a0USDC, all of this donation.')
    await shows('<s>70\u00a0USDC</s>')
    const receipt = await visit(`${path}/receipt`)
    expect(receipt.html).toContain('<title>REFUNDED · Receipt · 70\u00a0USDC for')
    expect(receipt.html).toContain('Version 2, replaces version 1 of')
    expect(receipt.html).toContain(hash)
  })
})
