import type { Context } from '../context.ts'

/** Pauses all active endpoints of a user, in the caller's transaction. Their events wait. */
export const pauseEndpointsOf = async ({ sql }: Context, userId: string): Promise<void> => {
  await sql`
    update webhook_endpoint set status = 'paused', failing_since = null
    where user_id = ${userId} and status = 'active'`
}
