import type { Context } from '../context.ts'
import { unknownKey } from './key-view.ts'

/** Ends a key of the caller's; again changes nothing. Throws DomainError `not_found`. */
export const revokeKey = async (ctx: Context, id: string): Promise<void> => {
  const self = ctx.actor.kind === 'user' ? ctx.actor.userId : null
  const revoked = await ctx.sql`
    update api_key set revoked_at = coalesce(revoked_at, ${ctx.clock.now()})
    where id = ${id} and user_id = ${self}`
  if (revoked.count === 0) throw unknownKey()
}

/** Ends all keys of a user, in the caller's transaction. */
export const revokeKeysOf = async ({ sql, clock }: Context, userId: string): Promise<void> => {
  await sql`
    update api_key set revoked_at = ${clock.now()}
    where user_id = ${userId} and revoked_at is null`
}
