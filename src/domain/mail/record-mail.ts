import type { Context } from '../context.ts'
import { databaseNow, databaseTimeIn } from '../database-time.ts'

/** `refused` is for good; `failed` is tried again while there are tries left. */
export type MailOutcome = 'sent' | 'printed' | 'refused' | 'failed'

/** Pauses before each further try. */
const MAIL_RETRY_MS = [5_000, 30_000, 120_000, 300_000, 900_000, 3_600_000]
const MAX_REASON_LENGTH = 200

/**
 * Records what became of a try. Sent and given up mail loses its content at once; printed mail
 * keeps it for the sandbox to show. The outcome of a try that was overtaken is ignored.
 */
export const recordMail = async (
  context: Context,
  mail: { id: string; attempt: number },
  outcome: MailOutcome,
  reason?: string,
): Promise<void> => {
  const now = context.clock.now()
  const done = outcome === 'sent' || outcome === 'printed'
  const pauseMs = outcome === 'failed' ? MAIL_RETRY_MS[mail.attempt - 1] : undefined
  const keepsContent = outcome === 'printed' || pauseMs !== undefined
  await context.sql`
    update mail set next_attempt_at = ${pauseMs === undefined ? null : databaseTimeIn(context, pauseMs)},
                    sent_at = ${done ? now : null},
                    failed_reason = ${done ? null : (reason?.slice(0, MAX_REASON_LENGTH) ?? null)},
                    values_sealed = case when ${keepsContent} then values_sealed end
    where id = ${mail.id} and attempts = ${mail.attempt} and next_attempt_at is not null`
}

/**
 * Makes mail due whose next try is further away than any pause can put it: the database's clock was
 * ahead.
 */
export const clampMail = async (ctx: Context, limit: number): Promise<number> => {
  const clamped = await ctx.sql`
    update mail set next_attempt_at = ${databaseNow(ctx)}
    where id in (
      select id from mail where next_attempt_at > ${databaseTimeIn(ctx, Math.max(...MAIL_RETRY_MS))}
      limit ${limit} for update skip locked)`
  return clamped.count
}
