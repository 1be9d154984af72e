import { z } from 'zod'
import type { Part } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { onCommit, withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { ALL_EVENTS, EVENT_TYPES } from '../../../outbox/events.ts'
import { decodeCursor, encodeCursor, type Keyset, Moment } from '../../shared/index.ts'
import { type FoundEndpoint, ownOpenEndpoint, stillGets } from '../webhook/get-endpoint.ts'
import { storeDeliveries } from './store-deliveries.ts'

const DAY_MS = 24 * 3_600_000
const REPLAYABLE = ['exhausted', 'cancelled', 'delivered'] as const

export const ReplayDeliveries = z.strictObject({
  since: Moment,
  until: Moment.optional(),
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length).optional(),
  status: z.array(z.enum(REPLAYABLE)).min(1).default(['exhausted', 'cancelled']),
  includeUndelivered: z.boolean().default(false).meta({
    description:
      'Also events that this endpoint would get now and for which it never had a delivery.',
  }),
  dryRun: z.boolean().default(false).describe('Only count the deliveries.'),
  cursor: z.string().min(1).max(200).optional().meta({
    description: 'The `nextCursor` of the previous answer.',
  }),
})
export type ReplayDeliveries = z.output<typeof ReplayDeliveries>

type Replay = {
  dryRun: boolean
  /** The number of all matching deliveries, including the deliveries of this call. */
  deliveries: number
  /** The number of all matching events without a delivery, including the events of this call. */
  undelivered: number
  /** The number of deliveries that this call made due. */
  replayed: number
  /** The number of matching deliveries and events left for further calls. */
  remaining: number
  /** The cursor for the next call; null if the next call needs no cursor. */
  nextCursor: string | null
}

/** The most deliveries per call. A call updates all of them in one transaction. */
const MAX_REPLAY = 10_000

type Asked = { endpoint: FoundEndpoint; input: ReplayDeliveries; now: Date }

/**
 * Makes deliveries of events from `since` on due again, oldest first. With `includeUndelivered`,
 * also sends events for which the endpoint never had a delivery. A dry run only counts. A call
 * handles at most 10 000 deliveries. Call again with `nextCursor` while `remaining` is above 0.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown endpoint,
 *   `invalid_cursor` if the cursor is not from a replay, `conflict` if the endpoint is disabled,
 *   `rate_limited` after REPLAYS_PER_HOUR replays in one hour
 */
export const replayDeliveries = (
  ctx: Context,
  endpointId: string,
  input: ReplayDeliveries,
): Promise<Replay> =>
  withTransaction(ctx, async (ctx) => {
    const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
    const endpoint = await ownOpenEndpoint(ctx, endpointId)
    const asked = { endpoint, input, now: ctx.clock.now() }
    const missed = chooseEvents(ctx, asked)
    const failed = chooseDeliveries(ctx, asked, after)
    const deliveries = await countOf(ctx, failed)
    const undelivered = input.includeUndelivered ? await countOf(ctx, missed) : 0
    const total = deliveries + undelivered
    const counts = { dryRun: input.dryRun, deliveries, undelivered }
    if (input.dryRun) return { ...counts, replayed: 0, remaining: total, nextCursor: null }
    await countReplay(ctx, endpoint.id)
    const { again, last } = await sendAgain(ctx, asked, failed)
    const capacity = MAX_REPLAY - again
    const first =
      undelivered > 0 && capacity > 0 ? await sendFirst(ctx, asked, missed, capacity) : 0
    const replayed = again + first
    if (replayed > 0) onCommit(ctx, () => ctx.wake('deliveries'))
    const remaining = Math.max(0, total - replayed)
    const nextCursor = remaining > 0 && last ? encodeCursor(last) : null
    return { ...counts, replayed, remaining, nextCursor }
  })

