import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { EventType } from '../../../outbox/events.ts'
import { asksFor } from '../../../outbox/sees-all.ts'
import { getEndpoint, writeTestEvent } from '../../events/index.ts'
import { requireUser } from '../../shared/index.ts'

type Input = {
  event: EventType
  endpointId?: string | undefined
  /** The invented data of the event, in the form that the schema of this event type requires. */
  data: unknown
}

/**
 * Sends an event with invented data and `test: true` to the caller's own endpoints. The event is
 * signed and retried like other events. No other user gets the event, not even an administrator.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `not_found` for another user's endpoint;
 *   `conflict` if the endpoint is not active, or if no active endpoint subscribes to the type
 */
export const sendTestEvent = (ctx: Context, input: Input) =>
  withTransaction(ctx, async (ctx) => {
    const { userId } = requireUser(ctx)
    const endpoints = await endpointsFor(ctx, userId, input)
    const { id, created } = await writeTestEvent(ctx, input, userId, endpoints)
    return { id, event: input.event, created, endpoints }
  })

const endpointsFor = async (
  ctx: Context,
  userId: string,
  { event, endpointId }: Input,
): Promise<string[]> => {
  if (endpointId !== undefined) await getEndpoint(ctx, endpointId)
  const rows = await ctx.sql<{ id: string }[]>`
    select id from webhook_endpoint endpoint
    where user_id = ${userId} and status = 'active' and deleted_at is null
      and ${endpointId === undefined ? asksFor(ctx.sql, event) : ctx.sql`id = ${endpointId}`}
    order by id`
  if (rows.length > 0) return rows.map(({ id }) => id)
  throw new DomainError(
    'conflict',
    endpointId === undefined
      ? `None of your active webhook endpoints asks for ${event}.`
      : 'This webhook endpoint is not active, or not yours.',
  )
}
