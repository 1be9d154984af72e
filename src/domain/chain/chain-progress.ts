import type { Context } from '../context.ts'
import { databaseNow } from '../database-time.ts'

export type ChainProgress = {
  chainId: number
  /** Since the worker that follows the chain last got on; null where no worker ever began. */
  idleMs: number | null
  /** Idle for so long that no worker follows it, or the one that does hangs. */
  isStalled: boolean
  problem: string | null
  blocksBehind: number
}

/** Longer than a pass takes that reads one batch of blocks from slow nodes. */
const STALLED_AFTER_MS = 120_000
const STALLED_AFTER_POLLS = 3

/** Notes that the worker that follows the chain gets on, by the database's clock. */
export const noteProgress = async (ctx: Context, chainId: number): Promise<void> => {
  await ctx.sql`
    update chain_state set updated_at = ${databaseNow(ctx)} where chain_id = ${chainId}`
}

/**
 * How each of these chains gets on. A time in the future counts as one in the past: the database's
 * clock was ahead, and no worker has got on since.
 */
export const readProgress = async (
  ctx: Pick<Context, 'sql'>,
  chains: readonly { id: number; pollIntervalMs: number }[],
): Promise<ChainProgress[]> => {
  const rows = await ctx.sql<
    { chain_id: number; idle_ms: number; problem: string | null; behind: number }[]
  >`
    select chain_id, problem, head_number - cursor_number as behind,
           abs(extract(epoch from clock_timestamp() - updated_at))::float8 * 1000 as idle_ms
    from chain_state where chain_id = any(${chains.map(({ id }) => id)}::bigint[])`
  return chains.map(({ id, pollIntervalMs }) => {
    const row = rows.find(({ chain_id }) => chain_id === id)
    const idleMs = row?.idle_ms ?? null
    const longestMs = Math.max(STALLED_AFTER_MS, STALLED_AFTER_POLLS * pollIntervalMs)
    return {
      chainId: id,
      idleMs,
      isStalled: idleMs !== null && idleMs > longestMs,
      problem: row?.problem ?? null,
      blocksBehind: row?.behind ?? 0,
    }
  })
}
