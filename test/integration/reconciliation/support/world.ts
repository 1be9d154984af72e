import { onTestFinished } from 'vitest'
import type { Run } from '../../../../src/domain/blocks/index.ts'
import type { Metrics } from '../../../../src/kernel/ports/metrics.ts'
import { syncChain } from '../../../../worker/chain/sync-chain.ts'
import { createReconcileJob } from '../../../../worker/jobs/reconcile.ts'
import { address } from '../../../support/chain-facts.ts'
import { createChainSync, servedBy } from '../../../support/chain-sync.ts'
import { createTestMetrics } from '../../../support/metrics.ts'
import { recordGift } from '../../../support/recorded-gift.ts'
import { type RpcServer, serveRpc } from '../../../support/rpc-server.ts'
import { type Signed, startTestChain, type TestChain } from '../../../support/test-chain.ts'
import { createTestCampaign, createUser, createWorld } from '../../../support/world.ts'

export const ACCOUNT = address('campaign')

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
 * A real chain behind a node that a test can make lie, a database with one campaign, a sync and
 * the background comparison.
 */
export const createReconciledWorld = async (
  options: { account?: string; chain?: TestChain; windowBlocks?: number } = {},
) => {
  const account = options.account ?? ACCOUNT
  const chain = options.chain ?? (await startTestChain())
  const node: RpcServer = await serveRpc((method, params) => chain.call(method, params))
  onTestFinished(() => node.close())
  const metrics = createTestMetrics()
  const world = await createWorld({ metrics: metrics satisfies Metrics })
  const creator = await createUser(world.ctx)
  const donor = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, { creator, account, target: '1000000' })
  const sync = createChainSync(world.ctx, servedBy(node.url))
  /** Sees the same blocks, but no account is on its list. */
  const blind = {
    ...sync,
    watch: async () => ({ accounts: new Set<string>(), tokens: new Set<string>() }),
  }
  const follow = () => syncChain(sync, new AbortController().signal)
  const windows = options.windowBlocks === undefined ? {} : { windowBlocks: options.windowBlocks }
  const job = createReconcileJob(sync, { everyMs: 0, ...windows })
  const { ctx } = world
  return {
    chain,
    node,
    world,
    ctx,
    metrics,
    creator,
    donor,
    campaignId,
    account,
    sync,
    follow,
    followBlindly: () => syncChain(blind, new AbortController().signal),
    /** One pass of the background job. */
    reconcile: () => job.run(),
    /** Follows so many more blocks, and compares. */
    mineAndReconcile: async (blocks: number) => {
      await chain.mine(blocks)
      await follow()
      await job.run()
    },
    record: async (signed: Signed, value: string, currency = 'USDC') =>
      recordGift(world.as(donor), campaignId, signed, value, currency),
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
    raised: async (): Promise<string | undefined> =>
      (await ctx.sql<{ raised: string }[]>`select raised from campaign_total`)[0]?.raised,
    events: async () => [
      ...(await ctx.sql<
        { type: string; campaignId: string | null; audience: string[]; body: string }[]
      >`
        select type, campaign_id, audience, body from event
        where type = 'reconciliation.difference' order by seq`),
    ],
  }
}

type RunPlace = { fromBlock: number; toBlock: number; nextBlock: number }
