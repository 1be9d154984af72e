import { describe, expect, onTestFinished, test } from 'vitest'
import { connectDevNode } from '../../../src/chain/index.ts'
import { asBaseUnits } from '../../../src/kernel/money/money.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { TOKEN } from '../../support/world.ts'
import { createReconciledWorld } from './support/world.ts'

const ETHER = { token: null, units: asBaseUnits('1000000000000000000') }
const USDC = { token: TOKEN, units: asBaseUnits('5000000') }

const setUp = async () => {
  const setup = await createReconciledWorld()
  const { chain, ctx, sync } = setup
  const devNode = await connectDevNode({ ...sync.chain, rpc: [chain.url] }, ctx.log)
  if (!devNode) throw new Error('Anvil was not recognised.')
  onTestFinished(() => devNode.close())
  /** Makes blocks final one by one, and compares each of them. */
  const compareBlocks = async (count: number) => {
    for (let block = 0; block < count; block++) {
      await setup.mineAndFollow()
      await setup.reconcile()
    }
  }
  return { ...setup, devNode, compareBlocks }
}

describe.skipIf(!hasAnvil)('the comparison with the chain', () => {
  test.each([
    ['faucet', 'fund'],
    ['transfer', 'transfer'],
  ] as const)('goes on after the %s of the sandbox was used', async (_name, use) => {
    const { account, chain, devNode, compareBlocks, run, differences, transfers } = await setUp()
    await compareBlocks(3)
    for (const money of [ETHER, USDC]) {
      const transfer = { to: account, ...money }
      if (use === 'fund') await devNode.fund([transfer])
      else await devNode.transfer(transfer)
      await compareBlocks(4)
    }
    const final = (await chain.head()) - 2
    expect(await run()).toMatchObject({ status: 'finished', nextBlock: final + 1 })
    expect(await differences()).toEqual([])
    expect((await transfers()).map(({ amount }) => amount)).toEqual([
      String(ETHER.units),
      String(USDC.units),
    ])
  })
})
