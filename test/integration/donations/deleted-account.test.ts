import { expect, test } from 'vitest'
import { deleteAccount } from '../../../src/domain/account/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { applyBlock } from '../../support/chain-facts.ts'
import { ACCOUNT, createSettledWorld } from './support/settled-world.ts'

type Settled = Awaited<ReturnType<typeof createSettledWorld>>

const remove = async ({ world }: Settled, user: Actor & { kind: 'user' }) => {
  const [row] = await world.ctx.sql<{ passwordHash: string }[]>`
    select password_hash from app_user where id = ${user.userId}`
  const passwordHash = row?.passwordHash ?? ''
  await deleteAccount(world.as(user), { id: user.userId, passwordHash })
}

const notified = async ({ ctx }: Settled) =>
  (await ctx.sql<{ userId: string; type: string }[]>`select user_id, type from notification`).map(
    ({ userId, type }) => [userId, type],
  )

test('credits a donation that was pending when its donor deleted the account, and reverses it', async () => {
  const settled = await createSettledWorld()
  const { ctx, donor, creator, record, read, finalise, raised } = settled
  const id = await record('a')
  await remove(settled, donor)
  await applyBlock(ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  expect(await read(id)).toMatchObject({ status: 'confirming' })
  await finalise(1)
  expect(await read(id)).toMatchObject({ status: 'completed', userId: donor.userId })
  expect(await raised()).toBe('10000000')
  expect(await settled.events()).toEqual(['donation.completed'])
  expect(await notified(settled)).toEqual([[creator.userId, 'donation_completed']])
  await settled.undo(1, 0)
  expect(await read(id)).toMatchObject({ status: 'reversed' })
  expect(await raised()).toBe('0')
  expect(await settled.differences()).toEqual([])
})

test('credits a payment to an intent of a deleted account', async () => {
  const settled = await createSettledWorld()
  const id = await settled.intend()
  await remove(settled, settled.donor)
  await applyBlock(settled.ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n, claimed: false }])
  await settled.finalise(1)
  expect(await settled.read(id)).toMatchObject({ status: 'completed' })
  expect(await settled.raised()).toBe('10000000')
  expect(await settled.differences()).toEqual([])
})

test('credits a completed campaign whose creator has deleted the account, and notifies the donor', async () => {
  const settled = await createSettledWorld()
  const { ctx, creator, donor, record, finalise, raised } = settled
  const id = await record('a')
  await expect(remove(settled, creator)).rejects.toMatchObject({ code: 'campaigns_open' })
  await ctx.sql`update campaign set status = 'completed'`
  await remove(settled, creator)
  await applyBlock(ctx, 1, [{ tx: 'a', to: ACCOUNT, usdc: 10_000_000n }])
  await finalise(1)
  expect(await settled.read(id)).toMatchObject({ status: 'completed' })
  expect(await raised()).toBe('10000000')
  expect(await notified(settled)).toEqual([[donor.userId, 'donation_completed']])
  expect(await settled.differences()).toEqual([])
})
