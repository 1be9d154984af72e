import { describe, expect, test } from 'vitest'
import { readEscrowState } from '../../../src/domain/campaigns/escrow/escrow-state.ts'
import { requireEscrow } from '../../../src/domain/campaigns/escrow/require-escrow.ts'
import { getVerification } from '../../../src/domain/campaigns/index.ts'
import { hashCanonicalJson } from '../../../src/kernel/formats/canonical-json.ts'
import { applyBlock } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { finalise } from '../../support/finalise.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { keyOf, planWallet, signTogether } from '../../support/test-wallets.ts'
import { createUser } from '../../support/world.ts'
import { createVerifier, EVIDENCE, signWith } from '../milestones/support/verified-world.ts'
import { createEscrowWorld, RECIPIENT, VERIFIERS } from './support/escrow-world.ts'

const OTHER = [{ ...EVIDENCE[0], url: 'https://example.org/other.jpg' }] as typeof EVIDENCE

/** A funded campaign with an escrow, and the escrow's three verifiers. */
const setUp = async (options: Parameters<typeof createEscrowWorld>[0] = {}) => {
  const world = await createEscrowWorld(options)
  const verifiers = [
    await createVerifier(world, 1),
    await createVerifier(world, 2),
    await createVerifier(world, 3),
  ] as const
  await world.give(70n)
  return { world, verifiers }
}

type World = Awaited<ReturnType<typeof createEscrowWorld>>

const stateOf = async ({ ctx, milestoneIds }: World, milestone = 0) =>
  (
    await getVerification(ctx, milestoneIds[milestone] ?? '', {
      status: 'completed',
      evidence: undefined,
    })
  ).milestone

test('serves what the contract checks: amount and recipient of an approval, and its expiry', async () => {
  const { world } = await setUp()
  const { terms } = world
  const evidenceHash = hashCanonicalJson(EVIDENCE)
  const domain = {
    ...{ name: 'Fundproof Escrow', version: '1', chainId: 31337 },
    verifyingContract: world.account,
  }
  const subject = { campaign: terms.campaign, milestone: 1, round: 0, evidenceHash }
  const query = `?evidence=${encodeURIComponent(JSON.stringify(EVIDENCE))}`
  const path = `/api/milestones/${world.milestoneIds[1]}/verification${query}`
  expect((await world.ask('GET', path)).body.typedData).toMatchObject({
    ...{ domain, primaryType: 'MilestoneRelease' },
    message: {
      ...{ ...subject, asset: terms.asset, amount: '40000000', recipient: RECIPIENT },
      validUntil: terms.expiry,
    },
  })
  expect((await world.ask('GET', `${path}&status=rejected`)).body.typedData).toMatchObject({
    ...{ domain, primaryType: 'MilestoneRejection', message: subject },
  })
})

test('the last needed approval verifies a milestone, and releases nothing', async () => {
  const { world, verifiers } = await setUp()
  const [one, two] = verifiers
  const first = await world.decide(one)
  expect(first.milestone).toMatchObject({ status: 'reached', required: 2, missing: 1 })
  const second = await world.decide(two)
  expect(second.milestone).toMatchObject({ status: 'verified', approvals: 2, missing: 0 })
  expect(second.milestone.verifiedAt).not.toBeNull()
  expect(second.milestone.releasedAt).toBeNull()
  expect(await world.balances()).toEqual({ held: 70, released: 0 })
  expect(await world.events()).toEqual([
    {
      type: 'impact.verified',
      data: {
        campaignId: world.campaignId,
        milestoneId: world.milestoneIds[0],
        verifiers: [one.userId, two.userId],
        evidence: EVIDENCE,
        verifiedAt: second.milestone.verifiedAt?.toISOString(),
      },
    },
  ])
  expect(await world.notifications()).toEqual([
    { userId: world.creator.userId, type: 'milestone_verified' },
  ])
  const escrow = await requireEscrow(world.ctx, world.campaignId)
  expect(await readEscrowState(world.ctx, escrow)).toMatchObject({ releasedMilestones: [] })
})

test('fifty posts of the last signature at once verify once, and all get the same answer', async () => {
  const { world, verifiers } = await setUp()
  const [one, two] = verifiers
  await world.decide(one)
  const given = world.input(await signWith(two.key)(await world.typedData()))
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.submit(two, given)))
  expect(answers.filter(({ created }) => created)).toHaveLength(1)
  expect(new Set(answers.map(({ verification }) => verification.id)).size).toBe(1)
  expect(answers.every(({ milestone }) => milestone.status === 'verified')).toBe(true)
  expect(await world.events()).toHaveLength(1)
  expect(await world.notifications()).toHaveLength(1)
})

test('a third approval is recorded after the verification, and says nothing again', async () => {
  const { world, verifiers } = await setUp()
  for (const verifier of verifiers) await world.decide(verifier)
  expect(await stateOf(world)).toMatchObject({ status: 'verified', approvals: 3, missing: 0 })
  expect(await world.events()).toHaveLength(1)
  expect(await world.notifications()).toHaveLength(1)
})

