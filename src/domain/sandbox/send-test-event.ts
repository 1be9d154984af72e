import { onCommit, withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type EventType, eventData } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { getEndpoint } from '../webhook/index.ts'

export type TestEvent = { id: string; type: EventType; created: Date; endpoints: string[] }

type Input = {
  type: EventType
  endpointId?: string | undefined
  /** What such an event carries; checked against the catalogue. */
  data: unknown
}

/**
 * Sends an event that never happened to the caller's own endpoints, with `test: true` in its
 * envelope, signed and retried as any other. It concerns nobody else, admins included.
 *
 * @throws DomainError `unauthenticated`, `not_found` for another's endpoint, `conflict` when none is
 *   active or asked for the type
 */
export const sendTestEvent = (ctx: Context, input: Input): Promise<TestEvent> =>
  withTransaction(ctx, async (ctx) => {
    const { sql, actor, clock, requestId } = ctx
    if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
    const data = eventData[input.type].parse(input.data)
    const endpoints = await endpointsFor(ctx, actor.userId, input)
    const now = clock.now()
    const id = newId(now.getTime())
    const body = JSON.stringify({
      id,
      event: input.type,
      created: now.toISOString(),
      test: true,
      data,
    })
    await sql`
      insert into event (id, type, audience, body, request_id, created_at, relayed_at)
      values (${id}, ${input.type}, ${[actor.userId]}::uuid[], ${body}, ${requestId}, ${now}, ${now})`
    const deliveries = endpoints.map((endpoint_id) => ({ id: newId(now.getTime()), endpoint_id }))
    await sql`
      insert into webhook_delivery (id, event_id, endpoint_id, next_attempt_at, created_at)
      select id, ${id}, endpoint_id, ${now}, ${now}
      from jsonb_to_recordset(${sql.json(deliveries)}) as row (id uuid, endpoint_id uuid)`
    onCommit(ctx, () => ctx.wake('deliveries'))
    return { id, type: input.type, created: now, endpoints }
  })

const endpointsFor = async (
  ctx: Context,
  userId: string,
  { type, endpointId }: Input,
): Promise<string[]> => {
  if (endpointId !== undefined) await getEndpoint(ctx, endpointId)
  const rows = await ctx.sql<{ id: string }[]>`
    select id from webhook_endpoint
    where user_id = ${userId} and status = 'active' and deleted_at is null
      and ${endpointId === undefined ? ctx.sql`${type} = any(events)` : ctx.sql`id = ${endpointId}`}
    order by id`
  if (rows.length > 0) return rows.map(({ id }) => id)
  throw new DomainError(
    'conflict',
    endpointId === undefined
      ? `None of your active webhook endpoints asks for ${type}.`
      : 'This webhook endpoint is not active, or not yours.',
  )
}
