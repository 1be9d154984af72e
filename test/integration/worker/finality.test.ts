import { describe, expect, test } from 'vitest'
import { advanceFinality, readChain, settleBatch } from '../../../src/domain/blocks/index.ts'
import { applyBlock, blockHash, CHAIN_ID, startChain } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createWorld, TEST_CHAIN } from '../../support/world.ts'
import { createChainWorld } from '../support/chain-world.ts'

const STALLED_AFTER_MS = 60_000

/** A worker on a real chain behind a proxy, a clock that stands still, and the logged errors. */
const setUp = async (chainId = TEST_CHAIN.id) => {
  const chain = await startTestChain()
  const proxy = await startFaultProxy(chain.url)
  if (chainId !== TEST_CHAIN.id) proxy.set({ kind: 'wrong-chain', chainId })
  const clock = createFakeClock()
  const metrics = createTestMetrics()
  const chains = [{ ...TEST_CHAIN, id: chainId }]
  const created = await createWorld({ clock, metrics, chains })
  const errors: string[] = []
  const log = Object.assign(Object.create(created.ctx.log), {
    error: (_facts: object, message: string) => errors.push(message),
  })
  const ctx = { ...created.ctx, log }
  const world = await createChainWorld({
    ...{ chain, chains, rpc: [proxy.url], config: { stalledAfterMs: STALLED_AFTER_MS } },
    world: { ...created, ctx },
  })
  const donate = (index: number) => world.give(index).then(() => chain.mine())
  const state = async () => {
    const [row] = await ctx.sql<{ finalizedNumber: number; problem: string | null }[]>`
      select finalized_number, problem from chain_state`
    return {
      final: row?.finalizedNumber,
      problem: row?.problem?.split(':')[0] ?? null,
      donations: await world.statuses(),
      stalled: metrics.value('fundproof_finality_stalled', { chain: chainId }),
      errors: errors.map((error) => error.split(':')[0]),
    }
  }
  return { ...world, chainId, proxy, clock, donate, state, errors }
}

describe.skipIf(!hasAnvil)('finality that cannot be relied on', () => {
  test('a `finalized` tag that stands still delays donations, and raises one alarm until it moves', async () => {
    const { proxy, clock, follow, donate, state, mineAndFollow } = await setUp()
    await follow()
    const before = (await state()).final ?? 0
    proxy.set({ kind: 'finality', at: before })
    await donate(1)
    await mineAndFollow(200)
    clock.advance(STALLED_AFTER_MS)
    await follow()
    expect(await state()).toMatchObject({ problem: null, stalled: 0, donations: ['confirming'] })
    clock.advance(1)
    for (let passes = 0; passes < 3; passes += 1) {
      await mineAndFollow()
      expect(await state()).toEqual({
        final: before,
        problem: 'finality_stalled',
        donations: ['confirming'],
        stalled: 1,
        errors: ['finality_stalled'],
      })
    }
    proxy.heal()
    await follow()
    expect(await state()).toMatchObject({ problem: null, stalled: 0, donations: ['completed'] })
  })

  test('a worker that was away for long reports no standstill of finality', async () => {
    const { chain, clock, follow, state } = await setUp()
    await follow()
    await chain.mine(60)
    clock.advance(100 * STALLED_AFTER_MS)
    await follow()
    expect(await state()).toMatchObject({ problem: null, stalled: 0, errors: [] })
  })

  test('a node that names an older final block takes nothing back', async () => {
    const { proxy, follow, donate, state, mineAndFollow } = await setUp()
    await follow()
    await donate(1)
    await mineAndFollow(2)
    const { final } = await state()
    proxy.set({ kind: 'finality', at: 1 })
    await follow()
    expect(await state()).toMatchObject({ final, problem: null, donations: ['completed'] })
  })

  test.each(['unknown', 'null'] as const)(
    'a node to which "finalized" is %s settles nothing, and this is said',
    async (at) => {
      const { proxy, follow, donate, state, mineAndFollow } = await setUp()
      await follow()
      const before = (await state()).final
      const restore = proxy.set({ kind: 'finality', at })
      await donate(1)
      await mineAndFollow(5)
      expect(await state()).toMatchObject({
        final: before,
        problem: 'finality_unknown',
        donations: ['confirming'],
        errors: ['finality_unknown'],
      })
      restore()
      await follow()
      expect(await state()).toMatchObject({ problem: null, donations: ['completed'] })
    },
  )

  test('a node that calls its head final is not believed where that cannot be', async () => {
    const { proxy, follow, donate, state, errors } = await setUp(1)
    await follow()
    const before = (await state()).final
    proxy.set({ kind: 'finality', at: 'latest' })
    await donate(1)
    await follow()
    expect(await state()).toMatchObject({
      final: before,
      problem: 'finality_at_head',
      donations: ['confirming'],
    })
    expect(errors.at(-1)).toMatch(/on Ethereum cannot be/)
  })

  test('on a chain of which nothing is known, a head may be final at once', async () => {
    const { proxy, follow, donate, state } = await setUp()
    await follow()
    proxy.set({ kind: 'finality', at: 'latest' })
    await donate(1)
    await follow()
    expect(await state()).toMatchObject({ problem: null, donations: ['completed'] })
  })

  test('a final block that is not on our chain stops all settling by each worker until it is', async () => {
    const { chain, chainId, proxy, ctx, follow, donate, state, mineAndFollow } = await setUp()
    await donate(1)
    await mineAndFollow(2)
    const { final = 0 } = await state()
    const liar = await startFaultProxy(chain.url)
    liar.set({ kind: 'forged-branch', from: final })
    const restore = proxy.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        if (params[0] !== 'finalized') return ask(method, params)
        const response = await fetch(liar.url, {
          method: 'POST',
          body: JSON.stringify({ id: 1, method, params }),
        })
        return ((await response.json()) as { result: unknown }).result
      },
    })
    await donate(2)
    await chain.mine(4)
    for (let passes = 0; passes < 2; passes += 1) {
      await follow()
      expect(await state()).toMatchObject({
        final,
        problem: 'finality_contradicted',
        donations: ['completed', 'confirming'],
        errors: ['finality_contradicted'],
      })
    }
    // Settling stays stopped, even if another worker has stored a later final block.
    await ctx.sql`update chain_state set finalized_number = cursor_number`
    expect(await settleBatch(ctx, chainId)).toBe(0)
    restore()
    await follow()
    expect(await state()).toMatchObject({ problem: null, donations: ['completed', 'completed'] })
  })
})

test('a halted chain starts again with what is final then, not with what was believed before', async () => {
  const { ctx } = await createWorld()
  await startChain(ctx)
  for (const number of [1, 2, 3]) await applyBlock(ctx, number, [])
  const say = (number: number, hash = blockHash(number)) =>
    advanceFinality(ctx, CHAIN_ID, { number, hash, caughtUpAt: blockHash(3) })
  expect(await say(3)).toBe('believed')
  expect(await say(2, blockHash(2, 'other'))).toBe('contradicted')
  expect(await readChain(ctx, CHAIN_ID)).toMatchObject({ halted: true })
  expect(await say(1)).toBe('believed')
  expect(await readChain(ctx, CHAIN_ID)).toMatchObject({ halted: false, finalizedNumber: 1 })
  expect(await say(3)).toBe('believed')
  expect(await readChain(ctx, CHAIN_ID)).toMatchObject({ halted: false, finalizedNumber: 3 })
})
