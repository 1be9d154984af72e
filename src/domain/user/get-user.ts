import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { toUserView, type UserRow, type UserView } from './user-view.ts'

/** One user, for themselves and administrators. Throws DomainError `not_found`. */
export const getUser = async (ctx: Context, id: string): Promise<UserView> => {
  const [row] = mayActFor(ctx.actor, id)
    ? await ctx.sql<UserRow[]>`select * from app_user where id = ${id}`
    : []
  if (!row) throw new DomainError('not_found', 'There is no such user.')
  return toUserView(row)
}

/** Whether the caller's address is verified by now, where their token says that it was not. */
export const isEmailVerified = async (ctx: Context): Promise<boolean> => {
  if (ctx.actor.kind !== 'user') return false
  const [row] = await ctx.sql<{ verified: boolean }[]>`
    select email_verified_at is not null as verified from app_user where id = ${ctx.actor.userId}`
  return row?.verified ?? false
}
