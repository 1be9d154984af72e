import { describe, expect, test } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { createReconciledWorld } from './support/world.ts'

describe.skipIf(!hasAnvil)('a comparison of many blocks with payments', () => {
  test('reads them in a few requests of bounded size', async () => {
    const { chain, node, account, reconcile, run, transfers, mineAndFollow } =
      await createReconciledWorld()
    for (let payment = 0; payment < 30; payment++) {
      await chain.send(await chain.signToken(1 + (payment % 4), account, 1_000_000n))
      await chain.mine(2)
    }
    await mineAndFollow(3)
    const sizes: number[] = []
    node.intercept = (_request, _response, body) => {
      const size = body.split('eth_getBlockByHash').length - 1
      if (size > 0) sizes.push(size)
      return false
    }
    await reconcile()
    expect((await run()).status).toBe('finished')
    expect(await transfers()).toHaveLength(30)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(30)
    expect(sizes.length).toBeLessThanOrEqual(4)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20)
  })
})
