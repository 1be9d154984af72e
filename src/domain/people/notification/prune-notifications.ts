import type { Context } from '../../../db/context.ts'

/**
 * Deletes notifications that are older than the setting says, whether they were read or not.
 * Examines only the `limit` oldest ones, whose ids come first. Returns the number of deleted rows.
 */
export const pruneNotifications = async (
  { sql, clock, settings }: Context,
  limit: number,
): Promise<number> => {
  const before = new Date(clock.now().getTime() - settings.retention.notificationsMs)
  const deleted = await sql`
    delete from notification
    where id in (select id from notification order by id limit ${limit})
      and created_at < ${before}`
  return deleted.count
}
