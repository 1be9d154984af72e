import { Interface } from 'ethers'
import { describe, expect, test } from 'vitest'
import { testWallet } from '../../../contracts-abi/test-contracts.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { checkVerification, verifyMilestone } from '../../../src/domain/campaigns/index.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deployWallet, keyOf, planWallet, signTogether } from '../../support/test-wallets.ts'
import { createUser } from '../../support/world.ts'
import {
  createVerifiedWorld,
  createVerifier,
  EVIDENCE,
  signWith,
} from './support/verified-world.ts'

describe.skipIf(!hasAnvil)('a contract wallet', () => {
  /** A real chain, and a verifier whose wallet is a contract. */
  const setUp = async () => {
    const chain = await startTestChain()
    const world = await createVerifiedWorld({ rpcUrl: chain.url })
    await world.give(100n)
    const verifier = await createUser(world.ctx, ['verifier'])
    return { chain, world, verifier }
  }

  test('verifies by EIP-1271 with its own threshold, and the block at which it was asked is kept', async () => {
    const { chain, world, verifier } = await setUp()
    const wallet = await deployWallet(chain, [1, 2, 3], 2)
    await linkWallet(world, verifier.userId, wallet, { method: 'eip1271' })
    const typedData = await world.typedData()
    const tooFew = await signTogether([1], (key) => signWith(key)(typedData))
    await expect(world.submit(verifier, world.input(tooFew))).rejects.toMatchObject({
      code: 'forbidden',
    })
    const enough = await signTogether([3, 1], (key) => signWith(key)(typedData))
    const { verification, milestone } = await world.submit(verifier, world.input(enough))
    expect(verification).toMatchObject({ method: 'eip1271', blockNumber: await chain.head() })
    expect(milestone.status).toBe('released')
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  })

  test('refuses those who are its owners no longer; a repetition of what was accepted stays good', async () => {
    const { chain, world, verifier } = await setUp()
    const wallet = await deployWallet(chain, [1], 1)
    await linkWallet(world, verifier.userId, wallet, { method: 'eip1271' })
    const first = world.input(await signWith(keyOf(1))(await world.typedData()))
    await world.submit(verifier, first)
    const data = new Interface(testWallet.abi).encodeFunctionData('setOwner', [
      keyOf(1).address,
      false,
    ])
    await chain.send(await chain.sign(0, { to: wallet, data }))
    await chain.mine()
    const second = await signWith(keyOf(1))(await world.typedData('completed', 1))
    await expect(
      world.submit(verifier, world.input(second, { milestone: 1 })),
    ).rejects.toMatchObject({ code: 'forbidden' })
    expect(await world.submit(verifier, first)).toMatchObject({ created: false })
  })

  test('verifies by EIP-6492 before it is deployed', async () => {
    const { chain, world, verifier } = await setUp()
    const plan = await planWallet(chain, [1, 2], 2)
    await linkWallet(world, verifier.userId, plan.address, { method: 'eip6492' })
    const typedData = await world.typedData()
    const signature = await signTogether([1, 2], (key) => signWith(key)(typedData))
    const { verification } = await world.submit(verifier, world.input(plan.wrap(signature)))
    expect(verification.method).toBe('eip6492')
    expect((await world.milestone())?.status).toBe('released')
  })

  test('is asked only on the chain on which it was linked', async () => {
    const { chain, world, verifier } = await setUp()
    const wallet = await deployWallet(chain, [1], 1)
    await linkWallet(world, verifier.userId, wallet, { method: 'eip1271', chainId: 10 })
    const signature = await signWith(keyOf(1))(await world.typedData())
    await expect(world.submit(verifier, world.input(signature))).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('has another error than a chain that does not answer', async () => {
    const { chain, world, verifier } = await setUp()
    const wallet = await deployWallet(chain, [1], 1)
    await linkWallet(world, verifier.userId, wallet, { method: 'eip1271' })
    const unreachable = await createVerifiedWorld({ rpcUrl: 'http://127.0.0.1:9' })
    await unreachable.give(30n)
    const other = await createUser(unreachable.ctx, ['verifier'])
    await linkWallet(unreachable, other.userId, wallet, { method: 'eip1271' })
    const signature = await signWith(keyOf(1))(await unreachable.typedData())
    await expect(unreachable.submit(other, unreachable.input(signature))).rejects.toMatchObject({
      code: 'unavailable',
    })
    // The key of the same verifier needs no node.
    await linkWallet(unreachable, other.userId, keyOf(1).address)
    expect((await unreachable.submit(other, unreachable.input(signature))).created).toBe(true)
  })
})

describe('the signer is who counts', () => {
  test('an administrator and another verifier may carry a signature whose wallet they name', async () => {
    const world = await createVerifiedWorld()
    const signer = await createVerifier(world, 1)
    const carriers = [await createUser(world.ctx, ['admin']), await createVerifier(world, 2)]
    await world.give(100n)
    for (const [milestone, carrier] of carriers.entries()) {
      const signature = await signWith(signer.key)(await world.typedData('completed', milestone))
      const given = world.input(signature, { milestone })
      await expect(world.submit(carrier, given)).rejects.toMatchObject({ code: 'forbidden' })
      const { verification } = await world.submit(
        carrier,
        world.input(signature, { milestone, verifierAddress: signer.key.address }),
      )
      expect(verification.verifierId).toBe(signer.userId)
    }
  })

  test('refuses a caller who is neither verifier nor administrator', async () => {
    const world = await createVerifiedWorld()
    const signer = await createVerifier(world, 1)
    await world.give(30n)
    const signature = await signWith(signer.key)(await world.typedData())
    const stranger = await createUser(world.ctx)
    await expect(
      world.submit(stranger, world.input(signature, { verifierAddress: signer.key.address })),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('refuses a wallet that is not linked, or is linked to a user who is no verifier', async () => {
    const world = await createVerifiedWorld()
    await world.give(30n)
    const admin = await createUser(world.ctx, ['admin'])
    const signature = await signWith(keyOf(1))(await world.typedData())
    const given = world.input(signature, { verifierAddress: keyOf(1).address })
    await expect(world.submit(admin, given)).rejects.toMatchObject({ code: 'forbidden' })
    await linkWallet(world, admin.userId, keyOf(1).address)
    await expect(world.submit(admin, given)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(world.submit(admin, world.input(signature))).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('refuses the creator of the campaign, whichever user sends it', async () => {
    const world = await createVerifiedWorld()
    const other = await createVerifier(world, 2)
    await world.give(30n)
    await world.ctx.sql`update app_user set roles = '{verifier}' where id = ${world.creator.userId}`
    await linkWallet(world, world.creator.userId, keyOf(1).address)
    const creator = { ...world.creator, roles: ['verifier'] }
    const signature = await signWith(keyOf(1))(await world.typedData())
    for (const caller of [creator, other]) {
      const given = world.input(signature, { verifierAddress: keyOf(1).address })
      await expect(world.submit(caller, given)).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test('refuses a verifier who lost the role, or the wallet, between check and record', async () => {
    const world = await createVerifiedWorld()
    const verifier = await createVerifier(world, 1)
    await world.give(30n)
    for (const change of [
      world.ctx.sql`update app_user set roles = '{}' where id = ${verifier.userId}`,
      world.ctx.sql`delete from wallet where user_id = ${verifier.userId}`,
    ]) {
      const given = world.input(await signWith(verifier.key)(await world.typedData()))
      const checked = await checkVerification(world.as(verifier), given)
      await change
      await expect(verifyMilestone(world.as(verifier), checked)).rejects.toMatchObject({
        code: 'forbidden',
      })
      await world.ctx.sql`update app_user set roles = '{verifier}' where id = ${verifier.userId}`
    }
  })

  const OTHER = [{ ...EVIDENCE[0], url: 'https://example.org/other.jpg' }] as typeof EVIDENCE

  test.each([
    ['another decision', { status: 'rejected' as const }],
    ['another milestone', { milestone: 1 }],
    ['other evidence', { evidence: OTHER }],
    ['more evidence', { evidence: [...EVIDENCE, ...OTHER] }],
  ])('refuses a signature that was made for %s', async (_what, changes) => {
    const world = await createVerifiedWorld()
    const verifier = await createVerifier(world, 1)
    await world.give(100n)
    const signature = await signWith(verifier.key)(await world.typedData())
    await expect(world.submit(verifier, world.input(signature, changes))).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await world.events()).toEqual([])
  })

  test('refuses a signature that was made for another chain', async () => {
    const world = await createVerifiedWorld()
    const verifier = await createVerifier(world, 1)
    await world.give(30n)
    const typedData = await world.typedData()
    const elsewhere = { ...typedData, domain: { ...typedData.domain, chainId: 1 } }
    const signature = await signWith(verifier.key)(elsewhere)
    await expect(world.submit(verifier, world.input(signature))).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
