import { expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getCampaign, getVerification } from '../../../src/domain/campaigns/index.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createVerifiedWorld, createVerifier, signWith } from './support/verified-world.ts'

const stateOf = async (world: Awaited<ReturnType<typeof createVerifiedWorld>>) =>
  (
    await getVerification(world.ctx, world.milestoneIds[0] ?? '', {
      status: 'completed',
      evidence: undefined,
    })
  ).milestone

const LARGE = { milestones: ['10001'], target: '20000' }

test('a milestone above the threshold needs two verifiers, and says how many are missing', async () => {
  const world = await createVerifiedWorld(LARGE)
  const [one, two] = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(10_001n)
  expect(await stateOf(world)).toMatchObject({ required: 2, approvals: 0, missing: 2 })
  const first = await world.decide(one)
  expect(first.milestone).toMatchObject({ status: 'reached', approvals: 1, missing: 1 })
  expect(await world.events()).toEqual([])
  const again = await world.decide(one)
  expect(again).toMatchObject({ created: false, milestone: { approvals: 1, missing: 1 } })
  const second = await world.decide(two)
  expect(second.milestone).toMatchObject({ status: 'released', approvals: 2, missing: 0 })
  const [verified] = await world.events()
  expect(verified?.data).toMatchObject({ verifiers: [one.userId, two.userId] })
  expect(verified?.data.evidence).toHaveLength(2)
})

test('a milestone at the threshold needs one', async () => {
  const world = await createVerifiedWorld({ milestones: ['10000'], target: '20000' })
  expect((await stateOf(world)).required).toBe(1)
})

test.each([
  ['0', 1, 3],
  ['29.999999', 1, 3],
  ['30.0000001', 1, 1],
])('the threshold %s is compared exactly', async (multisigThreshold, _, required) => {
  const world = await createVerifiedWorld({ settings: { multisigThreshold, multisigRequired: 3 } })
  expect((await stateOf(world)).required).toBe(required)
})

test('an amount in another currency is measured in the currency of the threshold', async () => {
  const world = await createVerifiedWorld()
  await world.ctx.sql`
    update campaign set currency_id = 'eip155:31337/slip44:60' where id = ${world.campaignId}`
  const worth = async (wei: bigint) => {
    await world.ctx.sql`
      update milestone set amount = ${wei.toString()} where id = ${world.milestoneIds[0] ?? ''}`
    return (await stateOf(world)).required
  }
  // An ether is worth 2 500 USDC, so four ether equal the threshold, and one wei more exceeds it.
  expect(await worth(4n * 10n ** 18n)).toBe(1)
  expect(await worth(4n * 10n ** 18n + 1n)).toBe(2)
})

test('two verifiers that are both needed release once, also at the same time', async () => {
  const world = await createVerifiedWorld(LARGE)
  const verifiers = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(10_001n)
  const answers = await Promise.all(verifiers.map((verifier) => world.decide(verifier)))
  expect(answers.map(({ milestone }) => milestone.missing).sort()).toEqual([0, 1])
  expect(await world.balances()).toEqual({ held: 0, released: 10_001 })
  expect(await world.events()).toHaveLength(2)
})

test('a verifier with two wallets counts once, and so does a wallet that changes its owner', async () => {
  const world = await createVerifiedWorld(LARGE)
  const one = await createVerifier(world, 1)
  const two = await createVerifier(world, 2)
  await world.give(10_001n)
  await world.decide(one)
  await world.ctx.sql`delete from wallet where user_id in (${one.userId}, ${two.userId})`
  await linkWallet(world, one.userId, two.key.address)
  const second = await world.decide({ ...one, key: two.key })
  expect(second).toMatchObject({ created: false, milestone: { missing: 1 } })
  await linkWallet(world, two.userId, one.key.address)
  await expect(world.decide({ ...two, key: one.key })).rejects.toMatchObject({ code: 'conflict' })
})

test('an approval counts only while its signer has the role of a verifier', async () => {
  const world = await createVerifiedWorld(LARGE)
  const [one, two] = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(10_001n)
  await world.decide(one)
  await world.ctx.sql`update app_user set roles = '{}' where id = ${one.userId}`
  expect((await world.decide(two)).milestone).toMatchObject({ status: 'reached', missing: 1 })
})

test('a repeated approval releases a milestone that only waited for a verifier to get the role back', async () => {
  const world = await createVerifiedWorld(LARGE)
  const [one, two] = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(10_001n)
  await world.decide(one)
  await world.ctx.sql`update app_user set roles = '{}' where id = ${one.userId}`
  await world.decide(two)
  await world.ctx.sql`update app_user set roles = '{verifier}' where id = ${one.userId}`
  expect(await stateOf(world)).toMatchObject({ approvals: 2, missing: 0, status: 'reached' })
  const again = await Promise.all([world.decide(one), world.decide(two)])
  expect(again[0]).toMatchObject({ created: false, milestone: { status: 'released' } })
  expect(await world.balances()).toEqual({ held: 0, released: 10_001 })
  expect(await world.events()).toHaveLength(2)
})

