import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { type Page, readPage, withStatus } from '../page.ts'
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
  const chosen = withStatus(
    sql,
    query.status,
    [],
    (ofStatus) => sql`
    select id, created_at as at from notification
    where user_id = ${actor.userId}
      ${query.status ? ofStatus : sql`and status <> 'deleted'`}
      ${query.type === undefined ? sql`` : sql`and type = ${query.type}`}`,
  )
  return readPage(ctx, query, {
    chosen,
    rowsOf: (ids) => sql<NotificationRow[]>`
      select id, type, status, title, message, data, created_at, updated_at from notification
      where id = any(${ids}::uuid[])`,
    toItem: toNotificationView,
  })
}
