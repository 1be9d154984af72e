import type { Context } from '../context.ts'

/**
 * Returns the time by which an escrow contract would judge a call now, in Unix seconds: the later
 * of our clock and the newest stored block, because a chain's clock may be ahead of ours.
 */
export const readEscrowTime = async (
  { sql, clock }: Context,
  { chainId }: { chainId: number },
): Promise<number> => {
  const [newest] = await sql<{ minedAt: Date }[]>`
    select mined_at from chain_block where chain_id = ${chainId} order by number desc limit 1`
  const nowMs = Math.max(clock.now().getTime(), newest?.minedAt.getTime() ?? 0)
  return Math.floor(nowMs / 1_000)
}
