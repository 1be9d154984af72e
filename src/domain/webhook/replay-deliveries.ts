import { z } from 'zod'
import type { Part } from '../../db/client.ts'
import { onCommit, withTransaction } from '../../db/transaction.ts'
import { newId } from '../../kernel/ids.ts'
import { EVENT_TYPES } from '../../outbox/events.ts'
import { DELIVERED_MS } from '../../outbox/prune.ts'
import type { Context } from '../context.ts'
import { decodeCursor, encodeCursor, type Keyset } from '../page.ts'
import { unpackDelivered } from './delivered.ts'
import { deliveredAtOnce, joinedEvent, wasDeliveredAtOnce } from './delivery-sources.ts'
import { type OwnEndpoint, ownOpenEndpoint, stillGets } from './own-endpoint.ts'

const REPLAYABLE = ['exhausted', 'cancelled', 'delivered'] as const

export const ReplayDeliveries = z.object({
  since: z.iso.datetime({ offset: true }),
  until: z.iso.datetime({ offset: true }).optional(),
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length).optional(),
  status: z.array(z.enum(REPLAYABLE)).min(1).default(['exhausted', 'cancelled']),
  includeUndelivered: z.boolean().default(false).meta({
    description:
      'Also events that this endpoint would get now and for which it never had a delivery.',
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Only count.' }),
  cursor: z.string().min(1).max(200).optional().meta({
    description: 'Of the answer before, where it told of more.',
  }),
})
export type ReplayDeliveries = z.output<typeof ReplayDeliveries>

export type Replay = {
  dryRun: boolean
  /** Deliveries that were asked for, this call's included. */
  deliveries: number
  /** Events without a delivery that were asked for, this call's included. */
  undelivered: number
  /** What this call has made due. */
  replayed: number
  /** What is left for further calls. */
  remaining: number
  /** To go on with while something remains. */
  nextCursor: string | null
}

/** What one call sends again at most: one statement each, in one transaction. */
export const MAX_REPLAY = 10_000

type Asked = { endpoint: OwnEndpoint; input: ReplayDeliveries; now: Date }

/**
 * Makes everything due again that failed for events since a time, in the order of the events, and
 * where asked for what the endpoint never had: it was created later, or disabled. A dry run counts.
 * At most 10 000 a call; the answer tells how many remain, and a further call goes on.
 *
 * @throws DomainError `unauthenticated`, `not_found`, `invalid_cursor`, `conflict` where the
 *   endpoint is disabled
 */
export const replayDeliveries = (
  context: Context,
  endpointId: string,
  input: ReplayDeliveries,
): Promise<Replay> =>
  withTransaction(context, async (context) => {
    const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
    const endpoint = await ownOpenEndpoint(context, endpointId)
    const asked = { endpoint, input, now: context.clock.now() }
    const missed = chooseEvents(context, asked)
    const { deliveries, ids } = await choose(context, chooseDeliveries(context, asked, after))
    const undelivered = input.includeUndelivered ? await countOf(context, missed) : 0
    const { dryRun } = input
    const total = deliveries + undelivered
    if (dryRun) {
      return { dryRun, deliveries, undelivered, replayed: 0, remaining: total, nextCursor: null }
    }
    const again = await sendAgain(context, asked, ids)
    const room = MAX_REPLAY - again.count
    const first = undelivered > 0 && room > 0 ? await sendFirst(context, asked, missed, room) : 0
    const replayed = again.count + first
    if (replayed > 0) onCommit(context, () => context.wake('deliveries'))
    const remaining = Math.max(0, total - replayed)
    const nextCursor = remaining > 0 && again.last ? encodeCursor(again.last) : null
    return { dryRun, deliveries, undelivered, replayed, remaining, nextCursor }
  })

const chooseDeliveries = (
  { sql }: Context,
  { endpoint, input, now }: Asked,
  after: Keyset | undefined,
) => {
  const since = new Date(input.since)
  // A delivery is never older than its event: the first bound is what the index reads by.
  const of = (deliveries: Part) => sql`
    select delivery.id, delivery.created_at
    from ${deliveries} delivery ${joinedEvent(sql)}
    where delivery.endpoint_id = ${endpoint.id} and delivery.created_at >= ${since}
      and event.created_at >= ${since} and delivery.status = any(${input.status}::text[])
      and ${stillGets(sql, endpoint)}
      ${input.until ? sql`and event.created_at < ${new Date(input.until)}` : sql``}
      ${input.events ? sql`and event.type = any(${input.events}::text[])` : sql``}
      ${after ? isAfter(sql, after) : sql``}`
  return input.status.includes('delivered')
    ? sql`${of(sql`webhook_delivery`)} union all
          ${of(deliveredAtOnce(sql))} and event.created_at > ${oldestOf(now)}`
    : of(sql`webhook_delivery`)
}

/** The first condition says less, and is one that each table can be read by. */
const isAfter = (sql: Context['sql'], { createdAt, id }: Keyset) => sql`
  and delivery.created_at >= ${createdAt}
  and (delivery.created_at, delivery.id) > (${createdAt}, ${id})`

/** Rows are made for newer events only: older ones may be removed in the same moment. */
const oldestOf = (now: Date): Date => new Date(now.getTime() - DELIVERED_MS)

/** Relayed without this endpoint, though it would get them now; not those on their first way to it. */
const chooseEvents = ({ sql }: Context, { endpoint, input, now }: Asked) => {
  const types = (input.events ?? endpoint.events).filter((type) => endpoint.events.includes(type))
  return sql`
    select event.id, event.seq, event.campaign_id
    from event
    ${
      endpoint.sees_all
        ? sql``
        : sql`join event_audience on event_audience.seq = event.seq
              and event_audience.user_id = ${endpoint.user_id}`
    }
    where event.created_at >= ${new Date(input.since)} and event.relayed_at is not null
      and event.created_at > ${oldestOf(now)}
      and not event.test and event.type = any(${types}::text[])
      ${input.until ? sql`and event.created_at < ${new Date(input.until)}` : sql``}
      and not exists (
        select from webhook_delivery delivery
        where delivery.event_id = event.id and delivery.endpoint_id = ${endpoint.id})
      and not ${wasDeliveredAtOnce(sql, sql`${endpoint.id}`)}
      and event.id not in (
        select event_id from webhook_handover, unnest(event_ids, endpoint_ids) as handed (event_id, endpoint_id)
        where endpoint_id = ${endpoint.id})`
}

type Choice = ReturnType<typeof chooseDeliveries>

const countOf = async ({ sql }: Context, choice: Choice): Promise<number> => {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::int as count from (${choice}) chosen`
  return row?.count ?? 0
}

/** How many there are, and the first of them, as many as one call sends again: found in one go. */
const choose = async ({ sql }: Context, choice: Choice) => {
  const rows = await sql<{ id: string; count: number }[]>`
    with chosen as materialized (${choice})
    select id, (select count(*)::int from chosen) as count
    from chosen order by created_at, id limit ${MAX_REPLAY}`
  return { deliveries: rows[0]?.count ?? 0, ids: rows.map(({ id }) => id) }
}

const sendAgain = async (
  context: Context,
  { endpoint, input, now }: Asked,
  ids: readonly string[],
) => {
  const { sql } = context
  if (input.status.includes('delivered')) await unpackDelivered(context, endpoint.id, ids)
  const rows = await sql<{ id: string; created_at: Date }[]>`
    update webhook_delivery delivery
    set status = 'pending', schedule_attempts = 0, next_attempt_at = ${now}, delivered_at = null,
        lease = null, lease_until = null
    where delivery.id = any(${[...ids]}::uuid[]) and delivery.status = any(${input.status}::text[])
    returning delivery.id, delivery.created_at`
  const last = rows
    .map(({ id, created_at: createdAt }) => ({ id, createdAt }))
    .toSorted(
      (one, other) =>
        Number(one.createdAt) - Number(other.createdAt) || (one.id < other.id ? -1 : 1),
    )
    .at(-1)
  return { count: rows.length, last }
}

const sendFirst = async (
  { sql }: Context,
  { endpoint, now }: Asked,
  choice: Choice,
  limit: number,
): Promise<number> => {
  const events = await sql<{ id: string; seq: number; campaign_id: string | null }[]>`
    select id, seq, campaign_id from (${choice}) chosen order by seq limit ${limit}`
  const rows = events.map(({ id, seq, campaign_id }) => ({
    id: newId(now.getTime()),
    event_id: id,
    event_seq: seq,
    campaign_id,
  }))
  const made = await sql`
    insert into webhook_delivery (id, event_id, endpoint_id, event_seq, campaign_id,
                                  next_attempt_at, created_at)
    select id, event_id, ${endpoint.id}, event_seq, campaign_id, ${now}, ${now}
    from jsonb_to_recordset(${sql.json(rows)})
      as row (id uuid, event_id uuid, event_seq bigint, campaign_id uuid)
    on conflict (event_id, endpoint_id) do nothing`
  return made.count
}
