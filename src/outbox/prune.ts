import type { Context } from '../db/context.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Deletes events that are older than the setting says, with deliveries that are left. Keeps an
 * event if a delivery is pending, and until one day after its deliveries were created. Examines
 * only the `limit` oldest events. Returns the number of deleted events.
 */
export const pruneEvents = async (ctx: Context, limit: number): Promise<number> => {
  const now = ctx.clock.now().getTime()
  const before = new Date(now - ctx.settings.retention.eventsMs)
  const [removed] = await ctx.sql<{ count: number }[]>`
    with removed as (
      delete from event where id in (
        select id from (
          select id, seq, created_at from event order by seq limit ${limit}
        ) oldest
        where created_at < ${before}
          and not exists (select from unrelayed_event where seq = oldest.seq)
          and not exists (
            select from webhook_delivery
            where event_id = oldest.id
              and (status = 'pending' or created_at >= ${new Date(now - DAY_MS)})
            offset 0))
      returning id, tx, seq, audience
    ),
    undelivered as (
      delete from webhook_delivery using removed where event_id = removed.id
    ),
    forgotten as (
      delete from event_audience using removed
      where event_audience.user_id = any(removed.audience)
        and event_audience.tx = removed.tx and event_audience.seq = removed.seq
    )
    select count(*)::int as count from removed`
  return removed?.count ?? 0
}
