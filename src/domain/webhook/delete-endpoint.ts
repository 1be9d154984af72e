import type { Part } from '../../db/client.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { findEndpoint } from './get-endpoint.ts'

/** Removes an endpoint: its keys are erased, what still waits for it is cancelled. Throws `not_found`. */
export const deleteEndpoint = (context: Context, id: string): Promise<void> =>
  withTransaction(context, async (context) => {
    const endpoint = await findEndpoint(context, id)
    await remove(context, context.sql`id = ${endpoint.id}`)
  })

/** Removes all endpoints of a user, in the caller's transaction. */
export const deleteEndpointsOf = (context: Context, userId: string): Promise<void> =>
  remove(context, context.sql`user_id = ${userId}`)

/** Removes all endpoints of a user, their addresses too, in the caller's transaction. */
export const eraseEndpointsOf = async (context: Context, userId: string): Promise<void> => {
  await deleteEndpointsOf(context, userId)
  await context.sql`
    update webhook_endpoint set url = '', description = null where user_id = ${userId}`
}

const remove = async (context: Context, which: Part): Promise<void> => {
  const removed = await context.sql<{ id: string }[]>`
    update webhook_endpoint
    set deleted_at = ${context.clock.now()}, status = 'disabled', secret_sealed = '',
        previous_secret_sealed = null, previous_secret_until = null, headers_sealed = null
    where ${which} and deleted_at is null
    returning id`
  await cancelDeliveries(
    context,
    removed.map(({ id }) => id),
  )
}
