import { describe, expect, test } from 'vitest'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { closeCall, proposeRootCall } from '../../../src/chain/escrow/calls.ts'
import { checkRootSignature, getDonationRefund } from '../../../src/domain/escrow/refund/index.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { deploy, deployWallet, keyOf } from '../../support/test-wallets.ts'
import { createUser, TOKEN } from '../../support/world.ts'
import { signWith } from '../milestones/support/verified-world.ts'
import { createRefundWorld, STRANGER, withLastByte } from './support/refund-world.ts'
import { authorizedTransfer, transferTo } from './support/token-calls.ts'

const wallet = (index: number) => keyOf(index).address.toLowerCase()

/** An escrow of 70 USDC with donors by both roads, of which 30 are released and the rest failed. */
const failed = async () => {
  const world = await createRefundWorld()
  const plain = await world.record(await world.pay(1, 30_000_000n), '30')
  await world.deploy()
  await world.settle()
  const recorded = await world.record(await world.donate(2, 35_000_001n), '35.000001')
  const both = await world.record(await world.donate(1, 4_999_999n), '4.999999')
  await world.chain.mine()
  await world.release(0)
  await world.settle()
  await world.cancel()
  await world.settle()
  return { world, plain, recorded, both }
}

describe.skipIf(!hasAnvil)('refunds of an escrow', () => {
  test('pay recorded and plain donors to the unit, and books agree after each', async () => {
    const { world, plain, recorded, both } = await failed()
    const { ctx } = world
    // 70 USDC came in, and 30 were released. A donor by both roads is in the root once.
    const root = await world.root()
    expect(root.leaves).toEqual([{ asset: TOKEN, donor: wallet(1), amount: '17142857' }])
    const before = [await world.balanceOf(wallet(1)), await world.balanceOf(wallet(2))]

    const ready = await getDonationRefund(ctx, recorded)
    expect(ready).toMatchObject({
      refund: 'on_chain',
      donor: keyOf(2).address,
      transaction: { value: '0', simulated: { ok: true, gas: expect.any(Number) } },
    })
    await world.sendReady(ready.transaction)
    await world.sendReady((await getDonationRefund(ctx, both)).transaction)
    await world.settle()
    await expect(getDonationRefund(ctx, recorded)).rejects.toMatchObject({
      code: 'already_refunded',
    })

    await expect(getDonationRefund(ctx, plain)).rejects.toMatchObject({
      code: 'refund_root_missing',
    })
    await world.propose()
    const from = (await world.refunds()).waiting?.readyAt.toISOString() ?? 'no time'
    await expect(getDonationRefund(ctx, plain)).rejects.toMatchObject({
      code: 'refund_window_open',
      message: expect.stringContaining(from),
    })
    await world.waitForRoot()
    expect(await world.refunds()).toMatchObject({
      inForce: { index: 0, root: root.root },
      waiting: null,
      propose: null,
    })
    const claim = await getDonationRefund(ctx, plain)
    expect(claim).toMatchObject({
      refund: 'by_verifiers',
      cumulative: '17142857',
      transaction: { simulated: { ok: true } },
    })
    await world.sendReady(claim.transaction)
    await world.settle()
    await expect(getDonationRefund(ctx, plain)).rejects.toMatchObject({ code: 'already_refunded' })
    // 4.999999 × 40 ÷ 70 = 2.857142…, 35.000001 × 40 ÷ 70 = 20.000000…
    expect(await world.balanceOf(wallet(1))).toBe((before[0] ?? 0n) + 17_142_857n + 2_857_142n)
    expect(await world.balanceOf(wallet(2))).toBe((before[1] ?? 0n) + 20_000_000n)
    expect(await world.balanceOf(world.account)).toBe(1n)
    expect((await world.state()).donations).toEqual([
      'partly_refunded 17142857',
      'partly_refunded 20000000',
      'partly_refunded 2857142',
    ])
  })

  test('name no time for a payment that came after the block of the root that waits', async () => {
    const world = await createRefundWorld()
    const early = await world.record(await world.pay(2, 10n), '0.00001')
    await world.deploy()
    await world.settle()
    const unsent = await world.chain.signToken(2, world.account, 5n)
    const late = await world.record(unsent, '0.000005')
    await world.cancel()
    await world.settle()
    await world.propose()
    await world.chain.send(unsent)
    await world.settle()
    await expect(getDonationRefund(world.ctx, early)).rejects.toMatchObject({
      code: 'refund_window_open',
    })
    await expect(getDonationRefund(world.ctx, late)).rejects.toMatchObject({
      code: 'refund_root_missing',
    })
  })

  test('by a vetoed root wait; the same verifier cannot veto the same root again', async () => {
    const { world, plain } = await failed()
    const { root } = await world.root()
    await world.propose()
    await world.veto(0, root)
    expect(await world.refunds()).toMatchObject({
      inForce: null,
      waiting: null,
      root: { index: 1, root, missing: 2, signatures: [] },
    })
    await expect(getDonationRefund(world.ctx, plain)).rejects.toMatchObject({
      code: 'refund_root_missing',
    })
    await world.propose()
    await world.veto(1, root)
    await world.waitForRoot()
    expect(await world.refunds()).toMatchObject({ inForce: { index: 1, root } })
    await world.sendReady((await getDonationRefund(world.ctx, plain)).transaction)
    await world.settle()
    expect((await world.state()).donations[0]).toBe('partly_refunded 17142857')
  })

  test('count signatures with every last byte that wallets write', async () => {
    const { world } = await failed()
    const root = await world.root()
    await world.signRootAs(8, root, (signature) => withLastByte(signature, -27))
    // A signer of EIP-155 adds the number of the chain. Any user may send this form again.
    await world.signRootAs(9, root)
    await world.signRootAs(9, root, (signature) => withLastByte(signature, 8))
    expect((await world.refunds()).propose).toMatchObject({ simulated: { ok: true } })
  })

  test('of payments by contracts go to wallets themselves, and to the signers of others', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    const router = await deploy(world.chain, testContracts.multicall.bytecode)
    const safe = await deployWallet(world.chain, [1], 1)
    for (const contract of [router, safe]) {
      await world.chain.send(await world.chain.signToken(1, contract, 10n))
    }
    await world.chain.mine()
    await world.batch(2, router, [transferTo(world.account, 10n)])
    await world.settle()
    const authorized = { from: safe, to: world.account, value: 10n }
    await world.send(2, await authorizedTransfer(keyOf(1), authorized))
    await world.cancel()
    await world.settle()
    const { leaves } = await world.root()
    expect(leaves).toHaveLength(2)
    expect(leaves).toContainEqual({ asset: TOKEN, donor: safe, amount: '10' })
    expect(leaves).toContainEqual({
      ...{ asset: TOKEN, donor: wallet(2), amount: '10' },
      transactions: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    })
  })

  test('share by the order of transactions in the block of the failure', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    await world.pay(1, 100n)
    await world.settle()
    await world.pay(1, 50n)
    await world.cancel()
    await world.pay(2, 50n)
    await world.settle()
    const { leaves } = await world.root()
    expect(leaves.map(({ amount }) => amount).sort()).toEqual(['150', '50'])
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
    await world.send(3, closeCall(world.account))
    await world.settle()
    expect(
      await world.ctx.sql`select kind, position, block_number - min(block_number) over () as later
                          from escrow_event order by position, kind`,
    ).toMatchObject([
      { kind: 'Activated', position: 0, later: 0 },
      { kind: 'Failed', position: 0, later: 0 },
      { kind: 'MilestoneReleased', position: 1, later: 0 },
    ])
    expect(await world.refunds()).toMatchObject({ state: 'failed', pool: '30000000' })
    await expect(getDonationRefund(world.ctx, plain)).rejects.toMatchObject({
      code: 'refund_root_missing',
    })
  })

  test('leave no root if a proposed root is vetoed at a lower log position', async () => {
    const { world } = await failed()
    const { root, typedData, ...rest } = await world.root()
    const signatures = await Promise.all(
      [8, 9].map(async (key) => ({
        verifier: world.terms.verifiers.indexOf(wallet(key)),
        data: await signWith(keyOf(key))(typedData),
      })),
    )
    const multicall = await deploy(world.chain, testContracts.multicall.bytecode)
    const proposal = { root, dataHash: rest.dataHash, signatures }
    await world.batch(3, multicall, [
      transferTo(world.account, 0n),
      proposeRootCall(world.account, proposal),
    ])
    await world.veto(0, root)
    expect(await world.refunds()).toMatchObject({ waiting: null, inForce: null })
  })
})

