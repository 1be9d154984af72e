import { expect, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import {
  changeCampaign,
  completeIfDone,
  reopenIfUndone,
} from '../../../src/domain/campaigns/index.ts'
import { createEscrowWorld } from './support/escrow-world.ts'

const setUp = async () => {
  const world = await createEscrowWorld()
  const { ctx, campaignId } = world
  const status = async () => {
    const [row] = await ctx.sql<{ status: string }[]>`
      select status from campaign where id = ${campaignId}`
    return row?.status
  }
  /** Lists the statuses in the `campaign.updated` events, in order. */
  const updates = async () => {
    const rows = await ctx.sql<{ body: string }[]>`
      select event.body from event where type = 'campaign.updated' order by seq`
    return rows.map(({ body }) => JSON.parse(body).data.status)
  }
  const setMilestones = (to: string) => ctx.sql`update milestone set status = ${to}`
  const inTransaction = (work: typeof completeIfDone) =>
    withTransaction(ctx, (ctx) => work(ctx, [campaignId]))
  return { world, status, updates, setMilestones, inTransaction }
}

test('an escrow completes its campaign also if donations of its money are not recorded', async () => {
  const { world, setMilestones, inTransaction, status, updates } = await setUp()
  await setMilestones('released')
  await world.ctx.sql`update milestone set status = 'verified' where position = 1`
  await inTransaction(completeIfDone)
  expect(await status()).toBe('active')
  await setMilestones('released')
  await inTransaction(completeIfDone)
  expect(await status()).toBe('completed')
  await inTransaction(completeIfDone)
  expect(await updates()).toEqual(['completed'])
})

test.each([
  ['active', 0n],
  ['funded', 70n],
])('a reverted release opens a campaign again, as %s', async (before, gift) => {
  const { world, setMilestones, inTransaction, status, updates } = await setUp()
  if (gift > 0n) await world.give(gift)
  await setMilestones('released')
  await inTransaction(completeIfDone)
  await inTransaction(reopenIfUndone)
  expect(await status()).toBe('completed')
  await setMilestones('verified')
  await inTransaction(reopenIfUndone)
  expect(await status()).toBe(before)
  await inTransaction(reopenIfUndone)
  expect(await updates()).toEqual(['completed', before])
})

test('a reverted release does not open a plain campaign', async () => {
  const { world, setMilestones, inTransaction, status } = await setUp()
  await setMilestones('released')
  await inTransaction(completeIfDone)
  await setMilestones('verified')
  await world.ctx.sql`delete from campaign_escrow`
  await inTransaction(reopenIfUndone)
  expect(await status()).toBe('completed')
})

test('refuses a creator who ends a campaign that only its escrow can end', async () => {
  const { world, status } = await setUp()
  await world.give(1n)
  const creator = world.as(world.creator)
  for (const end of ['completed', 'cancelled'] as const) {
    await expect(changeCampaign(creator, world.campaignId, { status: end })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('escrow'),
    })
  }
  expect(await status()).toBe('active')
})

test('lets a creator cancel a campaign whose escrow has received nothing', async () => {
  const { world, status } = await setUp()
  await changeCampaign(world.as(world.creator), world.campaignId, { status: 'cancelled' })
  expect(await status()).toBe('cancelled')
})
