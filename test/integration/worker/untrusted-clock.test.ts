import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import { matchLateDonations, noteUnseen } from '../../../src/domain/blocks/index.ts'
import { disableEndpoints } from '../../../src/domain/events/webhook/end-endpoints.ts'
import { claimMail, queueMail } from '../../../src/domain/people/index.ts'
import { runOnce } from '../../../src/domain/service/index.ts'
import { createPruneJob } from '../../../worker/jobs/upkeep.ts'
import { address, CHAIN_ID, startChain, txHash } from '../../support/chain-facts.ts'
import { ALL_LEFT, createPerishable } from '../../support/perishable.ts'
import { recordGift } from '../../support/recorded-gift.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'

const DAYS_100_MS = 100 * 24 * 3_600_000

/** A world with a second context whose clock is 100 days ahead. That clock is trusted or not. */
const setUp = async () => {
  const world = await createWorld()
  const ahead = (isTrusted: boolean): Context => ({
    ...world.ctx,
    clock: { now: () => new Date(Date.now() + DAYS_100_MS), isTrusted: () => isTrusted },
  })
  return { world, ahead }
}

test('a worker removes, expires and disables only by a clock that it trusts', async () => {
  const { world, ahead } = await setUp()
  await startChain(world.ctx)
  const { left } = await createPerishable(world)
  const [endpoint] = await world.ctx.sql<{ id: string }[]>`select id from webhook_endpoint`
  const work = async (ctx: Context) => {
    await ctx.sql`update donation set next_check_at = now()`
    await matchLateDonations(ctx, CHAIN_ID)
    await disableEndpoints(ctx, { gone: [], failing: [endpoint?.id ?? ''] })
    await createPruneJob(ctx).run()
  }
  await work(ahead(false))
  expect(await left()).toEqual(ALL_LEFT)
  await work(ahead(true))
  expect(await left()).toEqual({
    ...{ events: 0, sessions: 0, answers: 0 },
    ...{ intent: 'expired', endpoint: 'disabled' },
  })
})

test('an overdue intent that may not expire waits, so that it does not hold up younger intents', async () => {
  const { world, ahead } = await setUp()
  await startChain(world.ctx)
  await createPerishable(world)
  const ctx = ahead(false)
  await matchLateDonations(ctx, CHAIN_ID)
  const [intent] = await ctx.sql<{ nextCheckAt: Date }[]>`select next_check_at from donation`
  expect(intent?.nextCheckAt.getTime()).toBeGreaterThan(ctx.clock.now().getTime())
})

test('a donation that no node knows expires only by a clock that is trusted', async () => {
  const { world, ahead } = await setUp()
  const user = await createUser(world.ctx)
  const options = { creator: user, account: address('campaign') }
  const campaignId = await createTestCampaign(world.ctx, options)
  const gift = { hash: txHash('a'), from: address('donor') }
  const id = await recordGift(world.as(user), campaignId, gift, '1')
  const status = async () =>
    (await world.ctx.sql<{ status: string }[]>`select status from donation`)[0]?.status
  await noteUnseen(ahead(false), [id])
  expect(await status()).toBe('pending')
  await noteUnseen(ahead(true), [id])
  expect(await status()).toBe('expired')
})

test('a mail with a code is given up only by a clock that is trusted', async () => {
  const { world, ahead } = await setUp()
  const values = { code: '123456', minutes: 10 }
  await queueMail(world.ctx, { to: 'a@example.org', lang: 'en', template: 'verify_email', values })
  expect(await claimMail(ahead(false), { limit: 1, leaseMs: -1_000 })).toHaveLength(1)
  expect(await claimMail(ahead(true), { limit: 1, leaseMs: -1_000 })).toHaveLength(0)
})

test('a stored answer is given again although its time is over by a clock that is not trusted', async () => {
  const { world, ahead } = await setUp()
  type Ask = Parameters<typeof runOnce>[1]
  const ask: Ask = { callers: ['ada', 'ada'], key: 'key', fingerprints: ['same', 'same'] }
  let runs = 0
  const post = (ctx: Context) =>
    runOnce(ctx, ask, async () => {
      runs++
      return { store: { status: 201, location: null, body: '{}' } }
    })
  await post(world.ctx)
  await post(ahead(false))
  expect(runs).toBe(1)
  await post(ahead(true))
  expect(runs).toBe(2)
})
