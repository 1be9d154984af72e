import { expect, test } from 'vitest'
import { openChain, takeLease } from '../../../src/domain/blocks/index.ts'
import { blockHash, CHAIN_ID, minedAt } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWorld } from '../../support/world.ts'

const JUMP_MS = 80 * 3_600_000
const LEASE_MS = 500

const GENESIS = {
  number: 0,
  hash: blockHash(0),
  parentHash: blockHash(0),
  minedAt: minedAt(0),
}

const setUp = async () => {
  const clock = createFakeClock()
  const world = await createWorld({ clock })
  await openChain(world.ctx, CHAIN_ID, GENESIS)
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

test('a worker takes chains from one that has two more, until they share, unless its nodes fail', async () => {
  const { ctx } = await setUp()
  const others = [CHAIN_ID + 1, CHAIN_ID + 2]
  for (const id of others) await openChain(ctx, id, GENESIS)
  const chains = [CHAIN_ID, ...others]
  const take = async (owner: string, reason: string | null = null) => {
    const taken: number[] = []
    for (const id of chains) {
      if (await takeLease(ctx, id, owner, 60_000, [{ node: 'a', reason }])) taken.push(id)
    }
    return taken
  }
  expect(await take('first')).toEqual(chains)
  expect(await take('faulty', 'down')).toEqual([])
  expect(await take('second')).toEqual(chains.slice(-1))
  expect(await take('third')).toEqual([chains[1]])
  expect(await take('fourth')).toEqual([])
  expect(await take('first')).toEqual([CHAIN_ID])
})
