import { expect, test } from 'vitest'
import { startChain } from '../../support/chain-facts.ts'
import { startHalf } from '../../support/halves.ts'
import { createWorld } from '../../support/world.ts'

test('says that a chain is stalled, and stays ready to record donations meanwhile', async () => {
  const { url, ctx } = await createWorld()
  const api = await startHalf('api', { databaseUrl: url, rpcUrl: 'http://127.0.0.1:9' })
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/readyz`)
    const { checks } = (await answer.json()) as { checks: Record<string, { note?: string }> }
    return [answer.status, checks['chain:31337']?.note]
  }
  expect(await readiness()).toEqual([200, 'not followed yet'])
  await startChain(ctx)
  expect(await readiness()).toEqual([200, 'followed'])
  await ctx.sql`update chain_state set updated_at = now() - interval '1 hour'`
  expect(await readiness()).toEqual([
    200,
    expect.stringMatching(/^stalled: no progress for 36\d\d s$/),
  ])
  await ctx.sql`update chain_state set problem = 'transport: the node is away'`
  expect(await readiness()).toEqual([
    200,
    expect.stringMatching(/^stalled: .*; last problem: transport: the node is away$/),
  ])
})
