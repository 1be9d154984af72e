import { expect, test } from 'vitest'
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
  /** Lists the statuses in the `campaign.updated` events, in order. */
  const updates = async () => {
    const rows = await world.ctx.sql<{ body: string }[]>`
      select event.body from event where type = 'campaign.updated' order by seq`
    return rows.map(({ body }) => JSON.parse(body).data)
  }
  return { world, verifier, status, updates }
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