describe.skipIf(!hasAnvil)('a refund root', () => {
  test('is there only after the end of the escrow', async () => {
    const world = await createRefundWorld()
    await world.deploy()
    const plain = await world.record(await world.pay(1, 10n), '0.00001')
    await world.settle()
    expect(await world.refunds()).toMatchObject({ state: 'funding', root: null, propose: null })
    await expect(getDonationRefund(world.ctx, plain)).rejects.toMatchObject({
      code: 'campaign_not_failed',
    })
    const signed = { index: 0, root: `0x${'11'.repeat(32)}`, signature: '0x11' }
    await expect(
      checkRootSignature(world.asVerifier(8), world.campaignId, signed),
    ).rejects.toMatchObject({ code: 'campaign_not_failed' })
  })

  test('takes signatures of the verifiers of the terms only, of this root only, each once', async () => {
    const { world } = await failed()
    const root = await world.root()
    const check = (key: number, changes: object) =>
      checkRootSignature(world.asVerifier(key), world.campaignId, {
        ...{ index: root.index, root: root.root, signature: '0x11' },
        ...changes,
      })
    const sign = (key: number) => signWith(keyOf(key))(root.typedData)
    await expect(check(STRANGER, { signature: await sign(STRANGER) })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(
      check(8, { signature: await sign(STRANGER), verifier: wallet(STRANGER) }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    for (const signature of ['0x', '0x11', await sign(9)]) {
      await expect(check(8, { signature })).rejects.toMatchObject({ code: 'invalid_signature' })
    }
    const other = { ...root.typedData, message: { ...root.typedData.message, index: 1 } }
    await expect(check(8, { signature: await signWith(keyOf(8))(other) })).rejects.toMatchObject({
      code: 'invalid_signature',
    })
    for (const changes of [{ index: 1 }, { root: `0x${'11'.repeat(32)}` }]) {
      await expect(check(8, { ...changes, signature: await sign(8) })).rejects.toMatchObject({
        code: 'conflict',
      })
    }
    const user = await createUser(world.ctx)
    await expect(
      checkRootSignature({ ...world.ctx, actor: user }, world.campaignId, {
        ...{ index: 0, root: root.root, signature: await sign(8), verifier: wallet(8) },
      }),
    ).rejects.toMatchObject({ code: 'forbidden' })

    expect(await world.signRootAs(8, root)).toMatchObject({ created: true, missing: 1 })
    expect(await world.signRootAs(8, root)).toMatchObject({ created: false, missing: 1 })
    expect((await world.refunds()).propose).toBeNull()
    // One verifier may send the signature of another.
    expect(await check(8, { signature: await sign(9), verifier: wallet(9) })).toMatchObject({
      verifier: wallet(9),
    })
    expect(await world.signRootAs(9, root)).toMatchObject({ created: true, missing: 0 })
    expect(await world.refunds()).toMatchObject({
      root: { missing: 0 },
      propose: { simulated: { ok: true } },
    })
  })
})
