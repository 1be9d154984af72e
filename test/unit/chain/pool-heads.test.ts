import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Fault, Layer } from '../../support/fault-proxy.ts'
import { hex, type Json } from '../../support/faults/fault.ts'
import { HEAD_LIES, invent, tagLayer } from '../../support/faults/head-lies.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { clientOf, codeOf, startThreeNodes } from './support.ts'

const GNOSIS = 100
const MAX_LAG_SECONDS = 10
const custom = (layer: Layer) => ({ kind: 'custom', layer }) as const

/**
 * A chain of ten blocks behind three nodes, and a client that asks all three nodes for their heads.
 */
const setUp = async (chainId = 31_337, graceMs = 2_000) => {
  const chain = await startTestChain({ chainId })
  await chain.mine(10)
  const { first, second, third, urls } = await startThreeNodes(chain)
  const metrics = createTestMetrics()
  const client = clientOf({
    urls,
    chain: { id: chainId, maxLagSeconds: MAX_LAG_SECONDS },
    metrics,
    cooldown: { firstMs: 1, longestMs: 5 },
    graceMs,
    timeoutMs: 10_000,
  })
  onTestFinished(() => client.close())
  const states = () => client.nodes().map(({ state }) => state)
  const labels = { chain: chainId, node: new URL(first.url).host }
  const faults = (reason: string) =>
    metrics.value('fundproof_node_faults_total', { ...labels, reason })
  const isUp = () => metrics.value('fundproof_node_up', labels)
  /** Mines a block with a time 5 s later, and reads the heads, which must be those of the chain. */
  const step = async () => {
    await chain.call('anvil_mine', ['0x1', '0x5'])
    const heads = await client.heads()
    const final = await chain.call<{ hash: string }>('eth_getBlockByNumber', ['finalized', false])
    expect(heads.latest.number).toBe(await chain.head())
    expect(heads.finalizedHash).toBe(final.hash)
    return states()
  }
  return { chain, first, second, third, client, isUp, states, faults, step }
}