test('approvals count together only with equal evidence, and none can be changed', async () => {
  const { world, verifiers } = await setUp()
  const [one, two, three] = verifiers
  const signOther = async (by: typeof one) =>
    world.input(await signWith(by.key)(await world.typedData('completed', 0, OTHER)), {
      evidence: OTHER,
    })
  await world.decide(one)
  const other = await world.submit(two, await signOther(two))
  expect(other.milestone).toMatchObject({ status: 'reached', approvals: 1, missing: 1 })
  await expect(world.submit(one, await signOther(one))).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('other evidence'),
  })
  const third = await world.submit(three, await signOther(three))
  expect(third.milestone).toMatchObject({ status: 'verified', approvals: 2 })
  const [verified] = await world.events()
  expect(verified?.data).toMatchObject({
    verifiers: [two.userId, three.userId],
    evidence: OTHER,
  })
})

test('the terms say how many approvals a milestone needs, and not the settings of today', async () => {
  const { world } = await setUp({
    required: [3, 1],
    settings: { multisigThreshold: '0', multisigRequired: 2 },
  })
  expect((await stateOf(world)).required).toBe(3)
  expect((await stateOf(world, 1)).required).toBe(1)
})

test('a rejection ends the round, also of a verified milestone', async () => {
  const { world, verifiers } = await setUp({ required: [1, 1] })
  const [one, two] = verifiers
  const old = world.input(await signWith(two.key)(await world.typedData()))
  await world.decide(one)
  const { milestone } = await world.decide(two, 'rejected')
  expect(milestone).toMatchObject({ status: 'rejected', round: 1, approvals: 0, verifiedAt: null })
  await expect(world.submit(two, old)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Sign again for round 1'),
  })
  expect((await world.decide(two)).milestone.status).toBe('verified')
  expect((await world.notifications()).map(({ type }) => type)).toEqual([
    'milestone_verified',
    'milestone_rejected',
    'milestone_verified',
  ])
})

test('below the target, whose last part could be a loan, the service asks for no approval and takes none', async () => {
  const { world, verifiers } = await setUp({ terms: { target: 71_000_000n } })
  const [one, two] = verifiers
  await world.give(1n)
  const early = world.input(await signWith(one.key)(await world.typedData()))
  await world.loseGift()
  const refusal = {
    code: 'milestone_not_reached',
    message: expect.stringMatching(/below its target/),
  }
  await expect(world.submit(one, early)).rejects.toMatchObject(refusal)
  await expect(world.typedData()).rejects.toMatchObject(refusal)
  const path = `/api/milestones/${world.milestoneIds[0]}/verification`
  const body = { evidence: EVIDENCE }
  expect(await world.ask('POST', path, { body })).toMatchObject({ status: 409 })
  // The state needs no typed data.
  expect((await stateOf(world)).status).toBe('reached')
  const news = await world.ctx
    .sql`select message from notification where type = 'milestone_reached'`
  expect(news[0]?.message).toMatch(/if the campaign has an escrow, once the escrow has its target/)
  await world.give(1n)
  expect((await world.decide(two)).milestone.approvals).toBe(1)
})

test('money in blocks that are not final counts for no approval, because a reorg can take it away', async () => {
  const { world, verifiers } = await setUp({ terms: { target: 71_000_000n } })
  const payment = { tx: 'a loan', to: world.account, usdc: 1_000_000n, claimed: false }
  await applyBlock(world.ctx, 2, [payment])
  await expect(world.typedData()).rejects.toMatchObject({
    code: 'milestone_not_reached',
    message: expect.stringContaining('in final blocks'),
  })
  await finalise(world.ctx, 2)
  expect((await world.decide(verifiers[0])).milestone.approvals).toBe(1)
})

test('below the target, a rejection still ends the round of approvals from before', async () => {
  const { world, verifiers } = await setUp({ terms: { target: 71_000_000n } })
  const [one, two] = verifiers
  await world.give(1n)
  await world.decide(one)
  await world.loseGift()
  const { milestone } = await world.decide(two, 'rejected')
  expect(milestone).toMatchObject({ status: 'rejected', round: 1, approvals: 0 })
  expect((await world.decide(two, 'rejected', 1)).milestone.round).toBe(1)
})

test('an active escrow has the money of a milestone, also without recorded donations', async () => {
  const world = await createEscrowWorld()
  const verifier = await createVerifier(world, 1)
  const approve = () => world.decide(verifier, 'completed', 1)
  await expect(approve()).rejects.toMatchObject({
    code: 'milestone_not_reached',
    message: expect.stringContaining('Wait for donations'),
  })
  await world.settled({ kind: 'Activated', fields: { balance: '70000000' } })
  expect((await approve()).milestone.status).toBe('verified')
})

