import type { Context } from '../../../db/context.ts'
import type { Mail } from '../../../db/schema/users.ts'
import { onCommit } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import {
  type MailTemplate,
  type MailText,
  type MailValues,
  renderStoredMail,
} from '../../../mail/index.ts'
import { databaseNow, databaseTimeIn } from '../../shared/index.ts'

/** The pauses between the attempts to send a mail. */
const RETRY_MS = [5_000, 30_000, 120_000, 300_000, 900_000, 3_600_000]
const MAX_REASON_LENGTH = 200
const PRINTED_MS = 3_600_000
const KEPT_MS = 30 * 24 * 3_600_000

type QueueMail = {
  [T in MailTemplate]: { to: string; lang: string; template: T; values: MailValues<T> }
}[MailTemplate]

/** Queues a mail for the worker, in the caller's transaction. Stores the values encrypted. */
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

/** A mail to send now. `attempt` counts from 1. Only the newest attempt of a mail is recorded. */
export type ClaimedMail = MailText &
  Pick<Mail, 'id' | 'requestId'> & { attempt: number; to: string }

/**
 * Leases due mail for `leaseMs`, so that no other worker sends the mail in this time. Gives up mail
 * whose code has expired by a trusted clock. Mail of another SECRET is tried again later, because
 * another process may have it.
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
      const outcome = opened === UNREADABLE ? 'failed' : 'refused'
      await recordMail(ctx, { id, attempt }, outcome, opened)
    } else claimed.push({ id, attempt, to, ...opened, requestId })
  }
  return claimed
}

const UNREADABLE = 'it cannot be opened'

/** Returns the text of a mail, or the reason why the mail can no longer be sent. */
const open = (ctx: Context, row: Mail): MailText | string => {
  try {
    const { validMs, ...text } = renderMail(ctx, row)
    const ageMs = ctx.clock.now().getTime() - row.createdAt.getTime()
    const isTooOld = validMs !== null && ageMs >= validMs && ctx.clock.isTrusted()
    return isTooOld ? 'its code has expired' : text
  } catch {
    return UNREADABLE
  }
}

/** Decrypts the values of a mail and renders its text. Throws if SECRET has changed. */
const renderMail = (
  { secrets }: Context,
  { template, lang, valuesSealed }: Pick<Mail, 'template' | 'lang' | 'valuesSealed'>,
) => renderStoredMail(template, lang, JSON.parse(secrets.open(valuesSealed ?? '')))

/** `refused` is final. After `failed`, the mail is tried again, except after the last attempt. */
export type MailOutcome = 'sent' | 'printed' | 'refused' | 'failed'

/**
 * Records the outcome of an attempt, unless a newer attempt has begun. Deletes the values of a mail
 * that is sent or given up. Printed mail keeps its values, because the sandbox shows it again.
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
 * Makes mail due now if its next attempt is later than the longest pause allows, which happens if
 * the database's clock was ahead when the attempt was planned.
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
 * Deletes finished mail: printed mail after an hour, other mail after 30 days. Examines only the
 * `limit` oldest mails, whose ids come first, unless mail is printed. Returns the number of deleted
 * rows, at most `limit`.
 */
export const pruneMail = async (ctx: Context, limit: number): Promise<number> => {
  const { sql, clock, settings } = ctx
  const oldest = sql`(select * from mail order by id limit ${limit})`
  const now = clock.now().getTime()
  const removed = await sql`
    delete from mail where id in (
      select id from ${settings.mailIsPrinted ? sql`mail` : oldest} old
      where next_attempt_at is null
        and created_at < case when values_sealed is not null then ${new Date(now - PRINTED_MS)}
                              else ${new Date(now - KEPT_MS)} end
      limit ${limit})
      and next_attempt_at is null`
  return removed.count
}

const MAX_LISTED = 20

/**
 * Lists the newest mail to an address, if this deployment prints its mail instead of sending it.
 *
 * @throws DomainError `not_found` if this deployment sends its mail
 */
export const listPrintedMail = async (
  ctx: Context,
  { to }: { to: string },
): Promise<(Pick<Mail, 'id' | 'template' | 'createdAt'> & MailText)[]> => {
  if (!ctx.settings.mailIsPrinted) {
    throw new DomainError('not_found', 'This deployment sends its mail and does not show it.')
  }
  const rows = await ctx.sql<Mail[]>`
    select * from mail
    where lower(to_address) = lower(${to}) and values_sealed is not null
    order by created_at desc, id desc limit ${MAX_LISTED}`
  return rows.map((row) => {
    const { subject, text } = renderMail(ctx, row)
    return { id: row.id, template: row.template, subject, text, createdAt: row.createdAt }
  })
}
