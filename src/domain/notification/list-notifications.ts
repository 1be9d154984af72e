import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { decodeCursor, type Page, toPage } from '../page.ts'
import {
  type NotificationRow,
  type NotificationView,
  toNotificationView,
} from './notification-view.ts'
import type { ListNotifications } from './schemas.ts'

/**
 * The caller's own notifications, newest first; deleted ones only where their status is asked for.
 * Throws DomainError `unauthenticated`, `invalid_cursor`.
 */
export const listNotifications = async (
  ctx: Context,
  query: ListNotifications,
): Promise<Page<NotificationView>> => {
  const { sql, actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor)
  const filter = sql`
    user_id = ${actor.userId}
    ${query.status === undefined ? sql`and status <> 'deleted'` : sql`and status = ${query.status}`}
    ${query.type === undefined ? sql`` : sql`and type = ${query.type}`}`
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from notification where ${filter}`
  const rows = await sql<NotificationRow[]>`
    select id, type, status, title, message, data, created_at, updated_at from notification
    where ${filter}
      ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${query.limit + 1}
    offset ${after ? 0 : (query.page - 1) * query.limit}`
  return toPage(
    rows,
    query,
    counted?.total ?? 0,
    (row) => ({ createdAt: row.created_at, id: row.id }),
    toNotificationView,
  )
}
