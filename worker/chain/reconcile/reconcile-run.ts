import { ChainError, rememberStates } from '../../../src/chain/index.ts'
import {
  compareBooks,
  endRun,
  listOpenBlocks,
  oldestKnown,
  type Run,
  rewindRun,
} from '../../../src/domain/blocks/index.ts'
import { crashPoint } from '../../crash-points.ts'
import { compareWindow, type Standing } from './compare-window.ts'
import { readWindows } from './read-windows.ts'
import { type Reconciler, scanBatch } from './scan-batch.ts'

type ComparedWindow = Awaited<ReturnType<typeof compareWindow>>

type RunOptions = {
  signal: AbortSignal
  /** Called after each committed window. */
  onWindow?(run: Run, window: Pick<ComparedWindow, 'balanced' | 'unread'>): void
  /** Called between windows. If the answer is false, the call ends, and a later call continues. */
  mayGoOn?(): Promise<boolean>
  /** The balances before the next block to compare, if known. */
  standing?: Standing | null
}

/** Blocks per window. If the process is killed, at most the work on one window is lost. */
const WINDOW_BLOCKS = 200
/** The number of headers in one request. A header is much smaller than a block. */
const HEADERS_PER_BATCH = 100
/**
 * With more accounts, reading full blocks costs less than reading the states of all accounts. Then
 * all blocks are read in full, and a window has `WINDOW_OF_MANY` blocks.
 */
const MANY_ACCOUNTS = 200
const WINDOW_OF_MANY = 400
/** The most blocks with open differences that are compared again in one call. */
const RECHECKED_BLOCKS = 20

/**
 * Compares the chain with the database, from the run's next block to its last block. Then checks
 * the ledger. Returns the run, which can be continued later unless it `hasEnded`.
 *
 * @throws ChainError if the nodes fail; a later call continues at the same block
 */
export const reconcileRun = async (
  requested: Reconciler,
  given: Run,
  options: RunOptions,
): Promise<{ run: Run; standing: Standing | null; hasEnded: boolean }> => {
  const many = (await requested.watch(requested.ctx)).accounts.size > MANY_ACCOUNTS
  const reconciler: Reconciler = {
    ...requested,
    client: rememberStates(requested.client),
    depth: requested.depth ?? (many ? 'full' : 'proven'),
    windowBlocks: requested.windowBlocks ?? (many ? WINDOW_OF_MANY : WINDOW_BLOCKS),
  }
  const { ctx, chain } = reconciler
  let run = await rewindAfterReorg(reconciler, given)
  let standing = options.standing ?? null
  const windows = readWindows(reconciler, {
    from: run.nextBlock,
    to: run.toBlock,
    parentHash: run.lastHash,
    batchBlocks: reconciler.depth === 'full' ? chain.blocksPerBatch : HEADERS_PER_BATCH,
    windowBlocks: reconciler.windowBlocks ?? WINDOW_BLOCKS,
  })
  for await (const window of windows) {
    if (options.signal.aborted) return { run, standing, hasEnded: false }
    // crash point Q1: a window is read, and the result of its comparison is not written.
    crashPoint('Q1')
    const compared = await compareWindow(reconciler, run, window, standing)
    const { committed, after } = compared
    if (!committed?.run) {
      throw new ChainError('block_missing', 'The chain or the run has changed in the meantime.')
    }
    run = committed.run
    standing = after
    // crash point Q2: the result for a window is committed. The next call starts after this window.
    crashPoint('Q2')
    options.onWindow?.(run, compared)
    if (options.signal.aborted || !((await options.mayGoOn?.()) ?? true)) {
      return { run, standing, hasEnded: false }
    }
  }
  const opened = await compareBooks(ctx, chain.id, run.id)
  const ended = await endRun(ctx, run)
  const differences = ended.differences + opened
  return { run: { ...ended, differences }, standing, hasEnded: true }
}

/** Compares blocks with open differences again, because later data may explain them. */
export const recheckOpenBlocks = async (
  reconciler: Reconciler,
  signal: AbortSignal,
): Promise<void> => {
  const { ctx, chain } = reconciler
  for (const { number, accounts } of await listOpenBlocks(ctx, chain.id, RECHECKED_BLOCKS)) {
    if (signal.aborted) return
    await compareBlock(reconciler, number, accounts)
  }
}

/** Compares one block, with the balances of these accounts. Does not change a run. */
export const compareBlock = async (
  { ctx, chain, client, watch }: Omit<Reconciler, 'depth' | 'accounts'>,
  number: number,
  accounts: readonly string[],
): ReturnType<typeof compareWindow> => {
  const only = { ctx, chain, client, watch, depth: 'full', accounts: new Set(accounts) } as const
  const batch = await scanBatch(only, number, number)
  const [last] = batch.headers
  if (!last) throw new ChainError('block_missing', `The node does not have block ${number}.`)
  return compareWindow(only, null, { ...batch, from: number, to: number, last }, null)
}

/**
 * Returns the run unchanged if the chain still has its last compared block. If not, the run starts
 * again after the oldest stored block, because the service rolls back no older block.
 */
const rewindAfterReorg = async ({ ctx, chain, client }: Reconciler, run: Run): Promise<Run> => {
  if (run.lastHash === null) return run
  const header = await client.headerAt(run.nextBlock - 1)
  if (header?.hash === run.lastHash) return run
  if (!header) {
    throw new ChainError('block_missing', `The node does not have block ${run.nextBlock - 1}.`)
  }
  ctx.log.warn({ block: header.number }, 'a compared block was reorged')
  return rewindRun(ctx, run, (await oldestKnown(ctx, chain.id)) + 1)
}
