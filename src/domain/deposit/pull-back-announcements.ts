import type { Context } from '../context.ts'

/** Moves announcements beyond the grace period back to its end, after a clock that was ahead. */
export const pullBackAnnouncements = async (ctx: Context, limit: number): Promise<number> => {
  const at = new Date(ctx.clock.now().getTime() + ctx.settings.depositGraceMs)
  const pulled = await ctx.sql`
    update chain_transfer set announce_at = ${at}
    where id in (
      select id from chain_transfer where announce_at > ${at} limit ${limit} for update skip locked)`
  return pulled.count
}
