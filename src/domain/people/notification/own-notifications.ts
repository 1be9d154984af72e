import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Notification } from '../../../db/schema/impact.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { ofStatus, type Page, readPage, requireUser } from '../../shared/index.ts'
import type { ListNotifications, ReadNotifications, UpdateNotification } from './schemas.ts'

/** A notification in its user's language. `data` has related ids, such as `campaignId`. */
export type NotificationView = Omit<Notification, 'userId' | 'campaignId' | 'donationId'>

const columns = (sql: Queryable) => sql`
  id, type, status, title, message, created_at, updated_at,
  data || jsonb_strip_nulls(
    jsonb_build_object('campaignId', campaign_id, 'donationId', donation_id)) as data`

/**
 * Lists the caller's notifications, newest first. Lists deleted notifications only on request.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `invalid_cursor` for a wrong cursor
 */
export const listNotifications = async (
  ctx: Context,
  query: ListNotifications,
): Promise<Page<NotificationView>> => {
  const { sql } = ctx
  const { userId } = requireUser(ctx)
  return readPage(ctx, query, {
    chosen: sql`
      select id, created_at as at from notification
      where user_id = ${userId}
        ${query.status ? ofStatus(sql, query.status) : sql`and status <> 'deleted'`}
        ${query.type === undefined ? sql`` : sql`and type = ${query.type}`}`,
    rowsOf: (ids) => sql<NotificationView[]>`
      select ${columns(sql)} from notification where id = any(${ids}::uuid[])`,
  })
}

/**
 * Marks the caller's unread notifications as read and returns the number of these notifications.
 * Archived and deleted notifications do not change.
 *
 * @throws DomainError `unauthenticated` if no user is signed in
 */
export const readNotifications = async (
  ctx: Context,
  { type, until }: ReadNotifications,
): Promise<number> => {
  const { sql } = ctx
  const marked = await sql`
    update notification set status = 'read', updated_at = ${ctx.clock.now()}
    where user_id = ${requireUser(ctx).userId} and status = 'unread'
      ${type === undefined ? sql`` : sql`and type = ${type}`}
      ${until === undefined ? sql`` : sql`and created_at <= ${until}`}`
  return marked.count
}

/**
 * Sets the status of a notification of the caller. Setting the same status again changes nothing.
 * Administrators cannot change notifications of other users.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown id
 */
export const updateNotification = async (
  ctx: Context,
  id: string,
  { status }: UpdateNotification,
): Promise<NotificationView> => {
  const [row] = await ctx.sql<NotificationView[]>`
    update notification
    set status = ${status},
        updated_at = case when status = ${status} then updated_at else ${ctx.clock.now()} end
    where id = ${id} and user_id = ${requireUser(ctx).userId}
    returning ${columns(ctx.sql)}`
  if (!row) throw new DomainError('not_found', 'There is no such notification.')
  return row
}
