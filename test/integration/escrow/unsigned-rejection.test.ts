import { Interface } from 'ethers'
import { describe, expect, test } from 'vitest'
import { testWallet } from '../../../contracts-abi/test-contracts.ts'
import type { TypedData } from '../../../src/kernel/ports/signatures.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { deployWallet, keyOf } from '../../support/test-wallets.ts'
import { createUser } from '../../support/world.ts'
import { createVerifier, EVIDENCE, signWith } from '../milestones/support/verified-world.ts'
import { createEscrowWorld, pay, type Ready, sendReady, VERIFIERS } from './support/escrow-world.ts'
import { startFactoryChain } from './support/planned.ts'

const STRANGER = 8
const OWNER = 9

/**
 * A contract wallet rejects round 0, in the service only, and a key approves the next round. With
 * `first`, the key has rejected an earlier round.
 */
const setUp = async ({ first = false } = {}) => {
  const chain = await startFactoryChain()
  const wallet = await deployWallet(chain, [OWNER], 1)
  const verifiers = [...VERIFIERS.slice(0, 1), wallet]
  const world = await createEscrowWorld({ chain, verifiers, required: [1, 1] })
  const byKey = await createVerifier(world, 1)
  const byWallet = await createUser(world.ctx, ['verifier'])
  await linkWallet(world, byWallet.userId, wallet, { method: 'eip1271' })
  await world.give(70n)
  await pay(chain, world, 70n)
  if (first) await world.decide(byKey, 'rejected')
  const signature = await signWith(keyOf(OWNER))(await world.typedData('rejected'))
  await world.submit(byWallet, world.input(signature, { status: 'rejected' }))
  await world.decide(byKey)
  return {
    ...{ chain, world },
    /** Calls `POST /api/milestones/:id/rejection`. */
    rejectAgain: (signature?: { verifier: string; signature: string }, milestone = 0) =>
      world.ask('POST', `/api/milestones/${world.milestoneIds[milestone]}/rejection`, {
        body: { evidence: EVIDENCE, signatures: signature ? [signature] : [] },
      }),
    async removeOwner() {
      const name = new Interface(testWallet.abi)
      const data = name.encodeFunctionData('setOwner', [keyOf(OWNER).address, false])
      await chain.send(await chain.sign(0, { to: wallet, data }))
      await chain.mine()
    },
  }
}

describe.skipIf(!hasAnvil)('a rejection that its contract wallet no longer confirms', () => {
  test('is not sent to the escrow, and the refusal says what to do', async () => {
    const { world, removeOwner } = await setUp()
    expect((await world.read('release')).ready.simulated?.ok).toBe(true)
    await removeOwner()
    for (const what of ['release', 'rejection'] as const) {
      expect(await world.read(what)).toMatchObject({
        ...{ status: 409, code: 'milestone_not_verified' },
        error: expect.stringMatching(/rejection of round 0.* no longer confirms .*POST/),
      })
    }
  })

  test('does not stop the rejections before it, and is signed again after them', async () => {
    const { chain, world, removeOwner, rejectAgain } = await setUp({ first: true })
    // The first of the three calls deploys the escrow.
    expect((await world.read('rejection')).ready.sendCalls.calls).toHaveLength(3)
    await removeOwner()
    expect(await world.read('release')).toMatchObject({
      ...{ status: 409, code: 'milestone_not_verified' },
      error: expect.stringMatching(/round 1, .*First send .*GET .*rejection/),
    })
    const { ready } = await world.read('rejection')
    expect(ready.sendCalls.calls).toHaveLength(2)
    expect((await sendReady(chain, STRANGER, ready)).at(-1)?.status).toBe('0x1')
    expect(await world.read('rejection')).toMatchObject({
      ...{ status: 409, code: 'milestone_not_verified' },
      error: expect.stringMatching(/rejection of round 1.* no longer confirms .*POST/),
    })
    expect((await rejectAgain()).body).toMatchObject({ typedData: { message: { round: 1 } } })
  })

  test('is signed again by any verifier, and then the milestone is released', async () => {
    const { chain, world, removeOwner, rejectAgain } = await setUp()
    await removeOwner()
    const asked = await rejectAgain()
    expect(asked).toMatchObject({
      status: 200,
      body: { needed: 1, typedData: { message: { milestone: 0, round: 0 } }, transaction: null },
    })
    const signature = await signWith(keyOf(1))(asked.body.typedData as TypedData)
    const { body } = await rejectAgain({ verifier: keyOf(1).address, signature })
    const rejection = await sendReady(chain, STRANGER, body.transaction as Ready)
    expect(rejection.at(-1)?.status).toBe('0x1')
    const [released] = await sendReady(chain, STRANGER, (await world.read('release')).ready)
    expect(released?.status).toBe('0x1')
    expect(await rejectAgain()).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  test('is not signed again by a stranger, or while the escrow is in the newest round', async () => {
    const { world, rejectAgain } = await setUp()
    const { body } = await rejectAgain()
    const signature = await signWith(keyOf(STRANGER))(body.typedData as TypedData)
    expect(await rejectAgain({ verifier: keyOf(STRANGER).address, signature })).toMatchObject({
      ...{ status: 403, body: { code: 'forbidden' } },
    })
    expect(await rejectAgain({ verifier: keyOf(1).address, signature })).toMatchObject({
      body: { code: 'invalid_signature' },
    })
    expect(await rejectAgain(undefined, 1)).toMatchObject({
      ...{ status: 409, body: { code: 'conflict' } },
    })
    expect((await world.milestone())?.status).toBe('verified')
  })
})
