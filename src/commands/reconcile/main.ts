import { reconcileRun } from '../../../worker/chain/reconcile/reconcile-run.ts'
import type { Reconciler } from '../../../worker/chain/reconcile/scan-batch.ts'
import { createWatchCache } from '../../../worker/chain/watch-cache.ts'
import { armCrashPoint } from '../../../worker/crash-points.ts'
import { createChainClient } from '../../chain/index.ts'
import { type ChainConfig, loadConfig } from '../../config/config.ts'
import type { Context } from '../../db/context.ts'
import {
  beginRun,
  findUnfinishedRun,
  listDifferences,
  oldestKnown,
  type Run,
  readChain,
  withChainLease,
} from '../../domain/blocks/index.ts'
import { messageOf, StartError } from '../../kernel/errors.ts'
import { type Base, openCommandBase, type Places } from '../base.ts'
import { command } from '../command.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { createProgress } from './progress.ts'

/** The output names at most this many accounts. */
const MOST_NAMED = 100

/**
 * `npm run reconcile`: compares a range of a chain with the ledger. Exit codes:
 * - 0: everything was compared, and the chain has no open differences
 * - 1: the chain has open differences
 * - 2: the comparison could not be completed, or no node had some of the balances
 */
export const run = command(USAGE, 2, async (words, env) => {
  const options = readOptions(words)
  const config = loadConfig(env)
  armCrashPoint(config.crashAt)
  const base = await openCommandBase(config)
  return reconcileChain(base, options).finally(() => base.stop())
})

const reconcileChain = async (base: Base, options: Options): Promise<number> => {
  const chain = chainOf(base.places, options)
  // Sends no wake-ups, because a running worker searches for new work every second.
  const ctx: Context = { ...base.systemContext, wake: () => {} }
  const client = createChainClient({ chain, log: base.log })
  try {
    const watch = createWatchCache(chain)
    const reconciler = { ctx, chain, client, watch, depth: options.depth }
    const held = await withChainLease(ctx, chain.id, () => reconcile(reconciler, options))
    if (held) return held.result
    throw new StartError(
      `Chain ${chain.id} is being compared by the worker or by another command: try again later.`,
    )
  } finally {
    await client.close()
  }
}

const reconcile = async (reconciler: Reconciler, options: Options): Promise<number> => {
  const { ctx, chain } = reconciler
  const run = await runOf(ctx, chain, options)
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(130)
    stopping.abort()
    console.error('\nStopping after the current blocks; interrupt again to stop at once.')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const progress = createProgress(process.stderr)
  const balances: Balances = { compared: 0, unread: 0, accounts: new Set() }
  const total = run.toBlock - run.fromBlock + 1
  console.log(
    `Chain ${chain.id}, blocks ${run.nextBlock} to ${run.toBlock}, against the ledger${options.depth === 'tokens' ? ', tokens only' : ''}.`,
  )
  try {
    progress.update(run.nextBlock - run.fromBlock, total)
    const { run: reached, hasEnded } = await reconcileRun(reconciler, run, {
      signal: stopping.signal,
      onWindow: ({ nextBlock, fromBlock }, { balanced, unread }) => {
        progress.update(nextBlock - fromBlock, total)
        balances.compared += balanced.size
        balances.unread += unread.length
        for (const { account } of unread) balances.accounts.add(account)
      },
    })
    progress.end()
    if (hasEnded) return await report(ctx, reached)
    console.log(`Stopped before block ${reached.nextBlock}. Continue with --resume.`)
    return 2
  } catch (error) {
    progress.end()
    console.error(messageOf(error))
    console.error('The progress is kept. Continue with --resume.')
    return 2
  } finally {
    printUnread(balances)
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

const runOf = async (ctx: Context, chain: ChainConfig, options: Options): Promise<Run> => {
  const state = await readChain(ctx, chain.id)
  if (!state) {
    throw new StartError(`Chain ${chain.id} has never been followed here: start the service first.`)
  }
  if (options.resume) {
    const run = await findUnfinishedRun(ctx, chain.id)
    if (run) return run
    throw new StartError(`Nothing to resume: chain ${chain.id} has no unfinished comparison.`)
  }
  const final = Math.min(state.finalizedNumber, state.cursor.number)
  // Block 0 has no transactions to compare.
  const from = Math.max(1, options.from ?? (await oldestKnown(ctx, chain.id)) + 1)
  const to = options.to ?? final
  if (to > final) {
    throw new StartError(`Only final blocks are compared; the newest final block is ${final}.`)
  }
  if (to < from) throw new StartError(`There is nothing to compare from block ${from} to ${to}.`)
  return beginRun(ctx, { chainId: chain.id, from, to })
}

/** The numbers of balances that were compared, and that no node has, with their accounts. */
type Balances = { compared: number; unread: number; accounts: Set<string> }

const printUnread = ({ compared, unread, accounts }: Balances): void => {
  if (unread === 0) return
  const named = [...accounts].slice(0, MOST_NAMED).join(', ')
  const others = accounts.size > MOST_NAMED ? ` and ${accounts.size - MOST_NAMED} accounts` : ''
  console.log(
    `${compared} of ${compared + unread} balances were compared. No node has the states for other balances of ${named}${others}.`,
  )
}

/** Prints the open differences and a summary. Returns the exit code. */
const report = async (ctx: Context, run: Run): Promise<number> => {
  const { items, total } = await listDifferences(ctx, { status: 'open', page: 1, limit: 100 })
  const known = items.filter(({ chainId }) => chainId === run.chainId)
  for (const one of known) {
    const { kind, account, symbol, blockNumber, expected, actual, note, acknowledgement } = one
    const why = acknowledgement === null ? '' : ` Acknowledged: ${acknowledgement}`
    console.log(
      `${kind} ${account} block ${blockNumber}: ${expected} ${symbol} expected, ${actual} found. ${note}${why}`,
    )
  }
  const open = known.filter(({ acknowledgedAt }) => acknowledgedAt === null)
  const older = total === null ? 'many' : total - items.length
  if (older !== 0) console.log(`… and ${older} older differences.`)
  const agrees =
    run.status === 'failed'
      ? 'all that was compared agrees, but some balances were not compared'
      : 'everything agrees'
  const found = open.length === 0 ? agrees : `${open.length} open differences`
  console.log(
    `${run.toBlock - run.fromBlock + 1} blocks, ${run.transfers} transfers, ${run.recovered} recovered: ${found}.`,
  )
  if (open.length > 0) return 1
  return run.status === 'failed' ? 2 : 0
}

const chainOf = ({ chains }: Places, { chainId }: Options): ChainConfig => {
  const ids = chains.map(({ id }) => id).join(', ')
  const chain = chainId === undefined ? chains[0] : chains.find(({ id }) => id === chainId)
  if (!chain) throw new StartError(`Chain ${chainId} is not configured, only ${ids}.`)
  if (chainId !== undefined || chains.length === 1) return chain
  throw new StartError(`Say which chain with --chain: ${ids}.`)
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2))
