import type { Context } from '../../../db/context.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { renderNotification } from './render.ts'
import type { NotificationType, NotificationValues } from './texts.ts'

/** A notification for one user. `data` has ids of related objects, such as `campaignId`. */
export type Notice = {
  [T in NotificationType]: {
    userId: string
    type: T
    values: NotificationValues[T]
    data: Readonly<Record<string, string>>
  }
}[NotificationType]

/**
 * Writes notifications in the caller's transaction, each in the language of its user. Runs only two
 * SQL statements in total. Skips users who are unknown or deleted.
 */
export const notify = async (ctx: Context, notices: readonly Notice[]): Promise<void> => {
  if (notices.length === 0) return
  const ids = [...new Set(notices.map(({ userId }) => userId))]
  const users = await ctx.sql<{ id: string; lang: string }[]>`
    select id, lang from app_user where id = any(${ids}::uuid[]) and deleted_at is null`
  const langs = new Map(users.map(({ id, lang }) => [id, lang]))
  const now = ctx.clock.now()
  const rows = notices.flatMap((notice) => {
    const lang = langs.get(notice.userId)
    return lang === undefined ? [] : [rowOf(notice, lang, now)]
  })
  if (rows.length === 0) return
  await ctx.sql`
    insert into notification (id, user_id, type, title, message, campaign_id, donation_id, data,
                              created_at, updated_at)
    select id, user_id, type, title, message, (data ->> 'campaignId')::uuid,
           (data ->> 'donationId')::uuid, data - '{campaignId,donationId}'::text[], ${now}, ${now}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, user_id uuid, type text, title text, message text, data jsonb)`
}

const rowOf = ({ userId, data, type, values }: Notice, lang: string, now: Date) => ({
  id: newId(now.getTime()),
  user_id: userId,
  type,
  ...renderNotification<NotificationType>(type, lang, values),
  data,
})
