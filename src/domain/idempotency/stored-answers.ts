import type { Context } from '../context.ts'

/** The caller of a user's idempotency keys: the same for each session and API key. */
export const callerOfUser = (userId: string): string => `user:${userId}`

/** Removes the stored answers of a user, in the caller's transaction. */
export const forgetAnswersOf = async ({ sql }: Context, userId: string): Promise<void> => {
  await sql`delete from idempotency_key where caller = ${callerOfUser(userId)}`
}