test('a repeated approval releases what needs fewer verifiers by now', async () => {
  const world = await createVerifiedWorld(LARGE)
  const one = await createVerifier(world, 1)
  await world.give(10_001n)
  const approval = world.input(await signWith(one.key)(await world.typedData()))
  expect((await world.submit(one, approval)).milestone).toMatchObject({ missing: 1 })
  Object.assign(world.ctx.settings, { multisigRequired: 1 })
  expect(await world.submit(one, approval)).toMatchObject({
    created: false,
    milestone: { status: 'released', missing: 0 },
  })
})

test('a rejection voids the approvals, opens a round, and is verified again in it', async () => {
  const world = await createVerifiedWorld(LARGE)
  const [one, two] = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(10_001n)
  const approval = await signWith(one.key)(await world.typedData())
  await world.submit(one, world.input(approval))
  expect((await world.decide(two, 'rejected')).milestone).toMatchObject({
    status: 'rejected',
    round: 1,
    approvals: 0,
    missing: 2,
  })
  expect(await world.events()).toEqual([])
  expect(await world.notifications()).toEqual([
    { userId: world.creator.userId, type: 'milestone_rejected' },
  ])
  // The old approval belongs to the old round, so it does not count in the new round.
  const replayed = await world.submit(one, world.input(approval))
  expect(replayed).toMatchObject({ created: false, milestone: { round: 1, approvals: 0 } })

  await world.decide(two)
  expect((await world.decide(one)).milestone.status).toBe('released')
  expect(await world.notifications()).toHaveLength(2)
  const { verifications } = await getVerification(world.ctx, world.milestoneIds[0] ?? '', {
    status: 'completed',
    evidence: undefined,
  })
  expect(verifications.map(({ status, round }) => [status, round])).toEqual([
    ['completed', 1],
    ['completed', 1],
    ['rejected', 0],
    ['completed', 0],
  ])
})

test('fifty posts of one rejection open one round', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(30n)
  const signature = await signWith(verifier.key)(await world.typedData('rejected'))
  const given = world.input(signature, { status: 'rejected' })
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.submit(verifier, given)))
  expect(answers.filter(({ created }) => created)).toHaveLength(1)
  expect(await world.milestone()).toMatchObject({ status: 'rejected', verificationRound: 1 })
})

test('who approved may still reject in the same round', async () => {
  const world = await createVerifiedWorld(LARGE)
  const verifier = await createVerifier(world, 1)
  await world.give(10_001n)
  await world.decide(verifier)
  expect((await world.decide(verifier, 'rejected')).milestone).toMatchObject({
    status: 'rejected',
    round: 1,
    approvals: 0,
  })
})

test('an approval and a rejection at once leave either a release or a rejection, never both', async () => {
  const world = await createVerifiedWorld()
  const [one, two] = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(30n)
  const signed = [
    [one, 'completed', await signWith(one.key)(await world.typedData('completed'))],
    [two, 'rejected', await signWith(two.key)(await world.typedData('rejected'))],
  ] as const
  const results = await Promise.allSettled(
    signed.map(([by, status, signature]) => world.submit(by, world.input(signature, { status }))),
  )
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(1)
  const { released } = await world.balances()
  const status = (await world.milestone())?.status
  expect([status, released]).toEqual(status === 'released' ? ['released', 30] : ['rejected', 0])
})

test('a rejected milestone whose money goes and returns has its events, stays rejected, and can be verified', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  const thresholds = async () =>
    (
      await world.ctx.sql<{ type: string }[]>`
        select type from event
        where event.body::jsonb #>> '{data,milestoneId}' = ${world.milestoneIds[0] ?? ''} order by seq`
    ).map(({ type }) => type)
  const isReached = async () =>
    (await getCampaign(world.ctx, world.campaignId)).milestones[0]?.reachedAt !== null
  await world.give(5n)
  await world.give(5n)
  await world.give(30n)
  await world.decide(verifier, 'rejected')
  expect([await isReached(), await thresholds()]).toEqual([true, ['campaign.milestone.reached']])
  await world.loseGift()
  await world.loseGift()
  const lost = ['campaign.milestone.reached', 'campaign.threshold.reverted']
  expect([await isReached(), await thresholds()]).toEqual([false, lost])
  expect((await world.milestone())?.status).toBe('rejected')
  await expect(world.decide(verifier)).rejects.toMatchObject({ code: 'milestone_not_reached' })
  await world.give(25n)
  await world.give(1n)
  const back = [...lost, 'campaign.milestone.reached']
  expect([await isReached(), await thresholds()]).toEqual([true, back])
  expect((await world.milestone())?.status).toBe('rejected')
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  expect((await world.decide(verifier)).milestone.status).toBe('released')
})
