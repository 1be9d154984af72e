import type { Part, Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'

/** SQL for the time of the newest stored block of a chain; null without blocks. */
export const newestBlockTime = (sql: Queryable, chainId: Part): Part => sql`
  (select mined_at from chain_block where chain_id = ${chainId} order by number desc limit 1)`

/**
 * The number of milliseconds by which the newest stored block is ahead of our clock; at least 0.
 * A contract judges by the clock of its chain, which may be ahead of ours.
 */
export const chainLeadMs = ({ clock }: Pick<Context, 'clock'>, newestBlockAt: Date | null) =>
  Math.max(0, (newestBlockAt?.getTime() ?? 0) - clock.now().getTime())

/**
 * Returns the time by which an escrow contract would judge a call now, in Unix seconds: the later
 * of our clock and the newest stored block.
 */
export const readEscrowTime = async (
  ctx: Context,
  { chainId }: { chainId: number },
): Promise<number> => {
  const [row] = await ctx.sql<{ newestBlockAt: Date | null }[]>`
    select ${newestBlockTime(ctx.sql, ctx.sql`${chainId}::bigint`)} as newest_block_at`
  const nowMs = ctx.clock.now().getTime() + chainLeadMs(ctx, row?.newestBlockAt ?? null)
  return Math.floor(nowMs / 1_000)
}
