import { describe, expect, test } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { createFailedWorld } from './support/refund-world.ts'

const OTHER_HASH = `0x${'22'.repeat(32)}`

describe.skipIf(!hasAnvil)('a stored refund root', () => {
  test('is forgotten and computed again if a reorg takes its block away', async () => {
    const world = await createFailedWorld()
    const { root, dataHash } = await world.root()
    await world.ctx.sql`update refund_root set block_hash = ${OTHER_HASH}`
    await world.signRootAs(8, await world.root())
    await world.pay(2, 1n)
    await world.settle()
    const again = await world.root()
    expect(again.root).not.toBe(root)
    expect(again.dataHash).not.toBe(dataHash)
    expect(again.signatures).toEqual([])
  })

  test('is computed again if a reorg replaces its block with the same payments', async () => {
    const world = await createFailedWorld()
    await world.job.run()
    const { root } = await world.root()
    await world.ctx.sql`update refund_root set block_hash = ${OTHER_HASH}`
    await world.job.run()
    expect((await world.root()).root).toBe(root)
  })
})
