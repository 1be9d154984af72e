import type { Context } from '../context.ts'

/** The caller of a user's keys, whatever session or API key they came with. */
export const callerOfUser = (userId: string): string => `user:${userId}`

/** Removes the stored answers of a user, in the caller's transaction. */
export const forgetAnswersOf = async ({ sql }: Context, userId: string): Promise<void> => {
  await sql`delete from idempotency_key where caller = ${callerOfUser(userId)}`
}
