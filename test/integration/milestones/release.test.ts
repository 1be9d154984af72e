import { expect, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getVerification } from '../../../src/domain/campaigns/index.ts'
import { lockChainRow } from '../../../src/domain/shared/index.ts'
import { CHAIN_ID } from '../../support/chain-facts.ts'
import { waitForLock } from '../../support/wait-for.ts'
import {
  createVerifiedWorld,
  createVerifier,
  EVIDENCE,
  signWith,
} from './support/verified-world.ts'

test('a verified milestone is released: its amount moves from held to released, the total stays', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(65n)
  const { verification, milestone, created } = await world.decide(verifier)
  expect(created).toBe(true)
  expect(verification).toMatchObject({
    status: 'completed',
    round: 0,
    evidence: EVIDENCE,
    verifierId: verifier.userId,
    signer: verifier.key.address,
    method: 'ecdsa',
    blockNumber: null,
  })
  expect(milestone).toMatchObject({ status: 'released', required: 1, approvals: 1, missing: 0 })
  expect(milestone.releasedAt).toEqual(milestone.verifiedAt)
  expect(await world.balances()).toEqual({ held: 35, released: 30 })

  const said = { campaignId: world.campaignId, milestoneId: milestone.id }
  expect(await world.events()).toEqual([
    {
      type: 'impact.verified',
      data: {
        ...said,
        verifiers: [verifier.userId],
        evidence: EVIDENCE,
        verifiedAt: milestone.verifiedAt?.toISOString(),
      },
    },
    {
      type: 'milestone.released',
      data: {
        ...said,
        title: 'Step 1',
        amount: { value: '30', currency: 'USDC' },
        verifiers: [verifier.userId],
        releasedAt: milestone.releasedAt?.toISOString(),
      },
    },
  ])
  expect(await world.notifications()).toEqual([
    { userId: world.creator.userId, type: 'milestone_verified' },
  ])
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
})

test('what is kept is enough to check the signature again', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(30n)
  const typedData = await world.typedData()
  await world.decide(verifier)
  const { verifications } = await getVerification(world.ctx, world.milestoneIds[0] ?? '', {
    status: 'completed',
    evidence: undefined,
  })
  expect(verifications).toHaveLength(1)
  expect(verifications[0]?.evidenceHash).toBe(typedData.message.evidenceHash)
  expect(verifications[0]?.signature).toBe(await signWith(verifier.key)(typedData))
})

test('fifty posts of one decision at once release once, and all get the same answer', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(30n)
  const given = world.input(await signWith(verifier.key)(await world.typedData()))
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.submit(verifier, given)))
  expect(answers.filter(({ created }) => created)).toHaveLength(1)
  expect(new Set(answers.map(({ verification }) => verification.id)).size).toBe(1)
  expect(answers.every(({ milestone }) => milestone.status === 'released')).toBe(true)
  expect(await world.balances()).toEqual({ held: 0, released: 30 })
  expect(await world.events()).toHaveLength(2)
  expect(await world.notifications()).toHaveLength(1)
})

test('of two verifiers at once one releases, and the other is answered that the milestone is released', async () => {
  const world = await createVerifiedWorld()
  const verifiers = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(30n)
  const results = await Promise.allSettled(verifiers.map((verifier) => world.decide(verifier)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.map(({ reason }) => reason.code)).toEqual(['conflict'])
  expect(await world.balances()).toEqual({ held: 0, released: 30 })
  expect(await world.events()).toHaveLength(2)
})

test('the database refuses a second release of a milestone, and one that names none', async () => {
  const world = await createVerifiedWorld()
  await world.give(100n)
  await world.decide(await createVerifier(world, 1))
  const again = (milestoneId: string) => world.ctx.sql`
    insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
                              milestone_id, created_at)
    select kind, debit_account, credit_account, asset_id, amount, campaign_id, ${milestoneId}, now()
    from ledger_entry where kind = 'release'`
  await expect(again(world.milestoneIds[0] ?? '')).rejects.toMatchObject({
    constraint_name: 'ledger_entry_released_once',
  })
  await expect(
    world.ctx.sql`
      insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
                                created_at)
      select 'release', debit_account, credit_account, asset_id, amount, campaign_id, now()
      from ledger_entry where kind = 'release'`,
  ).rejects.toMatchObject({ constraint_name: 'ledger_entry_release' })
})

test('the check names a milestone whose release was tampered with', async () => {
  const world = await createVerifiedWorld()
  await world.give(100n)
  await world.decide(await createVerifier(world, 1))
  const [first = '', second = ''] = world.milestoneIds
  await world.ctx.sql`update milestone set amount = amount - 1 where id = ${first}`
  await world.ctx.sql`update milestone set status = 'released' where id = ${second}`
  const what = 'release of milestone'
  expect((await checkLedger(world.ctx.pool)).differences).toEqual(
    expect.arrayContaining([
      { what, id: first, stored: '29999999', recomputed: '30000000' },
      { what, id: second, stored: '30000000', recomputed: '0' },
    ]),
  )
})

test('a reorganisation after a release takes from what is held; the release stands and all adds up', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(10n)
  await world.give(30n)
  await world.decide(verifier)
  await world.loseGift()
  expect((await world.milestone())?.status).toBe('released')
  expect(await world.balances()).toEqual({ held: -20, released: 30 })
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  const again = await world.decide(verifier)
  expect(again).toMatchObject({ created: false, milestone: { status: 'released' } })
  expect(await world.balances()).toEqual({ held: -20, released: 30 })
})

test('a milestone that a reorganisation left without its money waits until it is back', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(10n)
  await world.give(30n)
  await world.loseGift()
  await expect(world.decide(verifier)).rejects.toMatchObject({ code: 'milestone_not_reached' })
  await world.give(20n)
  expect((await world.decide(verifier)).milestone.status).toBe('released')
})

test('a milestone whose money is not held is not released, though the total would reach it', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(60n)
  await world.give(40n)
  await world.decide(verifier, 'completed', 2)
  await world.loseGift()
  // 60 are raised and 40 of them released. The total reaches the first milestone, but only 20 of
  // its 30 are held.
  expect(await world.balances()).toEqual({ held: 20, released: 40 })
  await expect(world.decide(verifier)).rejects.toMatchObject({ code: 'milestone_not_reached' })
  await world.give(10n)
  await world.decide(verifier)
  expect(await world.balances()).toEqual({ held: 0, released: 70 })
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
})

test('waits for a transaction that moves the total, and decides by the new total', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(30n)
  const { ctx } = world
  const decided = withTransaction(ctx, async (moving) => {
    await lockChainRow(moving, CHAIN_ID)
    await moving.sql`update campaign_total set raised = 0`
    const decision = expect(world.decide(verifier)).rejects.toMatchObject({
      code: 'milestone_not_reached',
    })
    await waitForLock(ctx.sql)
    return { decision }
  })
  await (await decided).decision
  expect((await world.milestone())?.status).toBe('reached')
})

test('verifying while gifts are settled and lost never ends in a deadlock or a wrong ledger', async () => {
  const world = await createVerifiedWorld({ milestones: ['10', '10', '10', '10'] })
  const verifier = await createVerifier(world, 1)
  await world.give(40n)
  const moves = (async () => {
    for (let turn = 0; turn < 5; turn++) {
      await world.give(5n)
      await world.loseGift()
    }
  })()
  const verified = Promise.all(
    [0, 1, 2, 3].map((milestone) => world.decide(verifier, 'completed', milestone)),
  )
  await Promise.all([moves, verified])
  expect(await world.balances()).toEqual({ held: 0, released: 40 })
  expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
})
