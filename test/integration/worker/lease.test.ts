import { expect, test } from 'vitest'
import { openChain, takeLease } from '../../../src/domain/blocks/index.ts'
import { blockHash, CHAIN_ID, minedAt } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'

const JUMP_MS = 80 * 3_600_000
const LEASE_MS = 500

const setUp = async () => {
  const clock = createFakeClock()
  const world = await createWorld({ clock })
  await openChain(world.ctx, CHAIN_ID, {
    number: 0,
    hash: blockHash(0),
    parentHash: blockHash(0),
    minedAt: minedAt(0),
  })
  const take = (owner: string, leaseMs = LEASE_MS) => takeLease(world.ctx, CHAIN_ID, owner, leaseMs)
  return { ctx: world.ctx, clock, take }
}

test('a lease that a worker took while its clock was 80 hours ahead ends like any other', async () => {
  const { clock, take } = await setUp()
  clock.advance(JUMP_MS)
  expect(await take('ahead')).not.toBeNull()
  clock.advance(-JUMP_MS)
  await waitFor('another worker to get the chain', () => take('other'), Boolean, 5_000)
})

test('a worker whose clock is ahead takes no lease from the worker that holds it', async () => {
  const { clock, take } = await setUp()
  expect(await take('holder', 60_000)).not.toBeNull()
  clock.advance(JUMP_MS)
  expect(await take('ahead', 60_000)).toBeNull()
  expect(await take('holder', 60_000)).not.toBeNull()
})

test("a lease that ends later than a new one would is void: the database's clock was ahead", async () => {
  const { ctx, take } = await setUp()
  expect(await take('ahead')).not.toBeNull()
  await ctx.sql`update chain_state set lease_until = now() + interval '80 hours'`
  expect(await take('other', 60_000)).not.toBeNull()
})
