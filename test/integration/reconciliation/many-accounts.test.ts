import { describe, expect, test } from 'vitest'
import { createReconcileJob } from '../../../worker/jobs/reconcile.ts'
import { address } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { createPaymentsWorld } from '../chain/support/payments.ts'

const ACCOUNTS = 210
const EVERY_MS = 600_000

describe.skipIf(!hasAnvil)('the reconciliation of very many accounts', () => {
  test('costs two reads of each balance for hundreds of blocks, and little more for an open difference', async () => {
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => address(`campaign ${index}`))
    const { chain, node, follow, sync, world } = await createPaymentsWorld('traces', {
      accounts,
      config: { blocksPerBatch: 100 },
    })
    const clock = createFakeClock()
    const job = createReconcileJob({ ...sync, ctx: { ...sync.ctx, clock } }, { everyMs: EVERY_MS })
    /** The number of `eth_getProof` or `eth_call` requests in a pass, whichever is larger. */
    const readsOfPass = async () => {
      const before = node.calls.length
      await follow()
      await job.run()
      const asked = node.calls.slice(before).map(({ method }) => method)
      return Math.max(
        ...['eth_getProof', 'eth_call'].map((one) => asked.filter((m) => m === one).length),
      )
    }
    await chain.mine(10)
    await readsOfPass()
    await chain.mine(310)
    clock.advance(EVERY_MS)
    expect(await readsOfPass()).toBeLessThanOrEqual(2 * ACCOUNTS)
    // The reward of a block's producer appears in no transaction, log or trace.
    await chain.call('anvil_setCoinbase', [accounts[0]])
    await chain.send(await chain.signEther(2, address('shop'), '1'))
    await chain.mine()
    await chain.call('anvil_setCoinbase', [address('producer')])
    await chain.mine(3)
    clock.advance(EVERY_MS)
    await readsOfPass()
    const open = () => world.ctx.sql`select from ledger_difference where resolved_at is null`
    expect(await open()).toHaveLength(1)
    await chain.mine(1)
    clock.advance(EVERY_MS)
    expect(await readsOfPass()).toBeLessThanOrEqual(2 * ACCOUNTS + 10)
  })
})
