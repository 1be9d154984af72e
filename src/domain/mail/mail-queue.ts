import { type MailText, renderStoredMail } from '../../mail/index.ts'
import type { Context } from '../context.ts'
import { databaseNow, databaseTimeIn } from '../database-time.ts'
import { recordMail } from './record-mail.ts'

export type ClaimedMail = {
  id: string
  /** Which try this is, from 1. It fences: only the newest one may record its outcome. */
  attempt: number
  to: string
  subject: string
  text: string
  requestId: string | null
}

type Row = {
  id: string
  attempts: number
  toAddress: string
  lang: string
  template: string
  valuesSealed: string
  requestId: string | null
  createdAt: Date
}

/**
 * Takes mail that is due for `leaseMs`: no other worker gets it before that time is over, or this
 * one has recorded its outcome. Mail that cannot be opened (another SECRET), or whose code is no
 * longer valid, fails here.
 */
export const claimMail = async (
  context: Context,
  options: { limit: number; leaseMs: number },
): Promise<ClaimedMail[]> => {
  const now = context.clock.now()
  const rows = await context.sql<Row[]>`
    update mail set attempts = attempts + 1,
                    next_attempt_at = ${databaseTimeIn(context, options.leaseMs)}
    where id in (
      select id from mail where next_attempt_at <= ${databaseNow(context)}
      order by next_attempt_at limit ${options.limit} for update skip locked)
    returning id, attempts, to_address, lang, template, values_sealed, request_id, created_at`
  const claimed: ClaimedMail[] = []
  for (const row of rows) {
    const opened = open(context, row, now)
    if (typeof opened === 'string') {
      context.log.warn({ mailId: row.id, reason: opened }, 'a stored mail is not sent')
      await recordMail(context, { id: row.id, attempt: row.attempts }, 'refused', opened)
      continue
    }
    claimed.push({
      id: row.id,
      attempt: row.attempts,
      to: row.toAddress,
      ...opened,
      requestId: row.requestId,
    })
  }
  return claimed
}

/** What the mail says, or why it can no longer be sent. */
const open = (context: Context, row: Row, now: Date): MailText | string => {
  try {
    const values: unknown = JSON.parse(context.secrets.open(row.valuesSealed))
    const { validMs, ...text } = renderStoredMail(row.template, row.lang, values)
    const expired = validMs !== null && now.getTime() - row.createdAt.getTime() >= validMs
    return expired ? 'its code has expired' : text
  } catch {
    return 'it cannot be opened'
  }
}
