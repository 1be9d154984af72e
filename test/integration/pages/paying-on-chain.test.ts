import { describe, expect, test } from 'vitest'
import { listOfferedPayments } from '../../../src/domain/donations/index.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { shorten } from '../../../src/pages/shared/format.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { createUser } from '../../support/world.ts'
import { createChainWorld } from '../support/chain-world.ts'
import { cookieOf } from './support/page-user.ts'
import { createTestPages, type Visited } from './support/test-pages.ts'

const MILLION = 1_000_000n
const TAKE = 'Make it this donation'
const ADD = 'Add it as my donation'

/** The pages over a campaign on a real chain, and guests who give there. */
const setUp = async () => {
  const pages = await createTestPages()
  const world = await createChainWorld({ world: pages })
  await world.follow()
  const { campaignId, chain } = world
  /** A guest promises USDC from an account of the chain. */
  const promise = async (account: number, amount = '5') => {
    const form = { amount, currency: 'USDC', wallet: chain.addressOf(account) }
    const words = { name: 'Ada', message: 'For the well.' }
    return own(await pages.visit(`/c/${campaignId}/donate`, { form: { ...form, ...words } }))
  }
  const own = (answer: Visited) => {
    const path = answer.location ?? ''
    const cookie = cookieOf(answer)
    return {
      path,
      cookie,
      id: path.slice('/d/'.length),
      see: async () => (await pages.visit(path, { cookie })).html,
      name: (txHash: string) => pages.visit(`${path}/hash`, { cookie, form: { txHash } }),
      take: (payment: string) => pages.visit(`${path}/payment`, { cookie, form: { payment } }),
    }
  }
  return {
    ...pages,
    ...world,
    ...{ promise, own },
    paid: (transaction: string) => pages.visit(`/c/${campaignId}/paid`, { form: { transaction } }),
    settle: async () => {
      await world.lookUp()
      await world.mineAndFollow(3)
    },
  }
}

/** The id of the first payment that a page offers. */
const offeredIn = (html: string): string => /name="payment" value="([^"]+)"/.exec(html)?.[1] ?? ''

