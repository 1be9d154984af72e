import type { Context } from '../../domain/context.ts'
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
} from '../../domain/event/index.ts'
import { isAdmin } from '../../kernel/actor.ts'
import { DomainError, messageOf } from '../../kernel/errors.ts'
import { commentFrame, eventFrame, markFrame, openingFrame } from './frames.ts'

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

type RunningStream = { body: ReadableStream<Uint8Array>; end(reason: string): void }

/** To save memory, reads past events only while fewer than this many bytes wait for the client. */
const AHEAD_BYTES = 16_384
const PAGE = 50
/** The most bytes of past events that one read returns. An event above this size is read alone. */
const PAGE_BYTES = 262_144
/** The most new events that wait in memory. If more arrive, they are read as past events later. */
const MAX_HELD = 1_000
/** Clients reconnect after this time plus a random time, so that not all reconnect together. */
const RETRY_MS = 1_000
const RETRY_SPREAD_MS = 4_000
const LINGER_MS = 10_000

/**
 * Sends a caller the events after a position, without gaps or duplicates. First reads past events
 * in pages, as fast as the client takes them. Then sends each new event when it happens.
 */
export const openStream = (request: StreamRequest, ports: StreamPorts): RunningStream => {
  const { ctx, filter } = request
  const { tail, limits } = ports
  let position = request.after
  /** New events that wait while past events are read. `lost`: whether such events were dropped. */
  let held: TailedEvent[] | undefined
  let lost = false
  let detach: (() => void) | undefined
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let makeRoom: (() => void) | undefined
  let ended = false
  const timers: NodeJS.Timeout[] = []

  const queuedBytes = (): number => AHEAD_BYTES - (controller?.desiredSize ?? AHEAD_BYTES)

  const finish = (): boolean => {
    if (ended) return false
    ended = true
    for (const timer of timers) clearInterval(timer)
    detach?.()
    makeRoom?.()
    ports.onEnd()
    return true
  }

  const end = (reason: string): void => {
    if (!finish()) return
    controller?.enqueue(commentFrame(reason))
    controller?.close()
    // Closes the connection after `LINGER_MS`, even if the client has not read all bytes.
    setTimeout(ports.cut, LINGER_MS).unref()
  }

  const cut = (reason: string): void => {
    if (!finish()) return
    ctx.log.info({ reason }, 'an event stream was cut')
    ports.cut()
    controller?.close()
  }

  const send = (frame: Uint8Array): void => {
    const queued = queuedBytes()
    if (queued > 0 && queued + frame.byteLength > limits.maxQueuedBytes) {
      cut('the consumer is too slow')
    } else controller?.enqueue(frame)
  }

  const room = async (): Promise<void> => {
    if (ended || queuedBytes() < AHEAD_BYTES) return
    await new Promise<void>((resolve) => {
      makeRoom = resolve
    })
  }

  const tell = (events: readonly TailedEvent[]): void => {
    for (const event of events) {
      if (ended) return
      if (!isAfter(event.position, position)) continue
      position = event.position
      if (passes(filter, event)) send(eventFrame(event))
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
    if (ended) detachNow()
    else detach = detachNow
  }

  /** Sends past events until only new events are left, then sends the new events that waited. */
  const catchUp = async (): Promise<void> => {
    while (!ended) {
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
        if (ended) return
        // Does not use `send`, which may cut the stream because of an event above `maxQueuedBytes`.
        controller?.enqueue(eventFrame(item))
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
    send(markFrame(live ? laterOf(position, tail.position()) : position, 'still here'))
  }

  const check = (): void => {
    request.check().catch((error: unknown) => {
      if (error instanceof DomainError && error.code !== 'unavailable') end(error.message)
      else ctx.log.warn({ reason: messageOf(error) }, 'event stream authorisation check failed')
    })
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(made) {
        controller = made
        timers.push(setInterval(beat, limits.heartbeatMs), setInterval(check, limits.checkMs))
        made.enqueue(openingFrame(position, RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)))
        catchUp().catch((error: unknown) => {
          ctx.log.warn({ reason: messageOf(error) }, 'an event stream failed')
          end('an error occurred: connect again')
        })
      },
      pull() {
        makeRoom?.()
        makeRoom = undefined
      },
      cancel() {
        finish()
      },
    },
    { highWaterMark: AHEAD_BYTES, size: (frame) => frame.byteLength },
  )
  return { body, end }
}

const userOf = ({ actor }: Context): string => {
  if (actor.kind === 'user') return actor.userId
  throw new DomainError('unauthenticated', 'Sign in first.')
}
