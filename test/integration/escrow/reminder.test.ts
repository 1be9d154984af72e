import { expect, test } from 'vitest'
import { remindOfReleases } from '../../../src/domain/campaigns/index.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createVerifier } from '../milestones/support/verified-world.ts'
import { createEscrowWorld } from './support/escrow-world.ts'

const DAY_MS = 24 * 3_600_000

const setUp = async () => {
  const clock = createFakeClock()
  const world = await createEscrowWorld({ clock, required: [1, 1] })
  const verifier = await createVerifier(world, 1)
  await world.give(70n)
  await world.decide(verifier)
  const reminders = () => world.ctx.sql`
    select user_id, campaign_id, data from notification where type = 'release_waiting'`
  return { clock, world, verifier, reminders }
}

test('reminds the creator once of a milestone that stays verified for three days', async () => {
  const { clock, world, reminders } = await setUp()
  clock.advance(3 * DAY_MS - 1)
  expect(await remindOfReleases(world.ctx, 10)).toBe(0)
  clock.advance(1)
  const sent = await Promise.all(Array.from({ length: 5 }, () => remindOfReleases(world.ctx, 10)))
  expect(sent.toSorted()).toEqual([0, 0, 0, 0, 1])
  const { campaignId } = world
  expect([...(await reminders())]).toEqual([
    { userId: world.creator.userId, campaignId, data: { milestoneId: world.milestoneIds[0] } },
  ])
  clock.advance(30 * DAY_MS)
  await world.ctx.sql`update notification set status = 'deleted'`
  expect(await remindOfReleases(world.ctx, 10)).toBe(0)
  expect((await world.milestone())?.status).toBe('verified')
})

test('reminds again after a rejection and a new verification', async () => {
  const { clock, world, verifier, reminders } = await setUp()
  clock.advance(3 * DAY_MS)
  expect(await remindOfReleases(world.ctx, 10)).toBe(1)
  await world.decide(verifier, 'rejected')
  clock.advance(3 * DAY_MS)
  expect(await remindOfReleases(world.ctx, 10)).toBe(0)
  await world.decide(verifier)
  clock.advance(3 * DAY_MS)
  expect(await remindOfReleases(world.ctx, 10)).toBe(1)
  expect(await reminders()).toHaveLength(2)
})

test.each([
  ['released', "update milestone set status = 'released'"],
  ['of a failed campaign', "update campaign set status = 'failed'"],
  ['without an escrow', 'delete from campaign_escrow'],
])('does not remind of a milestone that is %s', async (_what, change) => {
  const { clock, world } = await setUp()
  clock.advance(3 * DAY_MS)
  await world.ctx.sql.unsafe(change)
  expect(await remindOfReleases(world.ctx, 10)).toBe(0)
})
