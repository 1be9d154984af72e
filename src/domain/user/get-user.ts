import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { isVerifiedUser } from '../verified-user.ts'
import { toUserView, type UserRow, type UserView } from './user-view.ts'

/** One user, for themselves and administrators. Throws DomainError `not_found`. */
export const getUser = async (ctx: Context, id: string): Promise<UserView> => {
  const [row] = mayActFor(ctx.actor, id)
    ? await ctx.sql<UserRow[]>`select * from app_user where id = ${id} and deleted_at is null`
    : []
  if (!row) throw new DomainError('not_found', 'There is no such user.')
  return toUserView(row)
}

/**
 * Whether the caller's account is verified by now, where their token says that it was not. False
 * for a session that the verification has ended: it may be of another person.
 */
export const isVerified = async ({ sql, actor }: Context): Promise<boolean> => {
  if (actor.kind !== 'user') return false
  const [row] = await sql<{ verified: boolean }[]>`
    select ${isVerifiedUser(sql)} and not exists (
             select from session where id = ${actor.sessionId ?? null} and revoked_at is not null
           ) as verified
    from app_user where id = ${actor.userId}`
  return row?.verified ?? false
}
