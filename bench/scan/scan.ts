import { createChainClient } from '../../src/chain/index.ts'
import { ChainConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/db/context.ts'
import { beginRun, openChain } from '../../src/domain/blocks/index.ts'
import { callNode } from '../../src/local/rpc.ts'
import { reconcileRun } from '../../worker/chain/reconcile/reconcile-run.ts'
import type { ScanDepth } from '../../worker/chain/reconcile/scan-batch.ts'
import { createWatchCache } from '../../worker/chain/watch-cache.ts'
import { type PaidChain, preparePaidChain } from '../settle/chain.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { startNode } from '../support/node-process.ts'
import type { Options } from '../support/options.ts'
import type { BenchServer } from '../support/server.ts'
import { median } from '../support/statistics.ts'
import {
  BENCH_CHAIN,
  campaignAccount,
  createCampaigns,
  createDonor,
  openWorld,
} from '../support/world.ts'
import { callRaw, type RawCall } from './raw.ts'

export type ScanRun = { rawPerS: number; scanPerS: number; ratio: number }
export type ScanCase = { name: string; depth: ScanDepth; runs: ScanRun[]; ratio: number }
export type ScanResult = {
  blocks: number
  transactionsPerBlock: number
  cases: ScanCase[]
  /** The transfers that were not found exactly once. Empty if all were. */
  faults: string[]
}

const BLOCKS = 600
const TRANSACTIONS_PER_BLOCK = 20
/** One in ten blocks pays the campaign, because the payments go to 200 recipients in turn. */
const RECIPIENTS = 200
/** The number of batches in flight, as in the scan. */
const IN_FLIGHT = 4
const BLOCKS_PER_BATCH = 20
const HEADERS_PER_BATCH = 100

/**
 * Measures reading and comparing a range of a chain against its bare calls: the same batches to the
 * same node, in turn.
 */
export const benchScan = async (
  server: BenchServer,
  cleanup: Cleanup,
  options: Options,
): Promise<ScanResult> => {
  const chain = await preparePaidChain(cleanup, {
    blocks: BLOCKS,
    transfersPerBlock: TRANSACTIONS_PER_BLOCK,
    recipients: Array.from({ length: RECIPIENTS }, (_, index) => campaignAccount(index)),
    archive: true,
  })
  const { url: databaseUrl } = await server.createDatabase()
  const { ctx, close } = await openWorld(databaseUrl)
  cleanup.add(close)
  await createCampaigns(ctx, await createDonor(ctx), 1)
  await openAtHead(ctx, chain)
  const replay = startNode(server, cleanup, { script: 'bench/scan/replay.ts', talks: true })
  const atOnce = { ...chain, url: String(await replay.ask({ target: chain.url })) }
  const faults: string[] = []
  const cases = [
    { name: 'full blocks, a node that answers at once', node: atOnce, depth: 'full' as const },
    { name: 'headers, blooms and states, the same', node: atOnce, depth: 'proven' as const },
    { name: 'full blocks, a development chain', node: chain, depth: 'full' as const },
    { name: 'headers, blooms and states, the same', node: chain, depth: 'proven' as const },
  ].map((one) => ({ ...one, runs: [] as ScanRun[] }))
  // The first round warms up all parts, and writes the rows that the database does not have yet.
  for (let round = 0; round <= options.rounds; round++) {
    for (const { node, depth, runs } of cases) {
      const run = await measure(ctx, node, depth, faults)
      if (round > 0) runs.push(run)
    }
  }
  await chain.stop()
  return {
    blocks: BLOCKS,
    transactionsPerBlock: TRANSACTIONS_PER_BLOCK,
    cases: cases.map(({ name, depth, runs }) => ({
      ...{ name, depth, runs },
      ratio: median(runs.map(({ ratio }) => ratio)),
    })),
    faults,
  }
}

const measure = async (
  ctx: Context,
  chain: PaidChain,
  depth: ScanDepth,
  faults: string[],
): Promise<ScanRun> => {
  const to = chain.head - 2
  const from = to - BLOCKS + 1
  const rawMs = await timed(() => readRaw(chain, from, to, depth !== 'full'))
  const scanMs = await timed(async () => {
    const { transfers, status } = await scan(ctx, chain.url, from, to, depth)
    const expected = chain.paid.filter(({ recipient }) => recipient === campaignAccount(0)).length
    if (transfers !== expected || status !== 'finished') {
      faults.push(`the scan found ${transfers} of ${expected} transfers, and is ${status}`)
    }
  })
  const perS = (ms: number) => (BLOCKS * 1_000) / ms
  return { rawPerS: perS(rawMs), scanPerS: perS(scanMs), ratio: rawMs / scanMs }
}

/**
 * Reads the blocks or headers of the range, and the receipts of the blocks that pay the campaign.
 */
const readRaw = async (
  { url, paid }: PaidChain,
  from: number,
  to: number,
  tokensOnly: boolean,
): Promise<void> => {
  const size = tokensOnly ? HEADERS_PER_BATCH : BLOCKS_PER_BATCH
  const batches: RawCall[][] = []
  for (let first = from; first <= to; first += size) {
    const count = Math.min(size, to - first + 1)
    batches.push(
      Array.from({ length: count }, (_, index) => ({
        method: 'eth_getBlockByNumber',
        params: [`0x${(first + index).toString(16)}`, !tokensOnly],
      })),
    )
  }
  // These are answers of the development node.
  const blocks = (await callRaw(url, batches, IN_FLIGHT)).flat() as { hash: string }[]
  const paying = new Set(
    paid.flatMap(({ recipient }, index) =>
      recipient === campaignAccount(0) ? [Math.floor(index / TRANSACTIONS_PER_BLOCK)] : [],
    ),
  )
  const hashes = blocks.filter((_, index) => paying.has(index)).map(({ hash }) => hash)
  const calls: RawCall[][] = []
  for (let at = 0; at < hashes.length; at += 2) {
    const some = hashes.slice(at, at + 2)
    if (tokensOnly) {
      for (const hash of some) calls.push([{ method: 'eth_getBlockByHash', params: [hash, true] }])
    }
    calls.push(some.map((hash) => ({ method: 'eth_getBlockReceipts', params: [hash] })))
  }
  await callRaw(url, calls, IN_FLIGHT)
}

const scan = async (ctx: Context, url: string, from: number, to: number, depth: ScanDepth) => {
  const chain = ChainConfig.parse({
    ...BENCH_CHAIN,
    name: 'bench',
    rpc: [url],
    blocksPerBatch: BLOCKS_PER_BATCH,
  })
  const client = createChainClient({ chain, log: ctx.log })
  try {
    const watch = createWatchCache(chain)
    const run = await beginRun(ctx, { chainId: chain.id, from, to })
    const signal = new AbortController().signal
    const reached = await reconcileRun({ ctx, chain, client, watch, depth }, run, { signal })
    return reached.run
  } finally {
    await client.close()
  }
}

/** Sets the cursor to the head, as after a sync. */
const openAtHead = async (ctx: Context, { url, head }: PaidChain): Promise<void> => {
  const block = (await callNode(url, 'eth_getBlockByNumber', [
    `0x${head.toString(16)}`,
    false,
  ])) as { hash: string; parentHash: string; timestamp: string }
  await openChain(ctx, BENCH_CHAIN.id, {
    number: head,
    hash: block.hash,
    parentHash: block.parentHash,
    minedAt: new Date(Number(block.timestamp) * 1_000),
  })
  await ctx.sql`update chain_state set finalized_number = ${head - 2}`
}

const timed = async (work: () => Promise<void>): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}