describe.skipIf(!hasAnvil)(
  'what one node of three says about its newest and its final block',
  () => {
    test.each(Object.entries(HEAD_LIES))(
      'is not believed and is named where it shows %s, until it is honest again',
      async (_, lie) => {
        const { first, step, isUp } = await setUp()
        expect(await step()).toEqual(['up', 'up', 'up'])
        first.set(custom(lie))
        await expect.poll(step, { timeout: 10_000 }).toEqual(['distrusted', 'up', 'up'])
        expect(isUp()).toBe(0)
        first.heal()
        await expect.poll(step, { timeout: 10_000 }).toEqual(['up', 'up', 'up'])
      },
    )

    test('is named where every second newest block is invented, some blocks above the chain', async () => {
      const { first, step, faults } = await setUp()
      await step()
      const lie = custom(
        tagLayer('latest', (head) => invent(head, { number: hex(Number(head.number) + 3) })),
      )
      const lieOnce = async () => {
        first.set(lie)
        await step()
        first.heal()
        await step()
        return faults('wrong_hash')
      }
      await expect.poll(lieOnce, { timeout: 10_000 }).toBeGreaterThan(0)
    })

    const LATE_LIES: readonly [string, Fault][] = [
      ['a branch of its own', { kind: 'forged-branch', from: 4 }],
      ['an old block as the newest', { kind: 'stale', at: 1 }],
      ['no final block', { kind: 'finality', at: 'null' }],
      ['the first block as final', { kind: 'finality', at: 0 }],
    ]
    test.each(LATE_LIES)(
      'stops nothing where it shows %s, and an honest node answers after the grace',
      async (_, lie) => {
        const { first, third, step } = await setUp(31_337, 20)
        first.set(lie)
        third.set(custom((method, params, ask) => delay(100).then(() => ask(method, params))))
        for (let pass = 0; pass < 4; pass += 1) await step()
      },
    )

    test.each([GNOSIS, 31_337])(
      'is named where it calls its newest block final (chain %i)',
      async (chainId) => {
        const { first, second, third, chain, client, states } = await setUp(chainId)
        const final = (await client.heads()).finalizedNumber ?? 0
        for (const node of [second, third]) node.set({ kind: 'finality', at: final })
        first.set({ kind: 'finality', at: 'latest' })
        const next = async () => {
          await chain.call('anvil_mine', ['0x1', '0x5'])
          expect((await client.heads()).finalizedNumber).toBe(final)
          return states()
        }
        await expect.poll(next, { timeout: 10_000 }).toEqual(['distrusted', 'up', 'up'])
      },
    )

    test('is no fault where the node is some blocks behind, and later has caught up', async () => {
      const { first, step, faults, chain } = await setUp()
      for (const blocks of [1, 2, 1]) {
        await step()
        first.set({ kind: 'backwards', blocks })
        await step()
        first.heal()
      }
      first.set({ kind: 'stale', at: (await chain.head()) - 1 })
      await expect.poll(step, { timeout: 10_000 }).toEqual(['lagging', 'up', 'up'])
      for (let pass = 0; pass < 5; pass += 1) expect(await step()).toEqual(['lagging', 'up', 'up'])
      first.heal()
      await expect.poll(step, { timeout: 10_000 }).toEqual(['up', 'up', 'up'])
      expect(['wrong_hash', 'outvoted', 'block_missing'].map(faults)).toEqual([0, 0, 0])
    })

    test('is called behind, and no disagreement, where its newest block is below a final block', async () => {
      const { first, second, third, client } = await setUp()
      first.set({ kind: 'stale', at: 3, finalized: 1 })
      second.set({ kind: 'finality', at: 8 })
      third.set({ kind: 'drop' })
      const name = new RegExp(`[:;] ${new URL(first.url).host} is behind with block 3 0x`)
      await expect(client.heads()).rejects.toThrow(name)
    })

    test('is no fault where the others stand still, and the node goes on', async () => {
      const { chain, first, second, third, client, states, faults, step } = await setUp()
      await step()
      for (const node of [second, third]) node.set({ kind: 'stale' })
      await client.heads()
      for (let pass = 0; pass < 10; pass += 1) {
        await chain.call('anvil_mine', ['0x1', '0x5'])
        await client.heads()
        expect(states()).toEqual(['up', 'up', 'up'])
      }
      for (const node of [second, third]) node.heal()
      await step()
      expect(['wrong_hash', 'outvoted'].map(faults)).toEqual([0, 0])
      expect(first.faulted).toBe(0)
    })

    test('is named where it invents each final block, one above the final block of the others', async () => {
      const { first, step } = await setUp()
      await step()
      const one = (final: Json) =>
        invent(final, { number: `0x${(Number(final.number) + 1).toString(16)}` })
      first.set(custom(tagLayer('finalized', one)))
      await expect.poll(step, { timeout: 10_000 }).toEqual(['distrusted', 'up', 'up'])
      for (let pass = 0; pass < 5; pass += 1) expect((await step())[0]).toBe('distrusted')
      first.heal()
      await expect.poll(step, { timeout: 10_000 }).toEqual(['up', 'up', 'up'])
    })

    test.each([1, -1])(
      'is no fault any more where its final block is always %i away, on the same chain',
      async (away) => {
        const { first, step } = await setUp()
        await step()
        first.set(custom(tagLayer('finalized', () => null)))
        await expect.poll(step, { timeout: 10_000 }).toEqual(['distrusted', 'up', 'up'])
        first.heal()
        first.set(custom(tagLayer('finalized', (final, at) => at(Number(final.number) + away))))
        await expect.poll(step, { timeout: 10_000 }).toEqual(['up', 'up', 'up'])
      },
    )

    test('costs no look-up in each second where the node is two blocks behind', async () => {
      const { chain, client, first, second, third, step } = await setUp()
      await step()
      first.set({ kind: 'backwards', blocks: 2 })
      const lookUps = () =>
        [first, second, third]
          .flatMap(({ calls }) => calls)
          .filter(({ params }) => String(params[0]).startsWith('0x')).length
      const before = lookUps()
      for (let pass = 0; pass < 20; pass += 1) {
        await chain.call('anvil_mine', ['0x1', '0x1'])
        await client.heads()
      }
      expect(lookUps() - before).toBeLessThanOrEqual(3 * 3)
    })

    test('leaves the newest block agreed where two nodes name no final block, and the heads differ', async () => {
      const { chain, first, second, third, client } = await setUp()
      for (const node of [second, third]) node.set(custom(tagLayer('finalized', () => null)))
      first.set({ kind: 'stale', at: (await chain.head()) - 3 })
      second.set({ kind: 'stale', at: (await chain.head()) - 6 })
      const { latest, finalizedNumber } = await client.heads()
      expect([latest.number, finalizedNumber]).toEqual([(await chain.head()) - 3, null])
    })

    test('is a fault only for as long as the node is on a fork', async () => {
      const { chain, first, step, faults } = await setUp()
      await step()
      const head = await chain.head()
      first.set({ kind: 'forged-branch', from: head })
      await expect.poll(step, { timeout: 10_000 }).toEqual(['distrusted', 'up', 'up'])
      first.heal()
      await expect.poll(step, { timeout: 10_000 }).toEqual(['up', 'up', 'up'])
      expect(faults('wrong_hash')).toBeGreaterThan(0)
    })
  },
)

describe.skipIf(!hasAnvil)('one node of three that names an old block as final', () => {
  test('stops nothing where the other two refuse to show this block, and differ by one', async () => {
    const { first, second, third, client } = await setUp()
    const refusing =
      (final: string): Layer =>
      (method, params, ask) => {
        if (params[0] === '0x1') throw new RpcFault(4444, 'pruned history unavailable')
        return ask(method, params[0] === 'finalized' ? [final, false] : params)
      }
    first.set(custom(refusing('0x5')))
    second.set(custom(refusing('0x4')))
    third.set({ kind: 'finality', at: 1 })
    expect(await client.heads()).toMatchObject({ finalizedNumber: 4 })
  })
})

describe.skipIf(!hasAnvil)('two nodes of three that lie about finality in two ways', () => {
  const newest: Layer = (method, params, ask) =>
    ask(method, params[0] === 'finalized' ? params.with(0, 'latest') : params)
  test.each([
    ['an invented block', tagLayer('finalized', (final) => invent(final, { number: '0xffffff' }))],
    ['another newest block', tagLayer('finalized', (final) => invent(final, { number: '0xa' }))],
  ])('make no block final: %s and the newest block', async (_, lie) => {
    const { first, second, chain, client } = await setUp()
    const final = (await chain.head()) - 2
    first.set(custom(lie))
    second.set(custom(newest))
    expect((await client.heads()).finalizedNumber).toBe(final)
  })

  test('and where both invent one, nothing is final', async () => {
    const { first, second, client } = await setUp()
    first.set(custom(tagLayer('finalized', (final) => invent(final, { number: '0xffffff' }))))
    second.set(custom(tagLayer('finalized', (final) => invent(final, { number: '0xfffffe' }))))
    expect(await codeOf(() => client.heads())).toBe('no_agreement')
  })
})
