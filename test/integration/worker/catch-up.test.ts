import { describe, expect, onTestFinished, test } from 'vitest'
import { readChain } from '../../../src/domain/blocks/index.ts'
import { createSyncChainJob } from '../../../worker/jobs/sync-chain.ts'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { exactly, waitFor } from '../../support/wait-for.ts'
import { TEST_CHAIN } from '../../support/world.ts'
import { createPaymentsWorld } from '../chain/support/payments.ts'

const CAMPAIGN = address('campaign')

/** A donation in one of the first of many blocks. The sync reads one block at a time. */
const setUp = async (config: object) => {
  const payments = await createPaymentsWorld('traces', {
    config: { blocksPerBatch: 1, pollIntervalMs: 60_000, ...config },
  })
  const { chain, world, claim } = payments
  await claim(await chain.send(await chain.signEther(1, CAMPAIGN, '1')), CAMPAIGN)
  const head = await chain.mine(130)
  const state = () => readChain(world.ctx, TEST_CHAIN.id)
  return { ...payments, head, state }
}

describe.skipIf(!hasAnvil)('a worker that is far behind', () => {
  for (const finality of [{ tag: 'finalized' }, { depth: 3 }]) {
    test(`settles what is final while it catches up, by ${Object.keys(finality)}`, async () => {
      const { follow, donations, state, head } = await setUp({ finality })
      await follow()
      const { cursor, finalizedNumber } = (await state()) ?? {}
      expect(cursor?.number).toBeLessThan(head)
      expect(finalizedNumber).toBe(cursor?.number)
      expect(await donations()).toMatchObject([{ status: 'completed' }])
    })
  }

  test('takes no block as final that its nodes do not have, and goes on', async () => {
    const { sync, chain, follow, node, donations, state } = await setUp({})
    // A reorg replaces all blocks while the sync reads them.
    let blocks = 0
    node.alter = async (method, [, full], result) => {
      if (method === 'eth_getBlockByNumber' && full === true && ++blocks === 50) {
        await chain.reorg(130)
      }
      return result
    }
    await follow()
    expect((await state())?.finalizedNumber).toBe(0)
    expect(await donations()).toMatchObject([{ status: 'confirming' }])
    node.alter = undefined
    for (let pass = 0; pass < 5; pass++) await follow()
    expect((await state())?.cursor.number).toBe((await sync.client.heads()).latest.number)
    expect(await donations()).toMatchObject([{ status: 'pending' }])
  })

  test('goes on at once where a pass has come to its end', async () => {
    const { sync, state, head } = await setUp({})
    const job = createSyncChainJob(sync)
    onTestFinished(() => job.stop())
    job.start()
    await waitFor('the head', async () => (await state())?.cursor.number, exactly(head), 20_000)
  })
})
