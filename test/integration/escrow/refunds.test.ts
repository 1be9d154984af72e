import { describe, expect, test } from 'vitest'
import { selectors } from '../../../contracts-abi/index.ts'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import {
  findAccountRefunds,
  getDonationRefund,
  prepareReturns,
} from '../../../src/domain/campaigns/index.ts'
import { closeCall } from '../../../src/escrow/calls.ts'
import { NATIVE_ASSET } from '../../../src/kernel/escrow-event.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { encodeAddressAmount, hasAnvil, type Signed } from '../../support/test-chain.ts'
import { deploy, deployWallet, keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { deploy as deployContract, nodeBefore } from '../chain/support/payments.ts'
import { returnOf } from './support/followed-world.ts'
import { createRefundWorld, signedBy, withLastByte } from './support/refund-world.ts'
import { authorizedTransfer, transferTo } from './support/token-calls.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()

/**
 * A failed escrow that received 70 USDC from recorded and plain donors, and has released 30 of
 * them.
 */
const failed = async () => {
  const world = await createRefundWorld()
  const paid = await world.pay(1, 30_000_000n)
  const plain = await world.record(paid, '30')
  await world.settle(world.deploy())
  const recorded = await world.record(await world.donate(2, 35_000_001n), '35.000001')
  const both = await world.record(await world.donate(1, 4_999_999n), '4.999999')
  await world.chain.mine()
  await world.settle(world.release(0))
  await world.settle(world.cancel())
  return { world, plain, recorded, both, transfer: { transaction: paid.hash, position: 0 } }
}

describe.skipIf(!hasAnvil)('refunds of an escrow', () => {
  test('pay recorded and plain donors to the unit, and books agree after each', async () => {
    const { world, plain, recorded, both, transfer } = await failed()
    const { ctx } = world
    const before = [await world.balanceOf(wallet(1)), await world.balanceOf(wallet(2))]

    const ready = await getDonationRefund(ctx, recorded)
    expect(ready).toMatchObject({
      receiver: keyOf(2).address,
      transaction: { value: '0', simulated: { ok: true, gas: expect.any(Number) } },
    })
    await world.sendReady(ready.transaction)
    await world.settle(world.sendReady((await getDonationRefund(ctx, both)).transaction))
    await expect(getDonationRefund(ctx, recorded)).rejects.toMatchObject({
      code: 'already_refunded',
    })

    await expect(getDonationRefund(ctx, plain)).rejects.toMatchObject({
      ...{ code: 'refund_by_verifiers', message: expect.stringContaining('2 verifiers') },
    })
    // The share of 30 USDC is 30 × 40 ÷ 70, because 40 of 70 USDC are left.
    expect(await world.returns()).toMatchObject([
      {
        ...{ ...transfer, sender: keyOf(1).address, receiver: keyOf(1).address },
        ...{ amount: '30000000', share: '17142857', returned: null },
      },
    ])
    await world.mine(world.giveAllBack())
    await world.follow()
    await expect(getDonationRefund(ctx, plain)).rejects.toMatchObject({ code: 'already_refunded' })
    expect(await world.returns()).toMatchObject([{ returned: { state: 'sent' } }])
    await world.settle()
    expect(await world.returns()).toMatchObject([
      { returned: { state: 'done', receiver: keyOf(1).address, amount: '17142857' } },
    ])
    await expect(
      world.giveBack([{ ...transfer, receiver: keyOf(1).address }]),
    ).rejects.toMatchObject({ code: 'already_refunded' })
    // 4.999999 × 40 ÷ 70 = 2.857142…, and 35.000001 × 40 ÷ 70 = 20.000000…
    expect(await world.balanceOf(wallet(1))).toBe((before[0] ?? 0n) + 17_142_857n + 2_857_142n)
    expect(await world.balanceOf(wallet(2))).toBe((before[1] ?? 0n) + 20_000_000n)
    expect(await world.balanceOf(world.account)).toBe(1n)
    expect((await world.state()).donations).toEqual([
      'partly_refunded 17142857',
      'partly_refunded 20000000',
      'partly_refunded 2857142',
    ])
  })

  test('are not stopped by a stranger who pays one unit, again and again', async () => {
    const { world, transfer } = await failed()
    const list = [{ ...transfer, receiver: keyOf(1).address }]
    const validUntil = new Date(world.clock.now().getTime() + 3_600_000)
    const asked = { list, validUntil, signatures: [] }
    const { typedData } = await prepareReturns(world.ctx, world.campaignId, asked)
    const signatures = [await signedBy(8, typedData)]
    await world.settle(world.pay(5, 1n))
    signatures.push(await signedBy(9, typedData))
    const signed = { ...asked, signatures }
    const { transaction } = await prepareReturns(world.ctx, world.campaignId, signed)
    expect(transaction?.simulated).toMatchObject({ ok: true })
    await world.settle(world.pay(5, 1n))
    if (transaction) await world.sendReady(transaction)
    await world.settle()
    expect(await world.returns()).toMatchObject([
      { ...transfer, returned: { state: 'done' } },
      { amount: '1', share: '1', returned: null },
      { amount: '1', share: '1', returned: null },
    ])
  })

  test('count signatures with every last byte that wallets write', async () => {
    const { world, transfer } = await failed()
    const list = [{ ...transfer, receiver: keyOf(5).address }]
    const validUntil = new Date(world.clock.now().getTime() + 3_600_000)
    const asked = { list, validUntil, signatures: [] }
    const { typedData } = await prepareReturns(world.ctx, world.campaignId, asked)
    const [one, other] = [await signedBy(8, typedData), await signedBy(9, typedData)]
    const signatures = [
      { ...one, signature: withLastByte(one.signature, -27) },
      // Signers that follow EIP-155 write a last byte that contains the chain id.
      { ...other, signature: withLastByte(other.signature, 8) },
    ]
    const signed = { ...asked, signatures }
    const { transaction } = await prepareReturns(world.ctx, world.campaignId, signed)
    expect(transaction?.simulated).toMatchObject({ ok: true })
  })

  test('of payments by contracts go to wallets themselves, and never to the signer', async () => {
    const world = await createRefundWorld()
    const { chain, account } = world
    await world.deploy()
    const router = await deploy(chain, testContracts.multicall.bytecode)
    const safe = await deployWallet(chain, [1], 1)
    for (const contract of [router, safe]) {
      await chain.send(await chain.signToken(1, contract, 10n))
    }
    await chain.mine()
    await world.batch(2, router, [transferTo(account, 7n)])
    await chain.mine()
    const authorized = { from: safe, to: account, value: 8n }
    await world.send(2, await authorizedTransfer(keyOf(1), authorized))
    await world.settle(world.cancel())
    expect(await world.returns()).toMatchObject([
      { amount: '7', sender: toChecksumAddress(router), receiver: null },
      { amount: '8', receiver: toChecksumAddress(safe) },
    ])
  })

  test('of payments by calls name no receiver if only their signer is known', async () => {
    const world = await createRefundWorld({
      through: async (chain) => [(await nodeBefore(chain, 'no traces')).url],
    })
    const router = await deployContract(world.chain, 'router')
    const paid = await router.call(1, 'forward', [world.account], 7n)
    await world.settle(world.record(paid, '0.01'))
    await world.deploy()
    await world.settle(world.cancel())
    expect(await world.returns()).toMatchObject([
      { transaction: paid.hash, amount: '7', sender: keyOf(1).address, receiver: null },
    ])
  })

  test('of tokens that a bridge creates for the escrow name no receiver', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    const data = encodeAddressAmount(selectors.mint, world.account, 7n)
    await world.send(2, { to: TOKEN, data })
    await world.settle(world.cancel())
    expect(await world.returns()).toMatchObject([
      { amount: '7', sender: NATIVE_ASSET, receiver: null },
    ])
  })

  test('share what came up to the block of the failure, and return later payments in full', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    await world.record(await world.donate(4, 70_000_000n), '70')
    await world.settle(world.pay(1, 10_000_000n))
    await world.mine(world.release(0))
    await world.pay(2, 8_000_000n)
    await world.settle(world.cancel())
    await world.settle(world.pay(5, 6_000_000n))
    // At the failure 58 of 88 USDC were left. The shares of recorded donors stay in the contract.
    expect(await world.returns()).toMatchObject([
      { amount: '10000000', share: '6590909' },
      { amount: '8000000', share: '5272727' },
      { amount: '6000000', share: '6000000' },
    ])
    await world.giveAllBack()
    await world.settle(world.refund(wallet(4)))
    expect(await world.balanceOf(world.account)).toBeLessThan(4n)
  })

  test('show no amount of another asset that verifiers paid in place of a transfer', async () => {
    const { world, transfer } = await failed()
    await world.chain.call('anvil_setBalance', [world.account, '0x100'])
    const paid = returnOf({ hash: transfer.transaction } as Signed, wallet(5), 9n)
    await world.settle(world.returnTransfers({ ...paid, asset: NATIVE_ASSET }))
    expect(await world.returns()).toMatchObject([{ returned: { amount: '0', state: 'done' } }])
  })

  test('are not promised where the share is below one unit', async () => {
    const world = await createRefundWorld({ terms: { surplusToRecipient: false } })
    await world.deploy()
    const recorded = await world.record(await world.donate(2, 70_000_000n), '70')
    const plain = await world.record(await world.pay(1, 1n), '0.000001')
    await world.chain.mine()
    for (const milestone of [0, 1]) await world.release(milestone)
    await world.settle()
    await world.settle(world.send(3, closeCall(world.account)))
    for (const [donation, key] of [
      [recorded, 2],
      [plain, 1],
    ] as const) {
      await expect(getDonationRefund(world.ctx, donation)).rejects.toMatchObject({
        code: 'conflict',
      })
      const { refunds } = await findAccountRefunds(world.ctx, world.campaignId, wallet(key))
      expect(refunds).toEqual([])
    }
    await world.giveAllBack()
    await world.settle()
    await expect(getDonationRefund(world.ctx, plain)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('return transfers to the receiver that the donor has proven', async () => {
    const { world, transfer } = await failed()
    const before = await world.balanceOf(wallet(5))
    await world.settle(world.giveBack([{ ...transfer, receiver: keyOf(5).address }]))
    expect(await world.balanceOf(wallet(5))).toBe(before + 17_142_857n)
    expect((await world.state()).donations[0]).toBe('partly_refunded 17142857')
    await world.pay(1, 5n)
    await world.settle()
    expect(await world.returns()).toMatchObject([
      { receiver: null, returned: { receiver: keyOf(5).address } },
      { receiver: keyOf(1).address, returned: null },
    ])
  })
})

describe.skipIf(!hasAnvil)('events of an escrow in one block', () => {
  test('count in the order of their transactions, not of their log positions', async () => {
    const world = await createRefundWorld({
      milestones: ['70'],
      terms: { surplusToRecipient: false },
    })
    await world.deploy()
    const plain = await world.record(await world.pay(1, 100_000_000n), '100')
    await world.settle()
    await world.release(0)
    await world.settle(world.send(3, closeCall(world.account)))
    expect(
      await world.ctx.sql`select kind, position, block_number - min(block_number) over () as later
                          from escrow_event order by position, kind`,
    ).toMatchObject([
      { kind: 'Activated', position: 0, later: 0 },
      { kind: 'Failed', position: 0, later: 0 },
      { kind: 'MilestoneReleased', position: 1, later: 0 },
    ])
    expect(await world.returns()).toMatchObject([{ share: '30000000' }])
    await expect(getDonationRefund(world.ctx, plain)).rejects.toMatchObject({
      code: 'refund_by_verifiers',
    })
  })
})

describe.skipIf(!hasAnvil)('the return of a transfer', () => {
  test('is refused before the end, for unknown transfers and for receivers that cannot pay on', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    const paid = await world.pay(1, 10n)
    const recorded = await world.donate(2, 5n)
    await world.settle()
    const receiver = keyOf(1).address
    const transfer = { transaction: paid.hash, position: 0, receiver }
    const hour = new Date(world.clock.now().getTime() + 3_600_000)
    const prepare = (list: object[], validUntil = hour) =>
      prepareReturns(world.ctx, world.campaignId, {
        list: list.map((changes) => ({ ...transfer, ...changes })),
        ...{ validUntil, signatures: [] },
      })
    expect(await world.returns()).toMatchObject([{ amount: '10', share: null }])
    await expect(prepare([{}])).rejects.toMatchObject({ code: 'campaign_not_failed' })
    await world.settle(world.cancel())
    expect((await prepare([{}])).typedData.message.list).toMatchObject([{ amount: '10' }])
    const year = new Date(world.clock.now().getTime() + 365 * 86_400_000)
    for (const [list, path, until] of [
      [[{ position: 1 }], 'list.0.position'],
      [[{}, {}], 'list.0.position'],
      [[{ transaction: recorded.hash }], 'list.0.position'],
      [[{ receiver: world.account }], 'list.0.receiver'],
      [[{ receiver: TOKEN }], 'list.0.receiver'],
      [[{ receiver: `0x${'0'.repeat(40)}` }], 'list.0.receiver'],
      [[{}], 'validUntil', year],
      [[{}], 'validUntil', new Date(world.clock.now())],
    ] as const) {
      await expect(prepare([...list], until)).rejects.toMatchObject({
        ...{ code: 'invalid_input', details: [{ path }] },
      })
    }
  })

  test('takes signatures of different verifiers of the terms only, of this list only', async () => {
    const { world, transfer } = await failed()
    const validUntil = new Date(world.clock.now().getTime() + 3_600_000)
    const prepare = (receiver: number, ...signatures: { verifier: string; signature: string }[]) =>
      prepareReturns(world.ctx, world.campaignId, {
        list: [{ ...transfer, receiver: keyOf(receiver).address }],
        ...{ validUntil, signatures },
      })
    const { needed, typedData } = await prepare(1)
    expect(needed).toBe(2)
    const [one, other] = [await signedBy(8, typedData), await signedBy(9, typedData)]
    const stranger = await signedBy(4, typedData)
    await expect(prepare(1, stranger)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(prepare(1, { ...stranger, verifier: one.verifier })).rejects.toMatchObject({
      code: 'invalid_signature',
    })
    await expect(prepare(2, one, other)).rejects.toMatchObject({ code: 'invalid_signature' })
    expect((await prepare(1, one)).transaction).toBeNull()
    expect((await prepare(1, one, other)).transaction?.simulated).toMatchObject({ ok: true })
  })
})
