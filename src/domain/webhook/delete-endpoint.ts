import { withTransaction } from '../../db/transaction.ts'
import type { Context } from '../context.ts'
import { cancelDeliveries } from './cancel-deliveries.ts'
import { findEndpoint } from './get-endpoint.ts'

/** Removes an endpoint: its keys are erased, what still waits for it is cancelled. Throws `not_found`. */
export const deleteEndpoint = (context: Context, id: string): Promise<void> =>
  withTransaction(context, async (context) => {
    const endpoint = await findEndpoint(context, id)
    await context.sql`
      update webhook_endpoint
      set deleted_at = ${context.clock.now()}, status = 'disabled', secret_sealed = '',
          previous_secret_sealed = null, previous_secret_until = null, headers_sealed = null
      where id = ${endpoint.id} and deleted_at is null`
    await cancelDeliveries(context, [endpoint.id])
  })
