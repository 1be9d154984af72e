import type { ChainState } from '../../db/schema/chains.ts'
import type { Context } from '../context.ts'
import { databaseNow } from '../database-time.ts'

export type ChainProgress = {
  chainId: number
  /** Milliseconds since a worker last made progress; null if no worker ever read the chain. */
  idleMs: number | null
  /** Whether `idleMs` is too long: no worker reads the chain, or the worker hangs. */
  isStalled: boolean
  problem: string | null
  blocksBehind: number
  /** The newest block of the chain that is read, and the newest one that is final; 0 at first. */
  cursor: number
  finalized: number
  /** When `finalized` last changed. */
  finalizedMovedAt: Date | null
  /** Whether the nodes contradict final blocks or all stored blocks, so that nothing is settled. */
  halted: boolean
}

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
): Promise<ChainProgress[]> => {
  const rows = await ctx.sql<
    (Pick<ChainState, 'chainId' | 'problem' | 'headNumber' | 'cursorNumber' | 'finalizedNumber'> &
      Pick<ChainState, 'finalizedMovedAt' | 'haltedAt'> & { idleMs: number })[]
  >`
    select chain_id, problem, head_number, cursor_number, finalized_number, finalized_moved_at,
           halted_at,
           abs(extract(epoch from clock_timestamp() - updated_at))::float8 * 1000 as idle_ms
    from chain_state where chain_id = any(${chains.map(({ id }) => id)}::bigint[])`
  return chains.map(({ id, pollIntervalMs }) => {
    const row = rows.find(({ chainId }) => chainId === id)
    const idleMs = row?.idleMs ?? null
    const longestMs = Math.max(STALLED_AFTER_MS, STALLED_AFTER_POLLS * pollIntervalMs)
    return {
      chainId: id,
      idleMs,
      isStalled: idleMs !== null && idleMs > longestMs,
      problem: row?.problem ?? null,
      blocksBehind: row ? row.headNumber - row.cursorNumber : 0,
      cursor: row?.cursorNumber ?? 0,
      finalized: row?.finalizedNumber ?? 0,
      finalizedMovedAt: row?.finalizedMovedAt ?? null,
      halted: Boolean(row?.haltedAt),
    }
  })
}
