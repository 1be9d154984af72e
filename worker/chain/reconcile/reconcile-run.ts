import { ChainError, rememberStates } from '../../../src/chain/index.ts'
import { oldestKnown } from '../../../src/domain/chain/index.ts'
import {
  compareBooks,
  endRun,
  listNativeBlocks,
  listOpenBlocks,
  type Run,
  rewindRun,
} from '../../../src/domain/reconciliation/index.ts'
import { crashPoint } from '../../crash-points.ts'
import { compareWindow, type Reconciler, type Standing } from './compare-window.ts'
import { readWindows } from './read-windows.ts'
import type { ScanSource } from './scan-batch.ts'

export type RunOptions = {
  signal: AbortSignal
  /** After each window that is committed. */
  onWindow?(run: Run, window: { unread: number }): void
  /** Asked between windows: false ends the pass, and a later one goes on. */
  mayGoOn?(): Promise<boolean>
  /** The state that the block before the run's next one left behind, where it is known. */
  standing?: Standing | null
}

/** In one window: what is compared, committed and lost at most when the process is killed. */
const WINDOW_BLOCKS = 200
/** A header is a tenth of a block. */
const HEADERS_PER_BATCH = 100
/**
 * With more accounts than this, a hundred blocks cost less to read than the states around them, and
 * balances are compared over longer windows.
 */
const MANY_ACCOUNTS = 200
const WINDOW_OF_MANY = 400
/** Open differences that one pass looks at again. */
const RECHECKED_BLOCKS = 20

/**
 * Compares the chain with the database from where the run stands to its end, window by window, then
 * the books with themselves. Returns the run as it stands: finished, or to be continued.
 *
 * @throws ChainError where the nodes fail: the run stays where it is
 */
export const reconcileRun = async (
  asked: Reconciler,
  given: Run,
  options: RunOptions,
): Promise<{ run: Run; standing: Standing | null }> => {
  const many = (await asked.watch(asked.ctx)).accounts.size > MANY_ACCOUNTS
  const reconciler: Reconciler = {
    ...asked,
    client: rememberStates(asked.client),
    depth: asked.depth ?? (many ? 'full' : 'proven'),
    windowBlocks: asked.windowBlocks ?? (many ? WINDOW_OF_MANY : WINDOW_BLOCKS),
  }
  const { ctx, chain } = reconciler
  let run = await onThisChain(reconciler, given)
  let standing = options.standing ?? null
  const windows = readWindows(sourceOf(reconciler), {
    from: run.nextBlock,
    to: run.toBlock,
    parentHash: run.lastHash,
    batchBlocks: reconciler.depth === 'full' ? chain.blocksPerBatch : HEADERS_PER_BATCH,
    windowBlocks: reconciler.windowBlocks ?? WINDOW_BLOCKS,
  })
  for await (const window of windows) {
    if (options.signal.aborted) return { run, standing }
    // crash point Q1: a window was read and compared with the chain, nothing written.
    crashPoint('Q1')
    const { committed, after, unread } = await compareWindow(reconciler, run, window, standing)
    if (!committed?.run) {
      throw new ChainError('block_missing', 'The chain or the run has moved on meanwhile.')
    }
    run = committed.run
    standing = after
    // crash point Q2: a window is committed, the run goes on after it.
    crashPoint('Q2')
    options.onWindow?.(run, { unread })
    if (options.signal.aborted || !((await options.mayGoOn?.()) ?? true)) return { run, standing }
  }
  const opened = await compareBooks(ctx, chain.id, run.id)
  const finished: Run = { ...run, status: 'finished', differences: run.differences + opened }
  await endRun(ctx, finished, 'finished')
  return { run: finished, standing }
}

/**
 * Looks again at blocks with an open difference: one that a later transfer, trace or repair explains
 * is resolved by that. Each is one block in full, and the balances of the accounts that it is about.
 */
export const recheckOpenBlocks = async (asked: Reconciler, signal: AbortSignal): Promise<void> => {
  const { ctx, chain } = asked
  for (const { number, accounts } of await listOpenBlocks(ctx, chain.id, RECHECKED_BLOCKS)) {
    if (signal.aborted) return
    const reconciler: Reconciler = { ...asked, depth: 'full', accounts: new Set(accounts) }
    const plan = { from: number, to: number, parentHash: null, batchBlocks: 1, windowBlocks: 1 }
    for await (const window of readWindows(sourceOf(reconciler), plan)) {
      await compareWindow(reconciler, null, window, null)
    }
  }
}

const sourceOf = ({ ctx, chain, client, watch, depth }: Reconciler): ScanSource => ({
  client,
  assets: ctx.settings.assets,
  log: ctx.log,
  watch: () => watch(ctx),
  storedNative: (from, to) => listNativeBlocks(ctx, chain.id, from, to),
  depth: depth ?? 'proven',
  blocksPerRequest: chain.blocksPerBatch,
})

/**
 * The run, if the chain still holds the last block that it compared. Else it goes back to the oldest
 * block that is remembered: below that, no reorganisation was ever followed.
 */
const onThisChain = async ({ ctx, chain, client }: Reconciler, run: Run): Promise<Run> => {
  if (run.lastHash === null) return run
  const header = await client.headerAt(run.nextBlock - 1)
  if (header?.hash === run.lastHash) return run
  if (!header) {
    throw new ChainError('block_missing', `The node does not have block ${run.nextBlock - 1}.`)
  }
  ctx.log.warn({ block: header.number }, 'a compared block was taken back')
  return rewindRun(ctx, run, (await oldestKnown(ctx, chain.id)) + 1)
}
