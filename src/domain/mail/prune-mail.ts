import type { Context } from '../context.ts'

const PRINTED_MS = 3_600_000
const KEPT_MS = 30 * 24 * 3_600_000

/**
 * Removes a batch of mail that is done with: printed mail after an hour, the bare record of other
 * mail after 30 days. Returns how many rows went.
 */
export const pruneMail = async (context: Context, limit: number): Promise<number> => {
  const now = context.clock.now().getTime()
  const removed = await context.sql`
    delete from mail where id in (
      select id from mail
      where next_attempt_at is null
        and created_at < case when values_sealed is not null then ${new Date(now - PRINTED_MS)}
                              else ${new Date(now - KEPT_MS)} end
      limit ${limit} for update skip locked)`
  return removed.count
}
