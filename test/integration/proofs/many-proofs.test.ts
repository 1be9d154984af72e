import { describe, expect, test } from 'vitest'
import { claimProofs } from '../../../src/domain/books/index.ts'
import { verifyProof } from '../../../src/verifier/index.ts'
import { createStoreProofsJob } from '../../../worker/jobs/store-proofs.ts'
import { passDatabaseTime } from '../../support/database-time.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { atLeast, waitFor } from '../../support/wait-for.ts'
import { ACCOUNT, createProofWorld } from './support/proof-world.ts'

/**
 * Sealed donations in this number of blocks, and workers whose nodes answer when the test allows
 * it.
 */
const setUp = async (blocks: number, perBlock = 1) => {
  const world = await createProofWorld()
  const { chain, sync } = world
  const ids: string[] = []
  for (let block = 0; block < blocks; block++) {
    for (let index = 1; index <= perBlock; index++) {
      const signed = await chain.send(await chain.signToken(index, ACCOUNT, 5_000_000n))
      ids.push(await world.record(signed, '5'))
    }
    await chain.mine()
  }
  await world.finish()
  /** A worker, the blocks that it has asked for, and functions that let its node answer. */
  const createHeldWorker = () => {
    const asked: { blockHash: string; donations: number }[] = []
    const held: (() => void)[] = []
    const job = createStoreProofsJob({
      ...sync,
      client: {
        ...sync.client,
        evidence: async (request) => {
          asked.push({ blockHash: request.blockHash, donations: request.txHashes.length })
          await new Promise<void>((resolve) => held.push(resolve))
          return sync.client.evidence(request)
        },
      },
    })
    return { asked, held, job }
  }
  return { ...world, ids, createHeldWorker }
}

describe.skipIf(!hasAnvil)('the proofs of many donations', () => {
  test('are fetched four blocks at a time, and no second worker fetches the same ones', async () => {
    const world = await setUp(6)
    const [one, other] = [world.createHeldWorker(), world.createHeldWorker()]
    const passing = one.job.run()
    await waitFor('the first blocks to be asked for', () => one.held.length, atLeast(4), 5_000)
    // A slow node keeps its worker busy for a long time.
    await passDatabaseTime(world.api.ctx, 120_000)
    await other.job.run()
    expect(other.asked).toEqual([])
    expect(one.held).toHaveLength(4)
    for (let answered = 0; answered < 6; answered++) {
      await waitFor('a block', () => one.held.length, atLeast(1))
      one.held.shift()?.()
    }
    await passing
    expect(new Set(one.asked.map((ask) => ask.blockHash)).size).toBe(6)
    expect(one.asked).toHaveLength(6)
    for (const id of world.ids) {
      expect(await verifyProof(await world.proofOf(id), world.trust)).toMatchObject({ ok: true })
    }
  })

  test('are claimed fifty at a time, those of a block together', async () => {
    const world = await setUp(14, 4)
    const worker = world.createHeldWorker()
    const passing = worker.job.run()
    const claimed = async () => {
      const [row] = await world.api.ctx.sql<{ count: number }[]>`
        select count(*)::int as count from donation_proof where tries > 0`
      return row?.count
    }
    await waitFor('blocks', () => worker.held.length, atLeast(1))
    expect(await claimed()).toBe(50)
    let done = false
    const finished = passing.then(() => {
      done = true
    })
    await waitFor(
      'the pass to end',
      () => {
        for (const answer of worker.held.splice(0)) answer()
        return done
      },
      Boolean,
    )
    await finished
    // The donations of one block are split between two claims.
    expect(worker.asked).toHaveLength(15)
    expect(worker.asked.reduce((sum, ask) => sum + ask.donations, 0)).toBe(56)
    expect(await claimed()).toBe(56)
  })

  test('that a worker claimed while its clock was 80 hours ahead are due when the claim ends', async () => {
    const world = await setUp(1)
    const jumpMs = 80 * 3_600_000
    world.clock.advance(jumpMs)
    expect((await claimProofs(world.api.ctx, world.sync.chain.id, 10)).due).toHaveLength(1)
    world.clock.advance(-jumpMs)
    await passDatabaseTime(world.api.ctx, 600_000)
    await world.prove()
    for (const id of world.ids) {
      expect(await verifyProof(await world.proofOf(id), world.trust)).toMatchObject({ ok: true })
    }
  })

  test('that a stopped worker has claimed and not fetched are due at once', async () => {
    const world = await setUp(6)
    const worker = world.createHeldWorker()
    worker.job.start()
    await waitFor('blocks', () => worker.held.length, atLeast(4), 5_000)
    const stopped = worker.job.stop()
    for (const answer of worker.held.splice(0)) answer()
    await stopped
    expect(worker.asked).toHaveLength(4)
    await world.prove()
    for (const id of world.ids) {
      expect(await verifyProof(await world.proofOf(id), world.trust)).toMatchObject({ ok: true })
    }
  })
})
