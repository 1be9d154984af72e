import { Interface, Signature } from 'ethers'
import { describe, expect, test } from 'vitest'
import { testWallet } from '../../../contracts-abi/test-contracts.ts'
import { releaseCall } from '../../../src/escrow/calls.ts'
import { readEscrowEvent } from '../../../src/escrow/events.ts'
import { hashCanonicalJson } from '../../../src/kernel/formats/canonical-json.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { deployWallet, keyOf } from '../../support/test-wallets.ts'
import { createUser } from '../../support/world.ts'
import { createVerifier, EVIDENCE, signWith } from '../milestones/support/verified-world.ts'
import {
  balanceOf,
  createEscrowWorld,
  pay,
  RECIPIENT,
  sendReady,
  VERIFIERS,
} from './support/escrow-world.ts'
import { startFactoryChain } from './support/planned.ts'

const STRANGER = 8

/** A campaign on a real chain whose escrow has 70 USDC, and its verifiers. */
const setUp = async (options: Parameters<typeof createEscrowWorld>[0] = {}) => {
  const chain = await startFactoryChain()
  const world = await createEscrowWorld({ chain, ...options })
  const verifiers = [
    await createVerifier(world, 1),
    await createVerifier(world, 2),
    await createVerifier(world, 3),
  ] as const
  await world.give(70n)
  await pay(chain, world, 70n)
  return { chain, world, verifiers }
}

const ACTIVATED = { kind: 'Activated', fields: { balance: '70000000' } } as const
const FAILED = {
  kind: 'Failed',
  fields: {
    reason: 'cancelled',
    pool: '70000000',
    total: '70000000',
    recorded: '0',
    reasonHash: `0x${'0'.repeat(64)}`,
  },
} as const

