import type { Context } from '../context.ts'

/**
 * No pause before a donation is looked at again is longer, whether it waits for a block or a price.
 */
export const LONGEST_RETRY_MS = 600_000

/**
 * Makes donations due whose turn is further away than any pause can put it: a clock that was ahead
 * has put it there. Intents are left out, because they wait until they expire.
 */
export const pullBackChecks = async (ctx: Context, limit: number): Promise<number> => {
  const now = ctx.clock.now()
  const pulled = await ctx.sql`
    update donation set next_check_at = ${now}
    where id in (
      select id from donation
      where chain_id = any(${ctx.settings.assets.chainIds}::bigint[])
        and next_check_at > ${new Date(now.getTime() + LONGEST_RETRY_MS)}
        and not (intent and status = 'pending')
      limit ${limit} for no key update skip locked)`
  return pulled.count
}
