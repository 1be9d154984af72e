import { expect, test } from 'vitest'
import { listEntries } from '../../../src/domain/books/index.ts'
import { readEvidence } from '../../../src/domain/campaigns/index.ts'
import { hashCanonicalJson } from '../../../src/kernel/formats/canonical-json.ts'
import { createVerifiedWorld, createVerifier, EVIDENCE } from './support/verified-world.ts'

test('shows the evidence of a verified milestone with its fingerprint and signatures', async () => {
  const world = await createVerifiedWorld()
  const verifier = await createVerifier(world, 1)
  await world.give(30n)
  expect(await readEvidence(world.ctx, world.campaignId)).toEqual([])
  await world.decide(verifier)
  const shown = {
    milestoneId: world.milestoneIds[0],
    evidence: EVIDENCE,
    evidenceHash: hashCanonicalJson(EVIDENCE),
    txHash: null,
    signers: [
      {
        address: verifier.key.address,
        name: null as string | null,
        signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
      },
    ],
  }
  expect(await readEvidence(world.ctx, world.campaignId)).toEqual([shown])
  for (const publicName of ['Dr Selam', 'two\nlines', 7]) {
    const profile = world.ctx.sql.json({ publicName })
    await world.ctx.sql`update app_user set profile = ${profile} where id = ${verifier.userId}`
    const [one] = await readEvidence(world.ctx, world.campaignId)
    expect(one?.signers[0]?.name).toBe(publicName === 'Dr Selam' ? publicName : null)
  }
  // A release without an escrow moves no money, so it has no transaction.
  const { items } = await listEntries(world.ctx, world.campaignId, { page: 1, limit: 20 })
  expect(items.map(({ kind, txHash }) => [kind, txHash === null])).toEqual([
    ['release', true],
    ['donation', false],
  ])
})

test('does not show the evidence of a rejected round', async () => {
  const world = await createVerifiedWorld({ milestones: ['20000', '80000'] })
  const [first, second] = [await createVerifier(world, 1), await createVerifier(world, 2)]
  await world.give(20_000n)
  await world.decide(first)
  expect(await readEvidence(world.ctx, world.campaignId)).toHaveLength(1)
  await world.decide(second, 'rejected')
  expect(await readEvidence(world.ctx, world.campaignId)).toEqual([])
})