describe.skipIf(!hasAnvil)('the release of a verified milestone', () => {
  test('is sent by a stranger, deploys the escrow first, and pays the recipient', async () => {
    const { chain, world, verifiers } = await setUp()
    await world.decide(verifiers[2])
    await world.decide(verifiers[0])
    const { status, ready } = await world.read('release')
    expect(status).toBe(200)
    expect(ready).toMatchObject({
      ...{ chainId: 31337, value: '0', simulated: { block: await chain.head(), ok: true } },
      sendCalls: { version: '2.0.0', chainId: '0x7a69', atomicRequired: false },
      validUntil: new Date(world.terms.expiry * 1_000).toISOString(),
    })
    expect(ready.sendCalls.calls).toHaveLength(2)
    const before = await balanceOf(chain, RECIPIENT)
    const receipts = await sendReady(chain, STRANGER, ready)
    const events = receipts
      .flatMap(({ logs }) => logs)
      .filter(({ address }) => address === world.account)
      .map(readEscrowEvent)
    expect(events).toEqual([
      ACTIVATED,
      {
        kind: 'MilestoneReleased',
        fields: {
          ...{ milestone: 0, recipient: RECIPIENT, asset: world.terms.asset, amount: '30000000' },
          evidenceHash: hashCanonicalJson(EVIDENCE),
          signers: [verifiers[0], verifiers[2]]
            .map(({ key }) => world.terms.verifiers.indexOf(key.address.toLowerCase()))
            .sort(),
        },
      },
    ])
    expect((await balanceOf(chain, RECIPIENT)) - before).toBe(30_000_000n)

    await world.decide(verifiers[1], 'completed', 1)
    const second = (await world.read('release', 1)).ready
    expect(second.sendCalls.calls).toHaveLength(1)
    expect(second.simulated?.gas).toBeGreaterThan(50_000)
    await sendReady(chain, STRANGER, second)
    expect((await balanceOf(chain, RECIPIENT)) - before).toBe(70_000_000n)
    expect((await world.read('release', 1)).ready.simulated).toMatchObject({ ok: false, gas: null })
  })

  test('rejects earlier rounds on the chain first, unless the chain knows them', async () => {
    const { chain, world, verifiers } = await setUp({ required: [1, 1] })
    await world.decide(verifiers[0])
    const approvedOnly = (await world.read('release')).ready
    await world.decide(verifiers[1], 'rejected')
    await world.decide(verifiers[1], 'rejected')
    await world.decide(verifiers[2])
    const { ready } = await world.read('release')
    expect(ready.simulated?.ok).toBe(true)
    expect(ready.sendCalls.calls).toHaveLength(4)
    const rejection = await world.read('rejection')
    expect(rejection.ready.sendCalls.calls).toEqual(ready.sendCalls.calls.slice(0, 3))

    await sendReady(chain, STRANGER, rejection.ready)
    const [, late] = await sendReady(chain, STRANGER, approvedOnly)
    expect(late?.status).toBe('0x0')
    expect(await world.read('rejection')).toMatchObject({ status: 409, code: 'conflict' })
    const after = (await world.read('release')).ready
    expect(after.sendCalls.calls).toEqual(ready.sendCalls.calls.slice(3))
    expect((await sendReady(chain, STRANGER, after))[0]?.status).toBe('0x1')
  })

  test('waits if a rejection on the chain has ended the round', async () => {
    const { chain, world, verifiers } = await setUp({ required: [1, 1] })
    await world.decide(verifiers[1], 'rejected')
    const { ready } = await world.read('rejection')
    await sendReady(chain, STRANGER, ready)
    await world.ctx.sql`delete from milestone_verification`
    await world.ctx.sql`update milestone set verification_round = 0, status = 'verified'`
    const refused = await world.read('release')
    expect(refused).toMatchObject({ status: 409, code: 'milestone_not_verified' })
    expect(refused.error).toContain('rejection on the chain')
    await world.ctx.sql`update milestone set verification_round = 2`
    expect((await world.read('rejection')).error).toContain('A reorg removed a rejection')
  })

  test('takes a signature whose last byte is 0 or 1', async () => {
    const { chain, world, verifiers } = await setUp({ required: [1, 1] })
    const [verifier] = verifiers
    const signature = await signWith(verifier.key)(await world.typedData())
    const { r, s, yParity } = Signature.from(signature)
    await world.submit(verifier, world.input(`${r}${s.slice(2)}0${yParity}`))
    const [, released] = await sendReady(chain, STRANGER, (await world.read('release')).ready)
    expect(released?.status).toBe('0x1')
  })

  test('is not served after a verifier lost the role, but the contract would still accept it', async () => {
    const { chain, world, verifiers } = await setUp()
    const [one, two, three] = verifiers
    await world.decide(one)
    await world.decide(two)
    const served = (await world.read('release')).ready
    await world.ctx.sql`update app_user set roles = '{}' where id = ${two.userId}`
    const refused = await world.read('release')
    expect(refused).toMatchObject({ status: 409, code: 'milestone_not_verified' })
    expect(refused.error).toContain('1 of 2 approvals count')
    expect((await world.milestone())?.status).toBe('verified')

    await world.decide(three)
    const without = (await world.read('release')).ready
    expect(without.sendCalls.calls.at(-1)?.data).not.toBe(served.sendCalls.calls.at(-1)?.data)
    const [, released] = await sendReady(chain, STRANGER, served)
    expect(released?.status).toBe('0x1')
  })

  test('asks contract wallets again, because their owners may have changed', async () => {
    const chain = await startFactoryChain()
    const wallet = await deployWallet(chain, [9], 1)
    const verifiers = [...VERIFIERS.slice(0, 1), wallet]
    const world = await createEscrowWorld({ chain, verifiers, required: [2, 2] })
    const byKey = await createVerifier(world, 1)
    const byWallet = await createUser(world.ctx, ['verifier'])
    await linkWallet(world, byWallet.userId, wallet, { method: 'eip1271' })
    await world.give(70n)
    await pay(chain, world, 70n)
    for (const milestone of [0, 1]) {
      await world.decide(byKey, 'completed', milestone)
      const signature = await signWith(keyOf(9))(await world.typedData('completed', milestone))
      await world.submit(byWallet, world.input(signature, { milestone }))
    }
    const { ready } = await world.read('release')
    const receipts = await sendReady(chain, STRANGER, ready)
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1'])

    const remove = new Interface(testWallet.abi).encodeFunctionData('setOwner', [
      keyOf(9).address,
      false,
    ])
    await chain.send(await chain.sign(0, { to: wallet, data: remove }))
    await chain.mine()
    expect(await world.read('release', 1)).toMatchObject({
      ...{ status: 409, code: 'milestone_not_verified' },
      error: expect.stringContaining('contract wallet'),
    })
  })
})

