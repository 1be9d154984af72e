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
    const { hash } = await blockAt(number)
    const way = await client.descent(from, { number, hash })
    expect(descend(from, number, way)).toBe(hash)
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
    const { hash } = await blockAt(number)
    const way = await client.descent(from, { number, hash })
    expect(way.headers.length).toBe(40)
    expect(descend(from, number, way)).toBe(hash)
    const far = { number: from.number - 70, hash: (await blockAt(from.number - 70)).hash }
    await expect(client.descent(from, far)).rejects.toThrow()
  })

  test('is refused if it leads to another block, or from another state', async () => {
    const { client, from, blockAt } = await setUp(100)
    const [near, far] = [from.number - 4, from.number - 90]
    const other = { number: near, hash: (await blockAt(near - 1)).hash }
    await expect(client.descent(from, other)).rejects.toThrow(`Block ${near} has another hash`)
    const itself = { number: from.number, hash: other.hash }
    await expect(client.descent(from, itself)).rejects.toThrow('has another hash')
    const forged = { ...from, stateRoot: changeByte(from.stateRoot, 0) }
    const { hash } = await blockAt(far)
    await expect(client.descent(forged, { number: far, hash })).rejects.toThrow('does not match')
  })
})
