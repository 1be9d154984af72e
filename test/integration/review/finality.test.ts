import { expect, test } from 'vitest'
import { advanceFinality, readChain } from '../../../src/domain/blocks/index.ts'
import { applyBlock, blockHash, CHAIN_ID, startChain } from '../../support/chain-facts.ts'
import { createWorld } from '../../support/world.ts'

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
