import type { Context } from '../../../db/context.ts'

const KEPT_MS = 365 * 24 * 3_600_000

/**
 * Deletes notifications that are older than a year, whether they were read or not. Examines only
 * the `limit` oldest ones, whose ids come first. Returns the number of deleted notifications.
 */
export const pruneNotifications = async (
  { sql, clock }: Context,
  limit: number,
): Promise<number> => {
  const before = new Date(clock.now().getTime() - KEPT_MS)
  const deleted = await sql`
    delete from notification
    where id in (select id from notification order by id limit ${limit})
      and created_at < ${before}`
  return deleted.count
}