const chooseDeliveries = (
  { sql }: Context,
  { endpoint, input }: Asked,
  after: Keyset | undefined,
) => {
  const { since } = input
  // The conditions on `created_at` and `event_type` exclude nothing. They allow an index.
  const half = (ofType: Part) => sql`
    select * from webhook_delivery
    where endpoint_id = ${endpoint.id} and created_at >= ${since} and ${ofType}`
  return sql`
    select delivery.id, delivery.created_at
    from (${half(sql`event_type = 'donation.completed'`)}
      union all ${half(sql`event_type <> 'donation.completed'`)}) delivery
    join event on event.id = delivery.event_id
    where event.created_at >= ${since} and delivery.status = any(${input.status}::text[])
      and ${stillGets(sql, endpoint)}
      ${input.events ? sql`and delivery.event_type = any(${input.events}::text[])` : sql``}
      ${input.until ? sql`and event.created_at < ${input.until}` : sql``}
      ${
        after
          ? sql`and (delivery.created_at, delivery.id) > (${after.createdAt}, ${after.id})`
          : sql``
      }`
}

/** SQL for relayed events that the endpoint would get now, but for which it had no delivery. */
const chooseEvents = ({ sql, settings }: Context, { endpoint, input, now }: Asked) => {
  const asksForAll = endpoint.events.includes(ALL_EVENTS)
  // Deliveries before this time may be deleted at any moment, so nothing shows if they were sent.
  const oldest = new Date(now.getTime() - settings.retention.deliveriesMs + DAY_MS)
  return sql`
    select event.id, event.seq
    from event
    ${
      endpoint.seesAll
        ? sql``
        : sql`join event_audience on event_audience.seq = event.seq
              and event_audience.user_id = ${endpoint.userId}`
    }
    where event.created_at >= ${input.since}
      and not exists (select from unrelayed_event where seq = event.seq)
      and event.created_at > ${oldest}
      and not event.test
      ${asksForAll ? sql`` : sql`and event.type = any(${endpoint.events}::text[])`}
      ${input.events ? sql`and event.type = any(${input.events}::text[])` : sql``}
      ${input.until ? sql`and event.created_at < ${input.until}` : sql``}
      and not exists (
        select from webhook_delivery delivery
        where delivery.event_id = event.id and delivery.endpoint_id = ${endpoint.id})`
}

type Choice = ReturnType<typeof chooseDeliveries>

const countOf = async ({ sql }: Context, choice: Choice): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (${choice}) chosen`
  return row?.count ?? 0
}

/** Makes the oldest chosen deliveries due. Returns their number and the last delivery's key. */
const sendAgain = async (
  { sql }: Context,
  { input, now }: Asked,
  choice: Choice,
): Promise<{ again: number; last: Keyset | undefined }> => {
  const rows = await sql<{ id: string; createdAt: Date }[]>`
    select id, created_at from (${choice}) chosen order by created_at, id limit ${MAX_REPLAY}`
  const updated = await sql`
    update webhook_delivery delivery
    set status = 'pending', schedule_attempts = 0, next_attempt_at = ${now}, delivered_at = null,
        lease = null, lease_until = null
    where delivery.id = any(${rows.map(({ id }) => id)}::uuid[])
      and delivery.status = any(${input.status}::text[])`
  const last = rows.at(-1)
  return { again: updated.count, last: last && { createdAt: last.createdAt, id: last.id } }
}

const sendFirst = async (
  ctx: Context,
  { endpoint: { id: endpointId }, now }: Asked,
  choice: Choice,
  limit: number,
): Promise<number> => {
  const events = await ctx.sql<{ id: string }[]>`
    select id from (${choice}) chosen order by seq limit ${limit}`
  return storeDeliveries(
    ctx,
    events.map(({ id: eventId }) => ({ id: newId(now.getTime()), eventId, endpointId })),
  )
}

/** At most this many replays per endpoint and hour. Dry runs do not count. */
const REPLAYS_PER_HOUR = 20

/**
 * Counts a replay. The limit protects receivers from endless requests.
 *
 * @throws DomainError `rate_limited` if the endpoint had REPLAYS_PER_HOUR replays in this hour
 */
const countReplay = async ({ sql }: Context, endpointId: string): Promise<void> => {
  const [row] = await sql<{ replays: number }[]>`
    update webhook_endpoint
    set replay_hour = date_trunc('hour', now()),
        replays = case when replay_hour = date_trunc('hour', now()) then replays + 1 else 1 end
    where id = ${endpointId}
    returning replays`
  if ((row?.replays ?? 0) <= REPLAYS_PER_HOUR) return
  throw new DomainError(
    'rate_limited',
    `An endpoint allows ${REPLAYS_PER_HOUR} replays an hour. Try again in the next hour.`,
  )
}
