import type { Mail } from '../../db/schema/users.ts'
import { onCommit } from '../../db/transaction.ts'
import { newId } from '../../kernel/formats/ids.ts'
import {
  type MailTemplate,
  type MailText,
  type MailValues,
  renderStoredMail,
} from '../../mail/index.ts'
import type { Context } from '../context.ts'
import { databaseNow, databaseTimeIn } from '../database-time.ts'

/** Pauses before each further try. */
const RETRY_MS = [5_000, 30_000, 120_000, 300_000, 900_000, 3_600_000]
const MAX_REASON_LENGTH = 200
const PRINTED_MS = 3_600_000
const KEPT_MS = 30 * 24 * 3_600_000

type QueueMail = {
  [T in MailTemplate]: { to: string; lang: string; template: T; values: MailValues<T> }
}[MailTemplate]

/** Leaves a mail to the worker, in the caller's transaction. What it says is sealed until sent. */
export const queueMail = async (
  ctx: Context,
  { to, lang, template, values }: QueueMail,
): Promise<void> => {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into mail (id, to_address, lang, template, values_sealed, next_attempt_at, request_id,
                      created_at)
    values (${newId(now.getTime())}, ${to}, ${lang}, ${template},
            ${ctx.secrets.seal(JSON.stringify(values))}, ${databaseNow(ctx)}, ${ctx.requestId},
            ${now})`
  onCommit(ctx, () => ctx.wake('mail'))
}

/** `attempt` counts from 1 and fences: only the newest attempt may record its outcome. */
export type ClaimedMail = MailText &
  Pick<Mail, 'id' | 'requestId'> & { attempt: number; to: string }

/**
 * Takes mail that is due for `leaseMs`: no other worker gets it before that time is over, or this
 * one has recorded its outcome. Mail that cannot be opened (another SECRET), or whose code is no
 * longer valid, fails here.
 */
export const claimMail = async (
  ctx: Context,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<ClaimedMail[]> => {
  const rows = await ctx.sql<Mail[]>`
    update mail set attempts = attempts + 1, next_attempt_at = ${databaseTimeIn(ctx, leaseMs)}
    where id in (
      select id from mail where next_attempt_at <= ${databaseNow(ctx)}
      order by next_attempt_at limit ${limit} for update skip locked)
    returning *`
  const claimed: ClaimedMail[] = []
  for (const row of rows) {
    const { id, attempts: attempt, toAddress: to, requestId } = row
    const opened = open(ctx, row)
    if (typeof opened === 'string') {
      ctx.log.warn({ mailId: id, reason: opened }, 'a stored mail is not sent')
      await recordMail(ctx, { id, attempt }, 'refused', opened)
    } else claimed.push({ id, attempt, to, ...opened, requestId })
  }
  return claimed
}

/** The text of a mail, or the reason why it can no longer be sent. */
const open = (ctx: Context, row: Mail): MailText | string => {
  try {
    const { validMs, ...text } = renderMail(ctx, row)
    const ageMs = ctx.clock.now().getTime() - row.createdAt.getTime()
    return validMs !== null && ageMs >= validMs ? 'its code has expired' : text
  } catch {
    return 'it cannot be opened'
  }
}

/** Opens a mail with its content. Throws where it was sealed under another SECRET. */
export const renderMail = (
  { secrets }: Context,
  { template, lang, valuesSealed }: Pick<Mail, 'template' | 'lang' | 'valuesSealed'>,
) => renderStoredMail(template, lang, JSON.parse(secrets.open(valuesSealed ?? '')))

/** `refused` is for good; `failed` is tried again while there are tries left. */
export type MailOutcome = 'sent' | 'printed' | 'refused' | 'failed'

/**
 * Records the outcome of a try. Sent and given up mail loses its content at once; printed mail
 * keeps it for the sandbox to show. The outcome of a try that was overtaken is ignored.
 */
export const recordMail = async (
  ctx: Context,
  mail: { id: string; attempt: number },
  outcome: MailOutcome,
  reason?: string,
): Promise<void> => {
  const done = outcome === 'sent' || outcome === 'printed'
  const pauseMs = outcome === 'failed' ? RETRY_MS[mail.attempt - 1] : undefined
  const keepsContent = outcome === 'printed' || pauseMs !== undefined
  await ctx.sql`
    update mail set next_attempt_at = ${pauseMs === undefined ? null : databaseTimeIn(ctx, pauseMs)},
                    sent_at = ${done ? ctx.clock.now() : null},
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
      select id from mail where next_attempt_at > ${databaseTimeIn(ctx, Math.max(...RETRY_MS))}
      limit ${limit} for update skip locked)`
  return clamped.count
}

/**
 * Removes a batch of mail that is done with: printed mail after an hour, the bare record of other
 * mail after 30 days. Returns how many rows went.
 */
export const pruneMail = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const now = clock.now().getTime()
  const removed = await sql`
    delete from mail where id in (
      select id from mail
      where next_attempt_at is null
        and created_at < case when values_sealed is not null then ${new Date(now - PRINTED_MS)}
                              else ${new Date(now - KEPT_MS)} end
      limit ${limit} for update skip locked)`
  return removed.count
}
