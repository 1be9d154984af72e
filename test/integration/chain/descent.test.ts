import { describe, expect, test } from 'vitest'
import { descend } from '../../../src/verifier/consensus/index.ts'
import { changeByte } from '../../support/beacon/test-beacon.ts'
import { createChainSync, servedBy } from '../../support/chain-sync.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createWorld } from '../../support/world.ts'

type Named = { hash: string; stateRoot: string }

const setUp = async (blocks: number) => {
  const chain = await startTestChain()
  const number = await chain.mine(blocks)
  const blockAt = (at: number) =>
    chain.call<Named>('eth_getBlockByNumber', [`0x${at.toString(16)}`, false])
  const proxy = await startFaultProxy(chain.url)
  const { ctx } = await createWorld()
  const { client } = createChainSync(ctx, servedBy(proxy.url))
  return { client, proxy, from: { ...(await blockAt(number)), number }, blockAt }
}

describe.skipIf(!hasAnvil)('the way from a proven block down to an earlier one', () => {
  test.each([
    [0, 'nothing'],
    [8, 'headers'],
    [9, 'a state proof'],
    [150, 'a state proof'],
  ])('leads %i blocks down by %s', async (distance, by) => {
    const { client, from, blockAt } = await setUp(distance + 20)
    const number = from.number - distance
    const way = await client.descent(from, number)
    expect(descend(from, number, way)).toBe((await blockAt(number)).hash)
    expect(way.history !== null).toBe(by === 'a state proof')
    expect(way.headers.length).toBe(by === 'headers' ? distance : 0)
    if (way.history === null) return
    const { account, storage } = way.history
    const altered = [...storage.slice(0, -1), changeByte(storage.at(-1) ?? '', 40)]
    expect(() => descend(from, number, { ...way, history: { account, storage: altered } })).toThrow(
      'does not match',
    )
    expect(() => descend(from, number - 1, way)).toThrow()
  })

  test('has more headers if the node has no state', async () => {
    const { client, proxy, from, blockAt } = await setUp(80)
    proxy.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        if (method === 'eth_getProof') throw new Error('missing trie node')
        return ask(method, params)
      },
    })
    const number = from.number - 40
    const way = await client.descent(from, number)
    expect(way.headers.length).toBe(40)
    expect(descend(from, number, way)).toBe((await blockAt(number)).hash)
    await expect(client.descent(from, from.number - 70)).rejects.toThrow()
  })

  test('is refused if the node proves another state', async () => {
    const { client, from } = await setUp(100)
    const forged = { ...from, stateRoot: changeByte(from.stateRoot, 0) }
    await expect(client.descent(forged, from.number - 90)).rejects.toThrow('does not match')
  })
})
