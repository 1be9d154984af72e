import type { Part, Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { firstIdOf } from '../../../kernel/formats/ids.ts'
import type { EventType } from '../../../outbox/events.ts'
import { requireUser } from '../../shared/index.ts'
import { type EventFilter, isUnfiltered } from './filter.ts'
import { BEGINNING, type Position } from './position.ts'

/** An event of the feed. `body` is exactly the text that a webhook sends for this event. */
type FeedItem = { position: Position; type: EventType; body: string }

type FeedPage = {
  items: FeedItem[]
  /** The position after all scanned events. The next page begins at this position. */
  next: Position
  /** Whether there are more events to scan. With a filter, a page may have few events or none. */
  hasMore: boolean
  /** All events of transactions with a number below this number are already in the feed. */
  horizon: bigint
}

type FeedQuery = {
  after: Position
  filter: EventFilter
  /** Leaves out events that were created before this time. */
  since?: Date | undefined
  limit: number
  /** The largest size of a page in bytes. A first event that is larger is still returned, alone. */
  maxBytes?: number
}

/** A page with a filter searches at most this many events of the caller. */
const MAX_SCANNED = 2_000
const MAX_PAGE_BYTES = 800_000

type Row = {
  scanned: number
  found: number
  lastTx: string | null
  lastSeq: string | null
  horizon: string
  nextTx: string
  tx: string | null
  seq: string
  type: EventType
  body: string
}

/**
 * Reads the caller's events after a position, or all events for an administrator, in the order of
 * their transaction's number. An event is returned only when all earlier transactions have ended,
 * so that a reader misses no event. A long transaction therefore delays the feed.
 *
 * @throws DomainError `unauthenticated` if anonymous, `invalid_cursor` if `after` is in the future
 */
export const readFeed = async (ctx: Context, query: FeedQuery): Promise<FeedPage> => {
  const { sql } = ctx
  const { after, filter, since, limit, maxBytes = MAX_PAGE_BYTES } = query
  const scan = isUnfiltered(filter) && since === undefined ? limit + 1 : MAX_SCANNED
  const position = sql`(${String(after.tx)}::text::xid8, ${String(after.seq)}::text::bigint)`
  const rows = await sql<Row[]>`
    with horizon as materialized (
      select ${horizonOf(sql)} as tx, pg_snapshot_xmax(pg_current_snapshot()) as next_tx),
    scanned as materialized (
      select tx, seq from ${sourceFor(ctx)}
        and (tx, seq) > ${position} and tx < (select tx from horizon)
      order by tx, seq limit ${scan}
    ),
    found as (
      select *, sum(octet_length(body)) over (order by tx, seq) as bytes
      from (
        select scanned.tx, scanned.seq, event.type, event.body
        from scanned join event on event.seq = scanned.seq
        where true
          ${filter.event ? sql`and event.type = any(${[...filter.event]}::text[])` : sql``}
          ${filter.campaignId ? sql`and event.campaign_id = ${filter.campaignId}` : sql``}
          ${since ? sql`and event.created_at >= ${since}` : sql``}
        order by scanned.tx, scanned.seq limit ${limit + 1}
      ) event
    ),
    last as (select tx, seq from scanned order by tx desc, seq desc limit 1)
    select (select count(*)::int from scanned) as scanned,
           (select count(*)::int from found) as found, last.tx::text as last_tx,
           last.seq::text as last_seq, horizon.tx::text as horizon,
           horizon.next_tx::text as next_tx,
           found.tx::text as tx, found.seq::text as seq, found.type, found.body
    from horizon left join last on true
      left join found on found.bytes <= ${maxBytes} or found.bytes = octet_length(found.body)
    order by found.tx, found.seq`
  const items = rows.flatMap(({ tx, seq, type, body }) =>
    tx === null ? [] : [{ position: { tx: BigInt(tx), seq: BigInt(seq) }, type, body }],
  )
  const edge = rows[0]
  const horizon = BigInt(edge?.horizon ?? 0)
  refuseFuture(after, BigInt(edge?.nextTx ?? 0))
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  if ((edge?.found ?? 0) > shown.length && last) {
    return { items: shown, next: last.position, hasMore: true, horizon }
  }
  const scanned = edge?.lastTx ? { tx: BigInt(edge.lastTx), seq: BigInt(edge.lastSeq ?? 0) } : after
  return { items, next: scanned, hasMore: (edge?.scanned ?? 0) >= scan, horizon }
}

const sourceFor = (ctx: Context) =>
  isAdmin(ctx.actor)
    ? ctx.sql`event where not test`
    : ctx.sql`event_audience where user_id = ${requireUser(ctx).userId}`

/**
 * SQL for the number of the oldest transaction that may still write an event. A query with this
 * SQL sees all events of transactions with lower numbers. Ignores sessions on other databases. The
 * result can be too low for a moment, but never too high.
 */
export const horizonOf = (sql: Queryable): Part => sql`(
  select coalesce(min(running.tx), pg_snapshot_xmax(pg_current_snapshot()))
  from pg_snapshot_xip(pg_current_snapshot()) as running (tx)
  where not exists (
    select from pg_stat_get_activity(null) session
    where session.backend_xid = running.tx::xid
      and session.datid <> (select oid from pg_database where datname = current_database())))`

/** Returns the lowest transaction number that a future event can have. */
export const feedHorizon = async ({ sql }: Context): Promise<bigint> => {
  const [row] = await sql<{ horizon: string }[]>`
    select ${horizonOf(sql)}::text as horizon`
  return BigInt(row?.horizon ?? 0)
}

/** The longest time from a transaction's start to its events, including differences of clocks. */
const SLACK_MS = 300_000

/**
 * Returns a position before all events that were created at or after `time`. Searches `SLACK_MS`
 * earlier, because a transaction may get its number long before it creates an event. Compares
 * event ids, because an id begins with the time of creation.
 */
export const positionBefore = async ({ sql }: Context, time: Date): Promise<Position> => {
  const [row] = await sql<{ tx: string; seq: string }[]>`
    select tx::text as tx, seq::text as seq from event
    where id < ${firstIdOf(time.getTime() - SLACK_MS)} order by id desc limit 1`
  return row ? { tx: BigInt(row.tx), seq: BigInt(row.seq) } : BEGINNING
}

/**
 * Returns `position`, but refuses a position that this database cannot have returned before.
 *
 * @throws DomainError `invalid_cursor` for a position after all transactions of this database
 */
export const knownPosition = async (ctx: Context, position: Position): Promise<Position> => {
  const [row] = await ctx.sql<{ nextTx: string }[]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next_tx`
  refuseFuture(position, BigInt(row?.nextTx ?? 0))
  return position
}

/** Refuses a cursor in the future, because all events before this cursor would be skipped. */
const refuseFuture = ({ tx }: Position, nextTx: bigint): void => {
  if (tx <= nextTx) return
  throw new DomainError(
    'invalid_cursor',
    'The cursor is from before the database was restored. Start again without a cursor.',
  )
}
