import type { Context } from '../context.ts'
import { databaseNow, databaseTimeIn } from '../database-time.ts'
import { LAST_RETRY_S } from './return-proofs.ts'

/** Makes proofs due whose next try lies beyond the longest pause, after a clock that was ahead. */
export const pullBackProofs = async (ctx: Context, limit: number): Promise<number> => {
  const pulled = await ctx.sql`
    update donation_proof set next_try_at = ${databaseNow(ctx)}
    where donation_id in (
      select donation_id from donation_proof
      where chain_id = any(${ctx.settings.assets.chainIds}::bigint[]) and proof is null
        and next_try_at > ${databaseTimeIn(ctx, LAST_RETRY_S * 1_000)}
      limit ${limit} for update skip locked)`
  return pulled.count
}
