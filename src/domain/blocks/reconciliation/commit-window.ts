import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { type BlockRef, lockChainRow } from '../../shared/index.ts'
import { knownHash } from '../chain/chain-state.ts'
import { type Observed, recordTransfers } from '../chain/record-transfers.ts'
import { type ObservedEscrowEvent, recordEscrowEvents } from '../follow-escrow/record-events.ts'
import { saveBalances } from './account-balances.ts'
import { compareEscrowEvents } from './compare-escrow-events.ts'
import { compareTransfers, type ScannedTransfers } from './compare-transfers.ts'
import type { FoundDifference, OpenDifference } from './difference.ts'
import type { Run } from './run.ts'
import { settleDifferences } from './settle-differences.ts'
import { campaignAt, listWatchedCampaigns, type WatchedCampaigns } from './watched-campaigns.ts'

/** The result of comparing a range of blocks with the stored data. */
type ComparedWindow = {
  scanned: ScannedTransfers
  last: BlockRef
  /** The transactions of missing transfers, if donations claim them. They are stored too. */
  transactions: Observed['transactions']
  /** All events of escrows in the blocks. Missing events are stored. */
  escrowEvents: readonly ObservedEscrowEvent[]
  /** Differences between balances on the chain and known transfers. */
  balances: readonly FoundDifference[]
  /** The keys (`balanceKey`) of the balances that were compared over the whole range. */
  balanced: ReadonlySet<string>
  /** The number of balances that were not compared, because no node has them. */
  unread: number
  /** The token balances of accounts after the last block. */
  held: readonly { account: string; assetId: string; balance: bigint }[]
}

export type CommittedWindow = { recovered: number; opened: number; run: Run | null }

/** Returns the key for an account's balance of an asset. */
export const balanceKey = (account: string, assetId: string): string => `${account} ${assetId}`

/**
 * Stores the result of a comparison in one transaction:
 * - records missing transfers, and missing events of escrows;
 * - opens new differences, and resolves differences that are gone;
 * - advances the run, so that each block is compared once, even if the process is killed.
 *
 * @param run the run that compares these blocks; null if the comparison belongs to no run
 * @returns null if a reorg or another process has changed the chain or the run since the
 *   comparison; then nothing is written
 */
export const commitWindow = async (
  ctx: Context,
  run: Run | null,
  window: ComparedWindow,
): Promise<CommittedWindow | null> =>
  withTransaction(ctx, async (ctx) => {
    const { chainId, from, to } = window.scanned
    const state = await lockChainRow(ctx, chainId)
    const known = await knownHash(ctx, chainId, to)
    if (state.cursor.number < to || (known !== undefined && known !== window.last.hash)) return null
    const watched = await listWatchedCampaigns(ctx, chainId)
    const { missing, differences } = await compareTransfers(ctx, window.scanned, watched)
    const moved = run && (await advance(ctx, run, window, missing.length))
    if (run && !moved) return null
    const events = await compareEscrowEvents(ctx, window.scanned, window.escrowEvents)
    await recoverEvents(ctx, window, watched)
    await recover(ctx, chainId, missing, window.transactions)
    const at = { blockNumber: window.last.number, blockHash: window.last.hash, nonce: null }
    const held = window.held.map((balance) => ({ ...balance, ...at }))
    await saveBalances(ctx, chainId, held)
    const opened = await settleDifferences(ctx, {
      chainId,
      runId: run?.id ?? null,
      found: [...differences, ...events, ...window.balances],
      examined: (open) => inRange(open, from, to) && wasCompared(ctx, open, window),
      resolution: 'Compared again: the difference is gone.',
    })
    if (moved && opened > 0) {
      await ctx.sql`
        update reconciliation_run set differences = differences + ${opened} where id = ${moved.id}`
    }
    return { recovered: missing.length, opened, run: moved }
  })

const inRange = ({ firstBlock, blockNumber }: OpenDifference, from: number, to: number): boolean =>
  from <= firstBlock && blockNumber <= to

const wasCompared = (ctx: Context, open: OpenDifference, window: ComparedWindow): boolean => {
  switch (open.kind) {
    case 'balance':
      return window.balanced.has(balanceKey(open.account, open.assetId))
    case 'transfer_unknown':
    case 'transfer_differs':
      return window.scanned.native || ctx.settings.assets.byId(open.assetId).kind !== 'native'
    default:
      return open.kind === 'escrow_event'
  }
}

const advance = async (
  ctx: Context,
  run: Run,
  { scanned, last, unread }: ComparedWindow,
  recovered: number,
): Promise<Run | null> => {
  const [row] = await ctx.sql<Run[]>`
    update reconciliation_run
    set next_block = ${last.number + 1}, last_hash = ${last.hash},
        transfers = transfers + ${scanned.found.length}, recovered = recovered + ${recovered},
        status = case when ${unread > 0} and origin = 'command' then 'failed' else status end
    where id = ${run.id} and next_block = ${scanned.from}
      and last_hash is not distinct from ${run.lastHash}
    returning *`
  return row ?? null
}

/**
 * Records missing events of escrows, which are settled like new events. Leaves out events from
 * before the campaign, because the payments before it are left out too.
 */
const recoverEvents = async (
  ctx: Context,
  { scanned, escrowEvents }: ComparedWindow,
  watched: WatchedCampaigns,
): Promise<void> => {
  const counted = escrowEvents.filter((event) => campaignAt(watched, event.account, event) !== null)
  const recovered = await recordEscrowEvents(ctx, scanned.chainId, counted)
  if (recovered > 0) ctx.log.warn({ recovered }, 'missed events of escrows were recovered')
}

/** Records missing transfers. Sets `booked_number` back, so that settling posts their blocks. */
const recover = async (
  ctx: Context,
  chainId: number,
  missing: Observed['transfers'],
  transactions: Observed['transactions'],
): Promise<void> => {
  if (missing.length === 0) return
  const hashes = new Set(missing.map((transfer) => transfer.txHash))
  await recordTransfers(ctx, chainId, {
    transfers: [...missing],
    transactions: transactions.filter((transaction) => hashes.has(transaction.txHash)),
  })
  const lowest = Math.min(...missing.map((transfer) => transfer.blockNumber))
  await ctx.sql`
    update chain_state set booked_number = least(booked_number, ${lowest - 1})
    where chain_id = ${chainId}`
  ctx.log.warn({ recovered: missing.length, lowest }, 'missed transfers were recovered')
}
