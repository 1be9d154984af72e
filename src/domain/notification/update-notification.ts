import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import {
  type NotificationRow,
  type NotificationView,
  toNotificationView,
} from './notification-view.ts'
import type { UpdateNotification } from './schemas.ts'

/**
 * Marks one of the caller's own notifications; a repetition changes nothing. Those of other users
 * are not found, by administrators too. Throws DomainError `unauthenticated`, `not_found`.
 */
export const updateNotification = async (
  ctx: Context,
  id: string,
  { status }: UpdateNotification,
): Promise<NotificationView> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const [row] = await ctx.sql<NotificationRow[]>`
    update notification
    set status = ${status},
        updated_at = case when status = ${status} then updated_at else ${ctx.clock.now()} end
    where id = ${id} and user_id = ${actor.userId}
    returning id, type, status, title, message, data, created_at, updated_at`
  if (!row) throw new DomainError('not_found', 'There is no such notification.')
  return toNotificationView(row)
}
