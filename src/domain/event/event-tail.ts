import { messageOf } from '../../kernel/errors.ts'
import type { EventType } from '../../outbox/events.ts'
import type { Context } from '../context.ts'
import { horizonOf } from './horizon.ts'
import { BEGINNING, laterOf, type Position, startOf } from './position.ts'
import { feedHorizon } from './read-feed.ts'

/** An event as the tail tells it, to everybody whom it concerns. */
export type TailedEvent = {
  position: Position
  type: EventType
  campaignId: string | null
  body: string
}

export type Listener = {
  /** Whose events; null for everybody's, as admins see them. */
  userId: string | null
  /** Called with each batch, in order. Must neither wait nor throw. */
  take(events: readonly TailedEvent[]): void
}

/** The newest events, read once for all live streams of a process. */
export type EventTail = {
  /**
   * From when this resolves on, the listener gets all that is written by transactions that had not
   * ended by then. What those before had written is for it to read. Returns what ends it.
   */
  attach(listener: Listener): Promise<() => void>
  /** Everything up to here has been told to those attached. */
  position(): Position
  /** Says that there may be something new: looks at once. */
  poke(): void
  /** Waits for nothing: a database that hangs holds up no end. */
  stop(): void
}

const INTERVAL_MS = 500
const BATCH = 500

type Row = {
  horizon: string
  tx: string | null
  seq: string
  type: EventType
  campaign_id: string | null
  audience: string[]
  body: string
}

/**
 * Asks once in an interval for all listeners together, and not at all while there are none. A
 * database that does not answer is asked again; nothing is skipped.
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
  let reading: Promise<void> | undefined
  let wanted = false

  const readBatch = async (): Promise<boolean> => {
    const rows = await read(ctx, position)
    const told = new Map<Listener, TailedEvent[]>()
    let last: Position | undefined
    for (const { tx, seq, type, campaign_id: campaignId, audience, body } of rows) {
      if (tx === null) continue
      last = { tx: BigInt(tx), seq: BigInt(seq) }
      const event: TailedEvent = { position: last, type, campaignId, body }
      for (const whose of new Set([...audience, null])) {
        for (const listener of byUser.get(whose) ?? []) {
          const events = told.get(listener)
          if (events) events.push(event)
          else told.set(listener, [event])
        }
      }
    }
    const full = rows.length === BATCH && last !== undefined
    const horizon = startOf(BigInt(rows[0]?.horizon ?? 0))
    position = full && last ? last : laterOf(position, horizon)
    for (const [listener, events] of told) listener.take(events)
    return full
  }

  const look = async (): Promise<void> => {
    try {
      do wanted = false
      while (((await readBatch()) || wanted) && running && !stopped)
    } catch (error) {
      if (!stopped) {
        ctx.log.warn({ reason: messageOf(error) }, 'the event feed could not be read')
      }
    } finally {
      reading = undefined
      schedule()
    }
  }

  const poke = (): void => {
    if (!running || stopped) return
    clearTimeout(timer)
    if (reading) wanted = true
    else reading = look()
  }

  /** Nobody has listened for a while: what was written meanwhile is not for those who come now. */
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
    timer = setTimeout(poke, intervalMs)
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
    poke,
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
    select tx, seq, type, campaign_id, audience, body from event
    where (tx, seq) > (${String(after.tx)}::text::xid8, ${String(after.seq)}::text::bigint)
      and tx < (select tx from horizon) and not test
    order by tx, seq limit ${BATCH}
  ) fresh on true
  order by fresh.tx, fresh.seq`
