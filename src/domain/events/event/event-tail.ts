import type { Context } from '../../../db/context.ts'
import { messageOf } from '../../../kernel/errors.ts'
import type { EventType } from '../../../outbox/events.ts'
import { BEGINNING, laterOf, type Position, startOf } from './position.ts'
import { feedHorizon, horizonOf } from './read-feed.ts'

/** A new event. All listeners that may see the event share one object. */
export type TailedEvent = {
  position: Position
  type: EventType
  campaignId: string | null
  body: string
}

type Listener = {
  /** The user whose events the listener gets; null gives an administrator all events. */
  userId: string | null
  /** Receives each batch of events, in order. Must neither block nor throw. */
  take(events: readonly TailedEvent[]): void
}

/** Reads the newest events once for all live streams of a process. */
export type EventTail = {
  /**
   * Adds a listener, which then gets all events of transactions that end after the promise
   * resolves. The listener must read older events itself. The returned function removes the
   * listener.
   */
  attach(listener: Listener): Promise<() => void>
  /** Returns the position in the event feed up to which the listeners have received all events. */
  position(): Position
  /** Ends without waiting for a running query, so shutdown cannot hang on the database. */
  stop(): void
}

const INTERVAL_MS = 500
const BATCH = 500

type Row = {
  horizon: string
  tx: string | null
  seq: string
  type: EventType
  campaignId: string | null
  audience: string[]
  body: string
}

/**
 * Polls once per interval for all listeners together, and only while there are listeners. If a poll
 * fails, the next poll reads from the same position, so no event is skipped.
 */
export const createEventTail = ({
  ctx,
  intervalMs = INTERVAL_MS,
}: {
  ctx: Context
  intervalMs?: number
}): EventTail => {
  const byUser = new Map<string | null, Set<Listener>>()
  let position = BEGINNING
  let running = false
  let starting: Promise<void> | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let reading = false

  const readBatch = async (): Promise<boolean> => {
    const rows = await read(ctx, position)
    const batches = new Map<Listener, TailedEvent[]>()
    let last: Position | undefined
    for (const { tx, seq, type, campaignId, audience, body } of rows) {
      if (tx === null) continue
      last = { tx: BigInt(tx), seq: BigInt(seq) }
      const event: TailedEvent = { position: last, type, campaignId, body }
      for (const whose of new Set([...audience, null])) {
        for (const listener of byUser.get(whose) ?? []) {
          const events = batches.get(listener)
          if (events) events.push(event)
          else batches.set(listener, [event])
        }
      }
    }
    const full = rows.length === BATCH && last !== undefined
    const horizon = startOf(BigInt(rows[0]?.horizon ?? 0))
    position = full && last ? last : laterOf(position, horizon)
    for (const [listener, events] of batches) listener.take(events)
    return full
  }

  const look = async (): Promise<void> => {
    try {
      while ((await readBatch()) && running && !stopped);
    } catch (error) {
      if (!stopped) {
        ctx.log.warn({ reason: messageOf(error) }, 'the event feed could not be read')
      }
    } finally {
      reading = false
      schedule()
    }
  }

  /** Reads new events, unless a read is running: its end schedules the next read. */
  const lookOnce = (): void => {
    if (!running || stopped || reading) return
    reading = true
    void look()
  }

  /** Starts after the newest events, because each listener reads older events itself. */
  const begin = async (): Promise<void> => {
    try {
      position = startOf(await feedHorizon(ctx))
      running = byUser.size > 0
    } finally {
      starting = undefined
    }
    schedule()
  }

  const schedule = (): void => {
    clearTimeout(timer)
    if (!running || stopped) return
    timer = setTimeout(lookOnce, intervalMs)
    timer.unref()
  }

  return {
    async attach(listener) {
      const listeners = byUser.get(listener.userId) ?? new Set()
      byUser.set(listener.userId, listeners.add(listener))
      try {
        if (!running) starting ??= begin()
        await starting
      } catch (error) {
        detach(listener)
        throw error
      }
      return () => detach(listener)
    },
    position: () => position,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }

  function detach(listener: Listener): void {
    const listeners = byUser.get(listener.userId)
    listeners?.delete(listener)
    if (listeners?.size === 0) byUser.delete(listener.userId)
    if (byUser.size > 0) return
    running = false
    clearTimeout(timer)
  }
}

const read = ({ sql }: Context, after: Position): Promise<Row[]> => sql<Row[]>`
  with horizon as materialized (select ${horizonOf(sql)} as tx)
  select horizon.tx::text as horizon, fresh.tx::text as tx, fresh.seq::text as seq, fresh.type,
         fresh.campaign_id, fresh.audience, fresh.body
  from horizon left join (
    select tx, seq, type, campaign_id, audience, event.body from event
    where (tx, seq) > (${String(after.tx)}::text::xid8, ${String(after.seq)}::text::bigint)
      and tx < (select tx from horizon) and not test
    order by tx, seq limit ${BATCH}
  ) fresh on true
  order by fresh.tx, fresh.seq`
