import { describe, expect, test } from 'vitest'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createPaymentsWorld, deploy } from '../chain/support/payments.ts'

const QUIET = address('quiet campaign')

/** Two campaigns, and a configured token that adds to balances without a `Transfer` log. */
const setUp = async () => {
  const chain = await startTestChain()
  const token = await deploy(chain, 'wrapped')
  const account = chain.addressOf(6)
  const { sync, world, mineAndFollow } = await createPaymentsWorld('traces', {
    chain,
    accounts: [account, QUIET],
    tokens: [{ symbol: 'WETH', address: token.address, decimals: 18 }],
  })
  const job = createReconcileJob(sync, { everyMs: 0 })
  return {
    ...{ chain, token, account },
    asset: `eip155:31337/erc20:${token.address}`,
    /** Makes this number of blocks final, and compares them. */
    compare: async (blocks: number) => {
      await mineAndFollow(blocks)
      await job.run()
    },
    differences: async () => [
      ...(await world.ctx.sql`
        select kind, account, asset_id, first_block, block_number, expected::text, actual::text,
               resolved_at
        from ledger_difference order by block_number`),
    ],
    balances: async () => [
      ...(await world.ctx.sql`
        select account, asset_id, balance::text from account_balance
        where asset_id like '%/erc20:%' order by account, asset_id`),
    ],
  }
}

describe.skipIf(!hasAnvil)('a token balance that rises without a log', () => {
  test('is a difference on an account that never held the token, in its very block', async () => {
    const { chain, token, account, asset, compare, differences, balances } = await setUp()
    await compare(10)
    expect(await differences()).toEqual([])
    expect(await balances()).toEqual([])
    await chain.mine(20)
    await token.call(6, 'deposit', [], 3n)
    const at = await chain.mine()
    await compare(20)
    const difference = {
      ...{ kind: 'balance', account, assetId: asset, firstBlock: at, blockNumber: at },
      ...{ expected: '0', actual: '3', resolvedAt: null },
    }
    expect(await differences()).toEqual([difference])
    expect(await balances()).toEqual([{ account, assetId: asset, balance: '3' }])
    // The difference stays open. The next difference is counted from the balance that was found.
    await compare(5)
    await token.call(6, 'deposit', [], 4n)
    const next = await chain.mine()
    await compare(5)
    expect(await differences()).toEqual([
      difference,
      { ...difference, firstBlock: next, blockNumber: next, expected: '3', actual: '7' },
    ])
    // A log explains the transfer out, so there is no new difference, and the known balance becomes
    // 0.
    await token.call(6, 'transfer', [address('shop'), 7n])
    await compare(5)
    expect(await differences()).toHaveLength(2)
    expect(await balances()).toEqual([{ account, assetId: asset, balance: '0' }])
  })
})
