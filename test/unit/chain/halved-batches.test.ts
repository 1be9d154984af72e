import { describe, expect, onTestFinished, test } from 'vitest'
import { asJson, hex, type Json, type Layer } from '../../support/faults/fault.ts'
import { invent } from '../../support/faults/head-lies.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { clientOf, startThreeNodes } from './support.ts'

/** Invents full blocks up to block 10. All other answers are those of the node. */
const branchBelow: Layer = async (method, params, ask) => {
  if (method !== 'eth_getBlockByNumber' || params[1] !== true || Number(params[0]) > 10) {
    return ask(method, params)
  }
  let block: Json = {}
  for (let number = 1; number <= Number(params[0]); number += 1) {
    const honest = asJson(await ask(method, [hex(number), true])) ?? {}
    block = invent(honest, number === 1 ? {} : { parentHash: block.hash })
  }
  return block
}

describe.skipIf(!hasAnvil)('blocks that are too large for one answer', () => {
  test('are read past a node that shows a branch of its own for one half', async () => {
    const chain = await startTestChain({ chainId: 31_337 })
    await chain.mine(20)
    const { first, urls } = await startThreeNodes(chain)
    first.set({ kind: 'custom', layer: branchBelow })
    const client = clientOf({
      urls,
      chain: { id: 31_337 },
      maxResponseBytes: 18_000,
      cooldown: { firstMs: 0, longestMs: 0 },
    })
    onTestFinished(() => client.close())
    expect(await client.blocks(1, 20)).toHaveLength(20)
  })
})
