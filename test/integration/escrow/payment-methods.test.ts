import { Interface } from 'ethers'
import { describe, expect, test } from 'vitest'
import { getDonationRefund } from '../../../src/domain/campaigns/index.ts'
import type { PaymentMethod } from '../../../src/domain/donations/donation/payment-methods.ts'
import { preparePayment } from '../../../src/domain/donations/donation/prepare-payment.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { stepsOf } from '../../../src/pages/shared/wallet-steps.ts'
import { recordIntent } from '../../support/donate.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { noContracts } from '../../support/no-contracts.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createTestCampaign } from '../../support/world.ts'
import { signWith } from '../milestones/support/verified-world.ts'
import { createRefundWorld } from './support/refund-world.ts'

const GAS = 1_000_000n
const DAY_SECONDS = 86_400
const DONOR = 2

/** An escrow that is not deployed, and a function that asks how to pay 12.5 USDC. */
const setUp = async (options: Parameters<typeof createRefundWorld>[0] = {}) => {
  const world = await createRefundWorld(options)
  await world.settle()
  const ctx = { ...world.ctx, actor: world.donor }
  const intend = async (as = ctx, campaignId = world.campaignId, currency = 'USDC') => {
    await preparePayment(as, campaignId)
    return recordIntent(as, {
      campaignId,
      amount: { value: '12.5', currency },
      donor: { walletAddress: keyOf(DONOR).address },
    })
  }
  return { world, ctx, intend, read: (id: string) => getDonation(ctx, id) }
}

const methodOf = <M extends PaymentMethod['method']>(
  methods: readonly PaymentMethod[] | null | undefined,
  name: M,
): Extract<PaymentMethod, { method: M }> => {
  const found = methods?.find(
    (one): one is Extract<PaymentMethod, { method: M }> => one.method === name,
  )
  if (!found) throw new Error(`There is no method ${name}.`)
  return found
}

/** Makes the call that submits a signed authorization. */
const relayOf = (
  { relay }: Extract<PaymentMethod, { method: 'authorization' }>,
  signature: string,
  changes: Record<number, string> = {},
) => {
  const values = [...relay.arguments, signature].map((value, index) => changes[index] ?? value)
  const data = new Interface([`function ${relay.function}`]).encodeFunctionData(
    'donateWithAuthorization',
    values,
  )
  return { to: relay.to, data }
}

