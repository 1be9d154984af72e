import { expect, test } from 'vitest'
import { isAnythingDue, postponeChecks } from '../../../src/domain/blocks/index.ts'
import { announceDeposits } from '../../../src/domain/donations/index.ts'
import { queueMail } from '../../../src/domain/people/index.ts'
import { createAssetCatalogue } from '../../../src/kernel/money/assets.ts'
import { createClampDueTimesJob } from '../../../worker/jobs/upkeep.ts'
import { applyBlock, CHAIN_ID } from '../../support/chain-facts.ts'
import { TEST_CHAIN } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld } from '../donations/support/settled-world.ts'

const JUMP_MS = 80 * 3_600_000
const GRACE_MS = 3_600_000

/**
 * A world, a function that works while the clock is ahead, and the job that runs after the
 * correction.
 */
const setUp = async () => {
  const world = await createSettledWorld()
  const whileAhead = async <T>(work: () => Promise<T>): Promise<T> => {
    world.clock.advance(JUMP_MS)
    const done = await work()
    world.clock.advance(-JUMP_MS)
    return done
  }
  const { run: clamp } = createClampDueTimesJob(world.ctx)
  return { ...world, whileAhead, clamp, isDue: () => isAnythingDue(world.ctx, CHAIN_ID) }
}

test('a donation that was recorded while the clock was 80 hours ahead is looked up now', async () => {
  const { whileAhead, record, clock, clamp, isDue } = await setUp()
  await whileAhead(() => record('a'))
  clock.advance(600_000)
  expect(await isDue()).toBe(false)
  await clamp()
  expect(await isDue()).toBe(true)
})

test('a look-up that was put off while the clock was 80 hours ahead is made now', async () => {
  const { ctx, whileAhead, record, clock, clamp, isDue } = await setUp()
  const id = await record('a')
  await whileAhead(() => postponeChecks(ctx, [id], 'node_unavailable'))
  clock.advance(600_000)
  expect(await isDue()).toBe(false)
  await clamp()
  expect(await isDue()).toBe(true)
})

test('a donation that was to wait for its price while the clock was 80 hours ahead is priced now', async () => {
  const { ctx, whileAhead, record, finalise, clamp, read } = await setUp()
  const id = await record('eth', '1', 'ETH')
  await applyBlock(ctx, 1, [{ tx: 'eth', to: ACCOUNT, wei: 10n ** 18n }])
  const settings = { ...ctx.settings, assets: createAssetCatalogue([TEST_CHAIN], {}) }
  await whileAhead(() => finalise(1, { ...ctx, settings }))
  await finalise(1)
  expect(await read(id)).toMatchObject({ status: 'confirming' })
  await clamp()
  await finalise(1)
  expect(await read(id)).toMatchObject({ status: 'completed' })
})

test('a deposit that was booked while the clock was 80 hours ahead is announced after its grace', async () => {
  const { ctx, whileAhead, finalise, clock, clamp } = await setUp()
  await applyBlock(ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n, claimed: false }])
  await whileAhead(() => finalise(1))
  await clamp()
  clock.advance(GRACE_MS - 1)
  expect(await announceDeposits(ctx, 10)).toBe(0)
  clock.advance(1)
  expect(await announceDeposits(ctx, 10)).toBe(1)
})

test("mail and proofs that were put off while the database's clock was 80 hours ahead are due now", async () => {
  const { ctx, record, finalise, clamp } = await setUp()
  await queueMail(ctx, {
    to: 'ada@example.com',
    lang: 'en',
    template: 'endpoint_disabled',
    values: { url: 'https://a.example/', reason: 'gone' },
  })
  const id = await record('a')
  await applyBlock(ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await finalise(1)
  await ctx.sql`
    insert into donation_proof
      (donation_id, transfer_id, chain_id, block_hash, version, next_try_at, created_at)
    select donation.id, transfer.id, transfer.chain_id, transfer.block_hash, 1,
           now() + interval '80 hours', now()
    from donation join chain_transfer transfer on transfer.id = transfer_id
    where donation.id = ${id}`
  await ctx.sql`update mail set next_attempt_at = now() + interval '80 hours'`
  await clamp()
  expect(await ctx.sql`select next_attempt_at <= now() as due from mail`).toEqual([{ due: true }])
  expect(await ctx.sql`select next_try_at <= now() as due from donation_proof`).toEqual([
    { due: true },
  ])
})

test('what waits no longer than it may is left to wait: donations, intents, deposits', async () => {
  const { ctx, record, intend, finalise, clamp } = await setUp()
  const id = await record('late')
  await intend()
  for (let tries = 0; tries < 10; tries++) await postponeChecks(ctx, [id], 'node_unavailable')
  await ctx.sql`update donation set next_check_at = expires_at where intent`
  await applyBlock(ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n, claimed: false }])
  await finalise(1)
  const times = () => ctx.sql`
    select next_check_at as due from donation
    union all select announce_at from chain_transfer order by due`
  const before = await times()
  expect(before).toHaveLength(3)
  await clamp()
  expect(await times()).toEqual(before)
})
