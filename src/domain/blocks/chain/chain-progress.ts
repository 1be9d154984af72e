import type { Context } from '../../../db/context.ts'
import type { ChainState } from '../../../db/schema/chains.ts'
import { databaseNow } from '../../shared/index.ts'

export type ChainProgress = Awaited<ReturnType<typeof readProgress>>[number]

/** A chain may count as stalled after this time. Slow nodes need less time for a batch. */
const STALLED_AFTER_MS = 120_000
const STALLED_AFTER_POLLS = 3

/** Stores now, by the database's clock, as the time of the chain's last progress. */
export const noteProgress = async (ctx: Context, chainId: number): Promise<void> => {
  await ctx.sql`
    update chain_state set updated_at = ${databaseNow(ctx)} where chain_id = ${chainId}`
}

/**
 * Reads the progress of each chain. If the database's clock was set back, the stored time of the
 * last progress may be in the future. The distance to this time then counts as idle time.
 */
export const readProgress = async (
  ctx: Pick<Context, 'sql'>,
  chains: readonly { id: number; pollIntervalMs: number }[],
) => {
  const rows = await ctx.sql<
    (Pick<ChainState, 'chainId' | 'problem' | 'headNumber' | 'cursorNumber' | 'finalizedNumber'> &
      Pick<ChainState, 'bookedNumber' | 'finalizedMovedAt' | 'haltedAt'> & { idleMs: number })[]
  >`
    select chain_id, head_number, cursor_number, finalized_number, booked_number,
           finalized_moved_at, halted_at,
           nullif(concat_ws('; ', case when settings_problem_at > clock_timestamp() - interval '1 minute'
             then settings_problem end, problem), '') as problem,
           abs(extract(epoch from clock_timestamp() - updated_at))::float8 * 1000 as idle_ms
    from chain_state where chain_id = any(${chains.map(({ id }) => id)}::bigint[])`
  return chains.map(({ id, pollIntervalMs }) => {
    const row = rows.find(({ chainId }) => chainId === id)
    const idleMs = row?.idleMs ?? null
    const longestMs = Math.max(STALLED_AFTER_MS, STALLED_AFTER_POLLS * pollIntervalMs)
    return {
      chainId: id,
      /** Milliseconds since a worker last made progress; null if no worker ever read the chain. */
      idleMs,
      /** Whether `idleMs` is too long: no worker reads the chain, or the worker hangs. */
      isStalled: idleMs !== null && idleMs > longestMs,
      /** Wrong settings that a worker had a minute ago or later, and why the sync stops. */
      problem: row?.problem ?? null,
      blocksBehind: row ? row.headNumber - row.cursorNumber : 0,
      /**
       * The number of the newest block that was read. `finalized` is the number of the newest final
       * block. Both are 0 at first.
       */
      cursor: row?.cursorNumber ?? 0,
      finalized: row?.finalizedNumber ?? 0,
      /** The final block up to which the ledger has all transfers; 0 at first. */
      booked: row?.bookedNumber ?? 0,
      /** When `finalized` last changed. */
      finalizedMovedAt: row?.finalizedMovedAt ?? null,
      /** Whether the nodes contradict final blocks or all stored blocks, so nothing is settled. */
      halted: Boolean(row?.haltedAt),
    }
  })
}
