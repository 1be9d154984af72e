import { expect, test } from 'vitest'
import { withTransaction } from '../../../src/db/transaction.ts'
import {
  changeCampaign,
  completeIfDone,
  reopenIfUndone,
} from '../../../src/domain/campaign/index.ts'
import { address, CHAIN_ID } from '../../support/chain-facts.ts'
import { createTestCampaign } from '../../support/world.ts'
import { createVerifiedWorld, createVerifier } from './support/verified-world.ts'

type Options = Parameters<typeof createVerifiedWorld>[0]

const setUp = async (options: Options) => {
  const world = await createVerifiedWorld(options)
  const verifier = await createVerifier(world, 1)
  const status = async () => {
    const [row] = await world.ctx.sql<{ status: string }[]>`
      select status from campaign where id = ${world.campaignId}`
    return row?.status
  }
  /** The statuses that `campaign.updated` named, in order. */
  const updates = async () => {
    const rows = await world.ctx.sql<{ body: string }[]>`
      select body from event where type = 'campaign.updated' order by seq`
    return rows.map(({ body }) => JSON.parse(body).data)
  }
  /** The account becomes an escrow; its terms do not matter here. */
  const addEscrow = () => world.ctx.sql`
    insert into campaign_escrow (campaign_id, terms) values (${world.campaignId}, '0x00')`
  const setMilestones = (to: string, from: string) => world.ctx.sql`
    update milestone set status = ${to} where status = ${from}`
  const inTransaction = (work: typeof completeIfDone) =>
    withTransaction(world.ctx, (ctx) => work(ctx, [world.campaignId]))
  return { world, verifier, status, updates, addEscrow, setMilestones, inTransaction }
}

test('the release of the last milestone completes a campaign that has reached its target', async () => {
  const { world, verifier, status, updates } = await setUp({
    milestones: ['30', '40'],
    target: '70',
  })
  await world.give(70n)
  await world.decide(verifier)
  expect(await status()).toBe('funded')
  expect(await updates()).toEqual([])
  await world.decide(verifier, 'completed', 1)
  expect(await status()).toBe('completed')
  const { campaignId } = world
  expect(await updates()).toEqual([
    { campaignId, changes: ['status'], status: 'completed', updatedAt: expect.any(String) },
  ])
})

test('a campaign below its target stays open after its last release, and is completed when it reaches the target', async () => {
  const { world, verifier, status, updates } = await setUp({ milestones: ['30'], target: '70' })
  await world.give(30n)
  await world.decide(verifier)
  expect(await status()).toBe('active')
  await world.give(40n)
  expect(await status()).toBe('completed')
  expect(await updates()).toMatchObject([{ status: 'completed' }])
})

test('a campaign without milestones stays open at its target', async () => {
  const { world, status } = await setUp({ milestones: [], target: '70' })
  await world.give(70n)
  expect(await status()).toBe('funded')
})

test('a campaign with a rejected milestone stays open', async () => {
  const { world, verifier, status } = await setUp({ milestones: ['30', '40'], target: '70' })
  await world.give(70n)
  await world.decide(verifier, 'rejected')
  await world.decide(verifier, 'completed', 1)
  expect(await status()).toBe('funded')
})

test('an escrow completes its campaign also if donations of its money are not recorded', async () => {
  const { addEscrow, setMilestones, inTransaction, status, updates } = await setUp({
    milestones: ['30', '40'],
    target: '70',
  })
  await setMilestones('released', 'pending')
  await inTransaction(completeIfDone)
  expect(await status()).toBe('active')
  await addEscrow()
  await inTransaction(completeIfDone)
  expect(await status()).toBe('completed')
  await inTransaction(completeIfDone)
  expect(await updates()).toHaveLength(1)
})

test.each([
  ['active', 0n],
  ['funded', 70n],
])('a reverted release opens the campaign of an escrow again, as %s', async (before, gift) => {
  const { world, addEscrow, setMilestones, inTransaction, status, updates } = await setUp({
    milestones: ['70'],
    target: '70',
  })
  await addEscrow()
  if (gift > 0n) await world.give(gift)
  await setMilestones('released', gift > 0n ? 'reached' : 'pending')
  await inTransaction(completeIfDone)
  await inTransaction(reopenIfUndone)
  expect(await status()).toBe('completed')
  await setMilestones('verified', 'released')
  await inTransaction(reopenIfUndone)
  expect(await status()).toBe(before)
  await inTransaction(reopenIfUndone)
  expect(await updates()).toMatchObject([{ status: 'completed' }, { status: before }])
})

test('a reverted release does not open a plain campaign, or one whose account serves another', async () => {
  const { world, addEscrow, setMilestones, inTransaction, status } = await setUp({
    milestones: ['70'],
    target: '70',
  })
  const complete = () => world.ctx.sql`
    update campaign set status = 'completed' where id = ${world.campaignId}`
  await complete()
  await setMilestones('verified', 'pending')
  await inTransaction(reopenIfUndone)
  expect(await status()).toBe('completed')
  await addEscrow()
  await createTestCampaign(world.ctx, {
    ...{ creator: world.creator, account: address('campaign'), target: '1', chainId: CHAIN_ID },
  })
  await inTransaction(reopenIfUndone)
  expect(await status()).toBe('completed')
})

test('refuses a creator who ends a campaign that only its escrow can end', async () => {
  const { world, addEscrow, status } = await setUp({ milestones: ['70'], target: '70' })
  await addEscrow()
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
  const { world, addEscrow, status } = await setUp({ milestones: ['70'], target: '70' })
  await addEscrow()
  await changeCampaign(world.as(world.creator), world.campaignId, { status: 'cancelled' })
  expect(await status()).toBe('cancelled')
})
