import { Interface } from 'ethers'
import { describe, expect, test } from 'vitest'
import { testWallet } from '../../../contracts-abi/test-contracts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deployWallet, keyOf } from '../../support/test-wallets.ts'
import { createUser } from '../../support/world.ts'
import { createVerifier, linkWallet, signWith } from '../milestones/support/verified-world.ts'
import { createEscrowWorld, pay, sendReady, VERIFIERS } from './support/escrow-world.ts'
import { deployFactory } from './support/planned.ts'

const STRANGER = 8
const OWNER = 9

/** A contract wallet rejects round 0 only in the service, and a key approves round 1. */
const setUp = async () => {
  const chain = await startTestChain()
  await deployFactory(chain)
  const wallet = await deployWallet(chain, [OWNER], 1)
  const verifiers = [...VERIFIERS.slice(0, 1), wallet]
  const world = await createEscrowWorld({ chain, verifiers, required: [1, 1] })
  const byKey = await createVerifier(world, 1)
  const byWallet = await createUser(world.ctx, ['verifier'])
  await linkWallet(world, byWallet.userId, wallet, { method: 'eip1271' })
  await world.give(70n)
  await pay(chain, world, 70n)
  const signature = await signWith(keyOf(OWNER))(await world.typedData('rejected'))
  await world.submit(byWallet, world.input(signature, { status: 'rejected' }))
  await world.decide(byKey)
  return {
    ...{ chain, world },
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
    const { chain, world, removeOwner } = await setUp()
    expect((await world.read('release')).ready.simulated?.ok).toBe(true)
    await removeOwner()
    for (const what of ['release', 'rejection'] as const) {
      expect(await world.read(what)).toMatchObject({
        ...{ status: 409, code: 'milestone_not_verified' },
        error: expect.stringMatching(/round 0 .* no longer confirms/),
      })
    }
  })
})