describe.skipIf(!hasAnvil)('an intent of an escrow campaign', () => {
  test('is paid by an authorization that another account sends, before the escrow has code', async () => {
    const { world, intend, read } = await setUp()
    const intent = await intend()
    const methods = intent.payment?.methods
    expect(methods?.map(({ method, refund }) => [method, refund])).toEqual([
      ['authorization', 'on_chain'],
      ['calls', 'on_chain'],
      ['transfer', 'by_verifiers'],
    ])
    const method = methodOf(methods, 'authorization')
    expect(method.typedData.domain).toMatchObject({ name: 'Test USD Coin', version: '1' })
    const signature = await signWith(keyOf(DONOR))(method.typedData)
    for (const call of method.relay.calls) await world.send(3, call)
    const before = await world.balanceOf(keyOf(DONOR).address.toLowerCase())
    // A relayer cannot redirect the refund, because the signed nonce contains the donor's address.
    const greedy = await world.send(3, relayOf(method, signature, { 1: keyOf(3).address }))
    await world.settle(world.send(3, relayOf(method, signature)))
    const receipt = await world.chain.call<{ status: string }>('eth_getTransactionReceipt', [
      greedy.hash,
    ])
    expect(receipt.status).toBe('0x0')
    expect(await world.balanceOf(keyOf(DONOR).address.toLowerCase())).toBe(before - 12_500_000n)
    const paid = await read(intent.id)
    expect(paid).toMatchObject({ status: 'completed', refund: 'on_chain' })
    expect(paid.payment).toMatchObject({ state: 'exact', methods: [] })
    await world.settle(world.cancel())
    expect(await getDonationRefund(world.ctx, intent.id)).toMatchObject({
      receiver: keyOf(DONOR).address,
    })
  })

  test('is paid by calls, and leaves out the deployment once the escrow has code', async () => {
    const { world, intend, read } = await setUp()
    const intent = await intend()
    const { sendCalls } = methodOf(intent.payment?.methods, 'calls')
    expect(sendCalls).toMatchObject({ version: '2.0.0', chainId: '0x7a69', atomicRequired: false })
    expect(sendCalls.calls).toHaveLength(3)
    for (const { to, data } of sendCalls.calls) {
      await world.chain.send(await world.chain.sign(DONOR, { to, data, gasLimit: GAS }))
    }
    await world.settle()
    expect(await read(intent.id)).toMatchObject({ status: 'completed', refund: 'on_chain' })
    const next = await intend()
    expect(methodOf(next.payment?.methods, 'calls').sendCalls.calls).toHaveLength(2)
    expect(methodOf(next.payment?.methods, 'authorization').relay.calls).toEqual([])
  })

  test.each(['authorization', 'calls'] as const)(
    'costs the first donor about the gas that the page tells, by %s',
    async (name) => {
      const { world, intend } = await setUp()
      const { payment } = await intend()
      if (!payment) throw new Error('There is no intent.')
      const found = methodOf(payment.methods, name)
      const calls = methodOf(payment.methods, 'calls')
      const steps = stepsOf(
        { ...payment, methods: found === calls ? [calls] : [found, calls] },
        false,
      )
      const sent =
        found.method === 'authorization'
          ? [...found.relay.calls, relayOf(found, await signWith(keyOf(DONOR))(found.typedData))]
          : calls.sendCalls.calls
      const told = steps.filter(({ kind }) => kind !== 'permission').map(({ gas }) => gas)
      expect(told).toHaveLength(sent.length)
      for (const [index, call] of sent.entries()) {
        const { hash } = await world.send(DONOR, call)
        await world.settle()
        const { gasUsed, status } = await world.chain.call<{ gasUsed: string; status: string }>(
          'eth_getTransactionReceipt',
          [hash],
        )
        expect(status).toBe('0x1')
        const share = (told[index] ?? 0) / Number(gasUsed)
        expect([told[index], share >= 1 && share < 1.4 ? 'about' : Number(gasUsed)]).toEqual([
          told[index],
          'about',
        ])
      }
    },
  )

  test('is paid by a transfer as before, which only verifiers can refund', async () => {
    const { world, intend, read } = await setUp()
    const intent = await intend()
    expect(intent.refund).toBeNull()
    expect(methodOf(intent.payment?.methods, 'transfer')).toMatchObject({
      refund: 'by_verifiers',
      uri: intent.payment?.uri,
      note: expect.stringMatching(
        /verifiers must sign.*from an exchange goes back to the exchange/,
      ),
    })
    await world.settle(world.pay(DONOR, 12_500_000n))
    expect(await read(intent.id)).toMatchObject({ status: 'completed', refund: 'by_verifiers' })
  })

  test('has no authorization while no node can name the domain of the token', async () => {
    const { ctx, intend, read } = await setUp()
    const intent = await intend({ ...ctx, contracts: noContracts })
    expect(intent.payment?.methods?.map(({ method }) => method)).toEqual(['calls', 'transfer'])
    expect((await read(intent.id)).payment?.methods).toHaveLength(3)
  })

  test('has an authorization that the chain takes, also if its clock is ahead', async () => {
    const { world, ctx, intend, read } = await setUp()
    await world.passTime(3 * DAY_SECONDS)
    await world.settle()
    const behind = createFakeClock()
    const intent = await intend({ ...ctx, clock: behind })
    const method = methodOf(intent.payment?.methods, 'authorization')
    const signature = await signWith(keyOf(DONOR))(method.typedData)
    for (const call of [...method.relay.calls, relayOf(method, signature)]) {
      await world.send(3, call)
    }
    await world.settle()
    expect(await read(intent.id)).toMatchObject({ refund: 'on_chain' })
  })

  test('has no authorization any more when it would end at once', async () => {
    const { ctx, intend } = await setUp()
    const intent = await intend()
    const methods = async (now: Date) => {
      const clock = createFakeClock(now)
      const { payment } = await getDonation({ ...ctx, clock }, intent.id)
      return payment?.methods?.map(({ method }) => method)
    }
    const expiresAt = intent.payment?.expiresAt
    expect(await methods(new Date(Number(expiresAt) - 1_000))).toContain('authorization')
    expect(await methods(new Date(Number(expiresAt) + 1_000))).toEqual(['calls', 'transfer'])
  })

  test('has only a transfer after the deadline of the escrow', async () => {
    const { world, ctx, intend } = await setUp()
    await world.passTime(world.terms.deadline - Math.floor(Date.now() / 1_000) + 60)
    await world.settle()
    // The newest block decides, because our clock may be behind the chain's clock.
    for (const clock of [ctx.clock, createFakeClock()]) {
      const intent = await intend({ ...ctx, clock })
      expect(intent.payment?.methods).toMatchObject([
        { method: 'transfer', note: expect.stringContaining('deadline of the escrow is over') },
      ])
    }
  })

  test('has only a transfer after the first release, which the contract shares with other donors', async () => {
    const { world, intend, read } = await setUp()
    const early = await intend()
    await world.deploy()
    await world.settle(world.pay(1, 70_000_000n))
    expect((await read(early.id)).payment?.methods).toHaveLength(3)
    await world.mine(world.release(0))
    await world.follow()
    // The block of the release is not final yet.
    const late = await intend()
    for (const { payment } of [late, await read(early.id)]) {
      expect(payment?.methods).toEqual([
        {
          ...{ method: 'transfer', refund: 'by_verifiers', uri: payment?.uri },
          note: expect.stringMatching(
            /has paid a milestone.*verifiers.*only a share.*goes to the recipient.*goes back to the exchange/,
          ),
        },
      ])
    }
    const refused = await world.donate(DONOR, 12_500_000n)
    await world.settle()
    const receipt = await world.chain.call<{ status: string }>('eth_getTransactionReceipt', [
      refused.hash,
    ])
    expect(receipt.status).toBe('0x0')
    const plain = await world.record(await world.pay(DONOR, 30_000_000n), '30')
    await world.settle()
    await world.settle(world.cancel())
    expect(await read(late.id)).toMatchObject({ status: 'failed', payment: { methods: [] } })
    // 100 USDC came in and 30 were released, so a transfer of 30 has a share of 21.
    const share = { amount: '30000000', share: '21000000' }
    expect(await world.returns()).toContainEqual(expect.objectContaining(share))
    await expect(getDonationRefund(world.ctx, plain)).rejects.toMatchObject({
      code: 'refund_by_verifiers',
    })
  })

  test('has only a transfer once a block shows that the escrow has failed', async () => {
    const { world, intend } = await setUp({ terms: { surplusToRecipient: false } })
    await world.settle(world.deploy())
    await world.mine(world.cancel())
    await world.follow()
    expect((await intend()).payment?.methods).toMatchObject([
      { method: 'transfer', note: expect.stringContaining('what you pay goes to all donors') },
    ])
  })

  test('is refused in an asset that the escrow does not hold', async () => {
    const { world, ctx, intend } = await setUp()
    await expect(intend(ctx, world.campaignId, 'ETH')).rejects.toMatchObject({
      code: 'unknown_currency',
      message: expect.stringContaining('to this escrow USDC'),
    })
  })

  test('of a plain campaign has no methods and no road of refund', async () => {
    const { world, ctx, intend } = await setUp()
    const campaignId = await createTestCampaign(ctx, {
      ...{ creator: world.creator, account: keyOf(5).address, target: '100' },
    })
    const intent = await intend(ctx, campaignId)
    expect(intent).toMatchObject({ refund: null, payment: { methods: null } })
    await expect(getDonationRefund(ctx, intent.id)).rejects.toMatchObject({ code: 'not_escrowed' })
  })
})