describe.skipIf(!hasAnvil)('a donor who pays otherwise than promised, on a real chain', () => {
  test('finds a payment of another wallet by its hash, and makes it the donation', async () => {
    const { visit, chain, promise, own, pay, mineAndFollow, settle, read, raised } = await setUp()
    const gift = await promise(1)
    const { hash } = await pay(2, 7n * MILLION)
    await gift.name(hash)
    const before = await gift.see()
    expect(before).toContain('Sent. Waiting for a block.')
    expect(before).not.toContain(TAKE)
    await mineAndFollow()
    const html = await gift.see()
    expect(html).toContain('We have found this payment.')
    expect(html).toContain(`You had named ${shorten(chain.addressOf(1))}.`)
    expect(html).toContain(`came from ${shorten(toChecksumAddress(chain.addressOf(2)))}`)
    for (const kept of ['How to pay', `value="${hash}"`, 'Cancel this donation', TAKE]) {
      expect(html).toContain(kept)
    }
    const strangers = (await visit(gift.path)).html
    expect(strangers).toContain('it does not belong to this donation yet')
    expect(strangers).not.toContain(TAKE)

    const taken = await gift.take(offeredIn(html))
    expect(taken.status).toBe(303)
    const made = own(taken)
    expect(made.path).not.toBe(gift.path)
    expect(await made.see()).toContain('For the well.')
    await settle()
    expect(await read(made.id)).toMatchObject({
      status: 'completed',
      creditedAmount: { value: '7', currency: 'USDC' },
      donor: { name: 'Ada', message: 'For the well.' },
    })
    expect(await read(gift.id)).toMatchObject({ status: 'failed', reason: 'cancelled' })
    expect((await visit(gift.path)).html).toContain(`href="${made.path}"`)
    expect(await raised()).toBe('7000000')
  })

  test('gives a found payment to nobody but the donor, whatever others send', async () => {
    const { ctx, as, chain, visit, promise, pay, mineAndFollow, read, statuses } = await setUp()
    const gift = await promise(1)
    const { hash } = await pay(2)
    await gift.name(hash)
    await mineAndFollow()
    const payment = offeredIn(await gift.see())
    const other = await promise(3)
    const forged = `donation=${'a'.repeat(43)}.${chain.addressOf(1)}`
    for (const cookie of [undefined, forged, other.cookie]) {
      expect((await visit(gift.path, { cookie })).html).not.toContain(TAKE)
      const taken = await visit(`${gift.path}/payment`, { cookie, form: { payment } })
      expect(taken.status).toBe(409)
    }
    expect((await other.take(payment)).status).toBe(409)
    const admin = as(await createUser(ctx, ['admin']))
    expect(await listOfferedPayments(admin, await read(gift.id))).toEqual([])
    expect(await statuses()).toEqual(['pending', 'pending'])
  })

  test('leaves the promise open if another donor has recorded the payment first', async () => {
    const { promise, paid, pay, mineAndFollow, lookUp, read } = await setUp()
    const gift = await promise(1)
    const { hash } = await pay(2)
    await gift.name(hash)
    await mineAndFollow()
    const payment = offeredIn(await gift.see())
    expect((await paid(hash)).status).toBe(303)
    const late = await gift.take(payment)
    expect([late.status, late.html]).toEqual([409, expect.stringContaining('already has this')])
    expect((await read(gift.id)).status).toBe('pending')
    await lookUp()
    expect(await gift.see()).toContain('This payment belongs to another donation already.')
  })

  test('keeps how to pay after a wrong hash, and the payment still counts', async () => {
    const { promise, pay, mineAndFollow, read } = await setUp()
    const gift = await promise(1)
    await gift.name(`0x${'12'.repeat(32)}`)
    await mineAndFollow()
    const html = await gift.see()
    expect(html).toContain('Sent. Waiting for a block.')
    expect(html).not.toContain('speed it up')
    for (const kept of ['How to pay', `value="0x${'12'.repeat(32)}"`, 'Cancel this donation']) {
      expect(html).toContain(kept)
    }
    expect((await gift.name(`0x${'34'.repeat(32)}`)).status).toBe(303)
    expect(await gift.see()).toContain(`value="0x${'34'.repeat(32)}"`)
    await pay(1)
    await mineAndFollow()
    expect((await read(gift.id)).status).toBe('confirming')
  })

  test('offers the donor alone a second payment, which becomes a donation of its own', async () => {
    const { visit, promise, own, pay, mineAndFollow, settle, read, raised } = await setUp()
    const gift = await promise(1)
    await pay(1)
    await mineAndFollow()
    expect(await gift.see()).not.toContain(ADD)
    await pay(1, 21n * MILLION)
    await mineAndFollow()
    const html = await gift.see()
    expect(html).toContain('A second payment of 21\u00a0USDC is not assigned.')
    expect((await visit(gift.path)).html).not.toContain('second payment')
    const payment = offeredIn(html)
    expect((await visit(`${gift.path}/payment`, { form: { payment } })).status).toBe(409)

    const second = own(await gift.take(payment))
    expect(await gift.see()).not.toContain(ADD)
    await settle()
    for (const [{ id }, value] of [
      [gift, '5'],
      [second, '21'],
    ] as const) {
      expect(await read(id)).toMatchObject({ status: 'completed', creditedAmount: { value } })
    }
    expect(await raised()).toBe('26000000')
    expect((await gift.take(payment)).status).toBe(409)
  })

  test('offers no further payment of a wallet that has paid for another donor', async () => {
    const { promise, paid, pay, mineAndFollow, lookUp } = await setUp()
    const gift = await promise(1)
    await pay(1)
    await mineAndFollow()
    const { hash } = await pay(1, 7n * MILLION)
    await pay(1, 9n * MILLION)
    await mineAndFollow()
    expect(await gift.see()).toContain(ADD)
    await paid(hash)
    await lookUp()
    expect(await gift.see()).not.toContain(ADD)
  })
})
