import type { Run } from '../../../../src/domain/blocks/index.ts'
import { syncChain } from '../../../../worker/chain/sync-chain.ts'
import { createReconcileJob } from '../../../../worker/jobs/reconcile.ts'
import { createTestMetrics } from '../../../support/metrics.ts'
import { type Signed, startTestChain, type TestChain } from '../../../support/test-chain.ts'
import { ACCOUNT, createChainWorld } from '../../support/chain-world.ts'
import { serveChain } from '../../support/served-chain.ts'

export { ACCOUNT }

export type Difference = {
  id: string
  kind: string
  campaignId: string | null
  account: string
  assetId: string
  blockNumber: number
  firstBlock: number
  txHash: string | null
  expected: string
  actual: string
  note: string
  resolvedAt: Date | null
  resolution: string | null
}

export type ReconciledWorld = Awaited<ReturnType<typeof createReconciledWorld>>

/**
 * A real chain, a node in front of it whose answers a test can change, a database with one
 * campaign, a sync and the background comparison.
 */
export const createReconciledWorld = async (
  options: { account?: string; chain?: TestChain; windowBlocks?: number } = {},
) => {
  const chain = options.chain ?? (await startTestChain())
  const node = await serveChain(chain)
  const metrics = createTestMetrics()
  const followed = await createChainWorld({
    ...{ chain, metrics, rpc: [node.url] },
    campaign: { account: options.account ?? ACCOUNT, target: '1000000' },
  })
  const { ctx, sync } = followed
  /** A sync that reads the same blocks, but watches no account. */
  const blind = {
    ...sync,
    watch: async () => ({ accounts: new Set<string>(), tokens: new Set<string>() }),
  }
  const windows = options.windowBlocks === undefined ? {} : { windowBlocks: options.windowBlocks }
  const job = createReconcileJob(sync, { everyMs: 0, ...windows })
  return {
    ...{ ...followed, node, metrics },
    followBlindly: () => syncChain(blind, new AbortController().signal),
    /** Runs one pass of the background comparison. */
    reconcile: () => job.run(),
    /** Mines and follows this number of blocks, and compares them. */
    mineAndReconcile: async (blocks: number) => {
      await followed.mineAndFollow(blocks)
      await job.run()
    },
    record: (signed: Signed, value: string, currency = 'USDC') =>
      followed.record(signed, { value, currency }),
    differences: async (): Promise<Difference[]> => [
      ...(await ctx.sql<Difference[]>`
        select *, expected::text as expected, actual::text as actual
        from ledger_difference order by opened_at, id`),
    ],
    transfers: async () => [
      ...(await ctx.sql<{ source: string; amount: string; blockNumber: number }[]>`
        select source, amount::text as amount, block_number from chain_transfer
        where block_number is not null order by block_number, tx_hash, position`),
    ],
    run: async (): Promise<Pick<Run, 'status' | 'transfers' | 'recovered'> & RunPlace> => {
      const [row] = await ctx.sql<(Pick<Run, 'status' | 'transfers' | 'recovered'> & RunPlace)[]>`
        select status, transfers, recovered, from_block, to_block, next_block
        from reconciliation_run where origin = 'job'`
      if (!row) throw new Error('There is no run.')
      return row
    },
    raised: async () => (await ctx.sql`select raised from campaign_total`)[0]?.raised,
    events: async () => [
      ...(await ctx.sql<
        { type: string; campaignId: string | null; audience: string[]; body: string }[]
      >`
        select type, campaign_id, audience, event.body from event
        where type = 'reconciliation.difference' order by seq`),
    ],
  }
}

type RunPlace = { fromBlock: number; toBlock: number; nextBlock: number }
