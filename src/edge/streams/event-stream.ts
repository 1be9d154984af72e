import type { Context } from '../../db/context.ts'
import {
  type EventFilter,
  type EventTail,
  isAfter,
  laterOf,
  type Position,
  passes,
  readFeed,
  startOf,
  type TailedEvent,
} from '../../domain/events/index.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { DomainError, messageOf } from '../../kernel/errors.ts'
import { eventFrame, markFrame, openingFrame } from './frames.ts'
import { openPushStream, type PushStream } from './push-stream.ts'

export type StreamLimits = {
  heartbeatMs: number
  /** The pause between checks whether the caller may still read the events. */
  checkMs: number
  /** The most bytes that may wait for a client. If more bytes wait, the stream is closed. */
  maxQueuedBytes: number
}

export type StreamRequest = {
  ctx: Context
  filter: EventFilter
  after: Position
  /** Rejects if the caller may no longer read the events. */
  check: () => Promise<void>
}

type StreamPorts = {
  tail: EventTail
  limits: StreamLimits
  /** Closes the connection at once and drops the bytes that wait for the client. */
  cut: () => void
  /** Called once, when the stream has ended. */
  onEnd: () => void
}

const PAGE = 50
/** The most bytes of past events that one read returns. An event above this size is read alone. */
const PAGE_BYTES = 262_144
/** The most new events that wait in memory. If more arrive, they are read as past events later. */
const MAX_HELD = 1_000

/**
 * Sends a caller the events after a position, without gaps or duplicates. First reads past events
 * in pages, as fast as the client takes them. Then sends each new event when it happens.
 */
export const openStream = (request: StreamRequest, ports: StreamPorts): PushStream => {
  const { ctx, filter } = request
  const { tail, limits } = ports
  let position = request.after
  /** New events that wait while past events are read. `lost`: whether such events were dropped. */
  let held: TailedEvent[] | undefined
  let lost = false
  let detach: (() => void) | undefined
  let makeRoom: (() => void) | undefined
  const timers: NodeJS.Timeout[] = []

  const stream = openPushStream({
    log: ctx.log,
    maxQueuedBytes: limits.maxQueuedBytes,
    cut: ports.cut,
    onRoom() {
      makeRoom?.()
      makeRoom = undefined
    },
    onEnd() {
      for (const timer of timers) clearInterval(timer)
      detach?.()
      makeRoom?.()
      ports.onEnd()
    },
  })

  const room = async (): Promise<void> => {
    if (stream.hasEnded() || stream.hasRoom()) return
    await new Promise<void>((resolve) => {
      makeRoom = resolve
    })
  }

  const tell = (events: readonly TailedEvent[]): void => {
    for (const event of events) {
      if (stream.hasEnded()) return
      if (!isAfter(event.position, position)) continue
      position = event.position
      if (passes(filter, event)) stream.send(eventFrame(event))
    }
  }

  const take = (events: readonly TailedEvent[]): void => {
    if (held === undefined) {
      tell(events)
      return
    }
    held.push(...events)
    if (held.length <= MAX_HELD) return
    held = []
    lost = true
  }

  const attach = async (): Promise<void> => {
    detach?.()
    detach = undefined
    held = []
    lost = false
    const userId = isAdmin(ctx.actor) ? null : userOf(ctx)
    const detachNow = await tail.attach({ userId, take })
    if (stream.hasEnded()) detachNow()
    else detach = detachNow
  }

  /** Sends past events until only new events are left, then sends the new events that waited. */
  const catchUp = async (): Promise<void> => {
    while (!stream.hasEnded()) {
      await room()
      const attached = detach !== undefined
      const page = await readFeed(ctx, {
        after: position,
        filter,
        limit: PAGE,
        maxBytes: PAGE_BYTES,
      })
      for (const item of page.items) {
        await room()
        if (stream.hasEnded()) return
        // `send` may cut the stream because of an event above `maxQueuedBytes`.
        stream.sendAnyway(eventFrame(item))
        position = item.position
      }
      position = page.next
      if (page.hasMore) continue
      if (attached && !lost) {
        position = laterOf(position, startOf(page.horizon))
        break
      }
      await attach()
    }
    const waiting = held ?? []
    held = undefined
    tell(waiting)
  }

  const beat = (): void => {
    // After all past events, the position also moves past new events that the filter leaves out.
    const live = held === undefined && detach !== undefined
    stream.send(markFrame(live ? laterOf(position, tail.position()) : position, 'still here'))
  }

  const check = (): void => {
    request.check().catch((error: unknown) => {
      if (error instanceof DomainError && error.code !== 'unavailable') stream.end(error.message)
      else ctx.log.warn({ reason: messageOf(error) }, 'event stream authorisation check failed')
    })
  }

  timers.push(setInterval(beat, limits.heartbeatMs), setInterval(check, limits.checkMs))
  stream.send(openingFrame(position))
  catchUp().catch((error: unknown) => {
    ctx.log.warn({ reason: messageOf(error) }, 'an event stream failed')
    stream.end('an error occurred: connect again')
  })
  return stream
}

const userOf = ({ actor }: Context): string => {
  if (actor.kind === 'user') return actor.userId
  throw new DomainError('unauthenticated', 'Sign in first.')
}