describe('the release', () => {
  /** A world without a node, in which the milestone of 40 USDC is verified. */
  const verified = async (options: Parameters<typeof createEscrowWorld>[0] = {}) => {
    const world = await createEscrowWorld(options)
    const verifier = await createVerifier(world, 1)
    await world.give(70n)
    await world.decide(verifier, 'completed', 1)
    return { world, verifier }
  }

  test('is served without a simulation while no node answers', async () => {
    const { world, verifier } = await verified()
    const { status, ready } = await world.read('release', 1)
    expect(status).toBe(200)
    expect(ready.simulated).toBeNull()
    const typedData = await world.typedData('completed', 1)
    const release = releaseCall(world.account, {
      ...{ milestone: 1, evidenceHash: hashCanonicalJson(EVIDENCE) },
      validUntil: world.terms.expiry,
      signatures: [
        {
          verifier: world.terms.verifiers.indexOf(verifier.key.address.toLowerCase()),
          data: await signWith(verifier.key)(typedData),
        },
      ],
    })
    expect(ready.sendCalls.calls.at(-1)?.data).toBe(release.data)
    await world.settled(ACTIVATED)
    const deployed = (await world.read('release', 1)).ready
    expect(deployed.sendCalls.calls).toHaveLength(1)
    expect([deployed.to.toLowerCase(), deployed.data]).toEqual([release.to, release.data])
  })

  test('waits for a node if the signature of a contract wallet is needed', async () => {
    const { world } = await verified({ rpcUrl: 'http://127.0.0.1:9' })
    expect((await world.read('release', 1)).status).toBe(200)
    await world.ctx.sql`update milestone_verification set method = 'eip1271', signature = '0x00'`
    expect(await world.read('release', 1)).toMatchObject({ status: 503, code: 'unavailable' })
  })

  test('knows from settled events which rejections the chain has while no node answers', async () => {
    const { world, verifier } = await verified()
    await world.settled(ACTIVATED)
    await world.decide(verifier, 'rejected', 1)
    await world.decide(verifier, 'completed', 1)
    expect((await world.read('release', 1)).ready.sendCalls.calls).toHaveLength(2)
    await world.settled({
      kind: 'MilestoneRejected',
      fields: {
        ...{ milestone: 1, round: 0, verifier: VERIFIERS[0] ?? '' },
        evidenceHash: hashCanonicalJson(EVIDENCE),
      },
    })
    expect((await world.read('release', 1)).ready.sendCalls.calls).toHaveLength(1)
  })

  test('is refused before the verification, and after the release', async () => {
    const { world } = await verified()
    expect(await world.read('release')).toMatchObject({
      ...{ status: 409, code: 'milestone_not_verified' },
      error: expect.stringContaining('impact.verified'),
    })
    await world.ctx.sql`update milestone set status = 'released' where position = 1`
    for (const what of ['release', 'rejection'] as const) {
      expect(await world.read(what, 1)).toMatchObject({ status: 409, code: 'already_released' })
    }
  })

  test.each(['our clock', 'the newest block'])(
    'is refused while the escrow lacks some of its target, and once %s has passed its times',
    async (by) => {
      const clock = createFakeClock()
      const world = await createEscrowWorld({ clock })
      const passTo = async (seconds: number) =>
        by === 'our clock' ? clock.set(new Date(seconds * 1_000)) : world.setChainTime(seconds)
      const verifier = await createVerifier(world, 1)
      await world.give(69n)
      await world.give(1n)
      await world.decide(verifier, 'completed', 1)
      await world.loseGift()
      expect(await world.read('release', 1)).toMatchObject({
        ...{ status: 409, code: 'escrow_not_active' },
        error: expect.stringContaining('lacks 1 USDC'),
      })
      await world.give(1n)
      expect((await world.read('release', 1)).status).toBe(200)
      await passTo(world.terms.activateBy + 1)
      expect(await world.read('release', 1)).toMatchObject({
        ...{ status: 409, code: 'escrow_not_active' },
        error: expect.stringContaining('`close`'),
      })
      await world.settled(ACTIVATED)
      expect((await world.read('release', 1)).status).toBe(200)
      await passTo(world.terms.expiry)
      expect((await world.read('release', 1)).status).toBe(200)
      await passTo(world.terms.expiry + 1)
      expect(await world.read('release', 1)).toMatchObject({ status: 409, code: 'escrow_expired' })
    },
  )

  test('is refused for a cancelled campaign, a failed escrow, a plain campaign and a draft', async () => {
    const { world } = await verified()
    await world.ctx.sql`update campaign set status = 'cancelled'`
    expect(await world.read('release', 1)).toMatchObject({ code: 'escrow_not_active' })
    await world.settled(FAILED)
    for (const what of ['release', 'rejection'] as const) {
      expect(await world.read(what, 1)).toMatchObject({ status: 409, code: 'escrow_failed' })
    }
    await world.ctx.sql`update campaign set status = 'draft'`
    expect(await world.read('release', 1)).toMatchObject({ status: 404, code: 'not_found' })
    await world.ctx.sql`update campaign set status = 'active'`
    await world.ctx.sql`delete from escrow_event`
    await world.ctx.sql`delete from campaign_escrow`
    for (const what of ['release', 'rejection'] as const) {
      expect(await world.read(what, 1)).toMatchObject({ status: 409, code: 'not_escrowed' })
    }
  })
})
