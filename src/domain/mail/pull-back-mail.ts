import type { Context } from '../context.ts'
import { databaseNow, databaseTimeIn } from '../database-time.ts'
import { MAIL_RETRY_MS } from './record-mail.ts'

/**
 * Makes mail due whose next try is further away than any pause can put it: the database's clock was
 * ahead.
 */
export const pullBackMail = async (ctx: Context, limit: number): Promise<number> => {
  const pulled = await ctx.sql`
    update mail set next_attempt_at = ${databaseNow(ctx)}
    where id in (
      select id from mail where next_attempt_at > ${databaseTimeIn(ctx, Math.max(...MAIL_RETRY_MS))}
      limit ${limit} for update skip locked)`
  return pulled.count
}
