import type { Part } from '../../db/client.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { findEndpoint } from './get-endpoint.ts'

/**
 * Deletes an endpoint: erases its keys and cancels its pending deliveries.
 *
 * @throws DomainError `not_found`
 */
export const deleteEndpoint = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const endpoint = await findEndpoint(ctx, id)
    await remove(ctx, ctx.sql`id = ${endpoint.id}`)
  })

/** Deletes all endpoints of a user, in the caller's transaction. */
export const deleteEndpointsOf = (ctx: Context, userId: string): Promise<void> =>
  remove(ctx, ctx.sql`user_id = ${userId}`)

/** Deletes all endpoints of a user with their addresses, in the caller's transaction. */
export const eraseEndpointsOf = async (ctx: Context, userId: string): Promise<void> => {
  await deleteEndpointsOf(ctx, userId)
  await ctx.sql`
    update webhook_endpoint set url = '', description = null where user_id = ${userId}`
}

const remove = async (ctx: Context, which: Part): Promise<void> => {
  const removed = await ctx.sql<{ id: string }[]>`
    update webhook_endpoint
    set deleted_at = ${ctx.clock.now()}, status = 'disabled', secret_sealed = '',
        previous_secret_sealed = null, previous_secret_until = null, headers_sealed = null
    where ${which} and deleted_at is null
    returning id`
  await cancelDeliveries(
    ctx,
    removed.map(({ id }) => id),
  )
}
