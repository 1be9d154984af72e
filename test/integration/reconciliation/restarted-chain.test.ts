import { describe, expect, test } from 'vitest'
import { type DevChain, startDevChain } from '../../../src/local/dev-chain.ts'
import { callNode } from '../../../src/local/rpc.ts'
import { devChainConfig } from '../../../src/local/start-local.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { encodeAddressAmount, hasAnvil } from '../../support/test-chain.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'
import { blockAt, log, stopAfterTest, tempFolder } from '../local/support/helpers.ts'
import { reconcile } from './support/command.ts'
import { ACCOUNT } from './support/world.ts'

const TRANSFER = '0xa9059cbb'
/** After the third start, the node shows another block 0 than the first one in most cases. */
const MAX_STARTS = 12

/** The embedded development chain in a folder, as `npm start` runs it. */
const createDevChain = async () => {
  const dataDir = tempFolder()
  const start = async (): Promise<DevChain> => stopAfterTest(await startDevChain({ dataDir, log }))
  let chain = await start()
  const isRooted = async (): Promise<boolean> =>
    (await blockAt(chain.url, '0x1')).parentHash === (await blockAt(chain.url, '0x0')).hash
  return {
    chain: () => chain,
    /**
     * Restarts until the node shows another block 0. Anvil makes a block 0 at each start, saves all
     * of them, and shows any of the saved ones.
     */
    async restartUntilBlock0IsAnother(): Promise<void> {
      for (let starts = 1; starts < MAX_STARTS && (await isRooted()); starts++) {
        await chain.stop()
        chain = await start()
      }
    },
  }
}

/** A database with a campaign, and a sync of the chain with the settings of `npm start`. */
const createFollowed = async (chain: () => DevChain) => {
  const world = await createWorld()
  const campaign = { creator: await createUser(world.ctx), account: ACCOUNT, target: '1000000' }
  await createTestCampaign(world.ctx, campaign)
  const numbers = async () => {
    const [row] = await world.ctx.sql<{ cursor: number; final: number }[]>`
      select cursor_number as cursor, finalized_number as final from chain_state`
    return { cursor: row?.cursor ?? -1, final: row?.final ?? -1 }
  }
  return {
    world,
    /** Reads the chain until this block is final in the database. */
    async follow(block: number): Promise<void> {
      // Each start of the chain uses another port, so a new sync is needed, which must not wait for
      // the lease of the last sync.
      const sync = { ...createChainSync(world.ctx, devChainConfig(chain())), leaseMs: 0 }
      await waitFor(
        `block ${block} to be final`,
        async () => {
          await sync.committee?.follow()
          await syncChain(sync, new AbortController().signal)
          return numbers()
        },
        ({ cursor, final }) => Math.min(cursor, final) >= block,
      )
    },
  }
}

const pay = async ({ url, accounts, token }: DevChain, units: bigint): Promise<number> => {
  const data = encodeAddressAmount(TRANSFER, ACCOUNT, units)
  const hash = await callNode(url, 'eth_sendTransaction', [
    { from: accounts[1], to: token.address, data },
  ])
  const receipt = await waitFor(
    'the payment to be mined',
    async () =>
      (await callNode(url, 'eth_getTransactionReceipt', [hash])) as { blockNumber: string } | null,
    Boolean,
  )
  return Number(receipt?.blockNumber)
}

describe.skipIf(!hasAnvil)('a development chain that was restarted', () => {
  test('is compared from its first block, and followed into a new database', async () => {
    const { chain, restartUntilBlock0IsAnother } = await createDevChain()
    const { world, follow } = await createFollowed(chain)
    await follow(await pay(chain(), 5_000_000n))
    await restartUntilBlock0IsAnother()
    const last = await pay(chain(), 7_000_000n)
    await follow(last)
    const where = { databaseUrl: world.url, rpcUrl: chain().url }
    for (const [from, ...depth] of [['1'], ['0'], ['1', '--full'], ['1', '--tokens-only']]) {
      const ended = await reconcile(where, ['--from', from ?? '', ...depth])
      // The restarted node has no state of old blocks, so the command cannot compare balances.
      expect(ended).toMatchObject({ code: 2 })
      expect(ended.out).toMatch(/blocks 1 to .* 2 transfers, 0 recovered: all that was compared/s)
    }
    const other = await createFollowed(chain)
    await other.follow(last)
    expect(await other.world.ctx.sql`select from chain_transfer`).toHaveLength(2)
  })
})
