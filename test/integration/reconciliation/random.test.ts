import { describe, expect, test } from 'vitest'
import { beginRun } from '../../../src/domain/blocks/index.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { reconcileRun } from '../../../worker/chain/reconcile/reconcile-run.ts'
import { CHAIN_ID } from '../../support/chain-facts.ts'
import { createRandom } from '../../support/random.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deploy } from '../chain/support/payments.ts'
import { createReconciledWorld } from './support/world.ts'

const BLOCKS = 200

describe.skipIf(!hasAnvil)('random money in and out', () => {
  for (const seed of [1, 2]) {
    test(`adds up over ${BLOCKS} blocks, block for block, with random windows (seed ${seed})`, async () => {
      const random = createRandom(seed)
      const chain = await startTestChain()
      const account = chain.addressOf(6)
      const setup = await createReconciledWorld({ chain, account, windowBlocks: random.int(1, 70) })
      const router = await deploy(chain, 'router')
      let paid = 0
      for (let block = 0; block < BLOCKS; block++) {
        for (let count = random.int(0, 3); count > 0; count--) {
          const payer = random.int(1, 4)
          const units = BigInt(random.int(1, 9_000_000))
          const kind = random.int(0, 4)
          if (kind === 0) await chain.send(await chain.signToken(payer, account, units))
          if (kind === 1) await chain.send(await chain.sign(payer, { to: account, value: units }))
          if (kind === 2) await router.call(payer, 'forward', [account], units)
          // Payments from the account: to other accounts, or to itself.
          if (kind === 3) await chain.send(await chain.signToken(6, chain.addressOf(payer), units))
          if (kind === 4) {
            const to = random.chance(0.3) ? account : chain.addressOf(payer)
            await chain.send(await chain.sign(6, { to, value: units }))
          }
          if (kind < 3) paid += 1
        }
        await chain.mine(1)
        if (!random.chance(0.05)) continue
        // The sync sees some blocks and misses others. Some blocks are compared meanwhile.
        await (random.chance(0.5) ? setup.follow() : setup.followBlindly())
        if (random.chance(0.5)) await setup.reconcile()
      }
      await setup.mineAndReconcile(3)
      await setup.follow()
      await setup.reconcile()
      expect(await setup.differences()).toEqual([])
      expect(await setup.transfers()).toHaveLength(paid)
      expect((await checkLedger(setup.ctx.pool)).differences).toEqual([])
      const { status, fromBlock: from, toBlock: to, nextBlock: next_block } = await setup.run()
      expect({ status, next_block }).toEqual({ status: 'finished', next_block: to + 1 })

      // A comparison by headers, blooms and proven states must find the same as one by full blocks.
      const again = async (depth: 'proven' | 'full') => {
        const run = await beginRun(setup.ctx, { chainId: CHAIN_ID, from, to })
        const reconciler = { ...setup.sync, depth, windowBlocks: random.int(1, 70) }
        const signal = new AbortController().signal
        return (await reconcileRun(reconciler, run, { signal })).run
      }
      const [proven, full] = [await again('proven'), await again('full')]
      expect(proven).toMatchObject({ status: 'finished', recovered: 0, differences: 0 })
      expect(full).toMatchObject({ status: 'finished', recovered: 0, differences: 0 })
      expect(proven.transfers).toBe(full.transfers)
    }, 180_000)
  }
})