describe('refuses', () => {
  test('a registered verifier who is not in the terms', async () => {
    const { world } = await setUp()
    const other = await createVerifier(world, 9)
    await expect(world.decide(other)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(keyOf(1).address),
    })
  })

  test('a wallet from before a password reset, which a stranger may have linked', async () => {
    const { world, verifiers } = await setUp()
    await world.ctx
      .sql`update wallet set before_reset = true where user_id = ${verifiers[0].userId}`
    await expect(world.decide(verifiers[0])).rejects.toMatchObject({ code: 'forbidden' })
    expect((await world.decide(verifiers[1])).milestone.approvals).toBe(1)
  })

  test('a verifier of the terms who is not registered as a verifier', async () => {
    const world = await createEscrowWorld()
    const user = await createUser(world.ctx)
    await linkWallet(world, user.userId, keyOf(1).address)
    await world.give(70n)
    const admin = await createUser(world.ctx, ['admin'])
    const signature = await signWith(keyOf(1))(await world.typedData())
    const given = world.input(signature, { verifierAddress: keyOf(1).address })
    await expect(world.submit(admin, given)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test.each([
    ['another signer', (world: World) => world.typedData(), 9],
    ['another milestone', (world: World) => world.typedData('completed', 1), 1],
    ['another decision', (world: World) => world.typedData('rejected'), 1],
    ['other evidence', (world: World) => world.typedData('completed', 0, OTHER), 1],
    ['another chain', (world: World) => changedDomain(world, { chainId: 1 }), 1],
    ['an expired validUntil', (world: World) => changedMessage(world, { validUntil: 1 }), 1],
    ['another escrow', (world: World) => changedDomain(world, { verifyingContract: RECIPIENT }), 1],
  ])('a signature of %s, and says what to sign', async (_what, typedData, key) => {
    const { world, verifiers } = await setUp()
    const signature = await signWith(keyOf(key))(await typedData(world))
    await expect(world.submit(verifiers[0], world.input(signature))).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/GET \/api\/milestones\/.*round 0 and chain 31337/),
    })
    expect(await world.events()).toEqual([])
  })

  const changedMessage = async (world: World, changes: Record<string, unknown>) => {
    const typedData = await world.typedData()
    return { ...typedData, message: { ...typedData.message, ...changes } }
  }

  const changedDomain = async (world: World, changes: Record<string, unknown>) => {
    const typedData = await world.typedData()
    return { ...typedData, domain: { ...typedData.domain, ...changes } }
  }

  test.each(['our clock', 'the newest block'])(
    'every decision after the expiry, by %s',
    async (by) => {
      const clock = createFakeClock()
      const { world, verifiers } = await setUp({ clock })
      const after = world.terms.expiry + 1
      if (by === 'our clock') clock.set(new Date(after * 1_000))
      else await world.setChainTime(after)
      for (const decision of ['completed', 'rejected'] as const) {
        await expect(world.decide(verifiers[0], decision)).rejects.toMatchObject({
          code: 'escrow_expired',
          message: expect.stringContaining('`close`'),
        })
      }
    },
  )

  test('every decision on a draft, a failed or cancelled campaign, and a released milestone', async () => {
    const { world, verifiers } = await setUp()
    const [one] = verifiers
    const given = world.input(await signWith(one.key)(await world.typedData()))
    for (const [status, words] of [
      ['draft', 'Decide when the campaign is open'],
      ['failed', 'nothing to decide'],
      ['cancelled', 'nothing to decide'],
    ] as const) {
      await world.ctx.sql`update campaign set status = ${status}`
      await expect(world.submit(one, given)).rejects.toMatchObject({
        code: 'campaign_not_active',
        message: expect.stringContaining(words),
      })
    }
    await world.ctx.sql`update campaign set status = 'active'`
    await world.ctx.sql`update milestone set status = 'released'`
    await expect(world.submit(one, given)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a contract wallet that is linked on another chain', async () => {
    const world = await createEscrowWorld()
    const user = await createUser(world.ctx, ['verifier'])
    const wallet = VERIFIERS[0] ?? ''
    await linkWallet(world, user.userId, wallet, { method: 'eip1271', chainId: 10 })
    await world.give(70n)
    const signature = await signWith(keyOf(1))(await world.typedData())
    await expect(world.submit(user, world.input(signature))).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test.skipIf(!hasAnvil)('a contract wallet that is not deployed', async () => {
    const chain = await startTestChain()
    const plan = await planWallet(chain, [1, 2], 2)
    const world = await createEscrowWorld({ chain, verifiers: [plan.address], required: [1, 1] })
    const user = await createUser(world.ctx, ['verifier'])
    await linkWallet(world, user.userId, plan.address, { method: 'eip6492' })
    await world.give(70n)
    const typedData = await world.typedData()
    const signature = await signTogether([1, 2], (key) => signWith(key)(typedData))
    for (const deploy of [async () => {}, plan.deployNow]) {
      await deploy()
      await expect(world.submit(user, world.input(plan.wrap(signature)))).rejects.toMatchObject({
        code: 'invalid_signature',
        message: expect.stringContaining('Deploy the wallet'),
      })
    }
    expect((await world.submit(user, world.input(signature))).milestone.status).toBe('verified')
  })
})
