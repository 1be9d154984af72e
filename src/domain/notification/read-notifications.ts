import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import type { ReadNotifications } from './schemas.ts'

/**
 * Marks the caller's unread notifications as read; returns how many. Archived and deleted ones stay
 * as they are. Throws DomainError `unauthenticated`.
 */
export const readNotifications = async (
  { sql, actor, clock }: Context,
  { type, until }: ReadNotifications,
): Promise<number> => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const marked = await sql`
    update notification set status = 'read', updated_at = ${clock.now()}
    where user_id = ${actor.userId} and status = 'unread'
      ${type === undefined ? sql`` : sql`and type = ${type}`}
      ${until === undefined ? sql`` : sql`and created_at <= ${until}`}`
  return marked.count
}
