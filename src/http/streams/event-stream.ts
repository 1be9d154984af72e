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
  /** How often it is asked whether the caller may still listen. */
  checkMs: number
  /** Bytes that wait for a consumer; with more, the stream is cut. */
  maxQueuedBytes: number
}

export type StreamRequest = {
  ctx: Context
  filter: EventFilter
  after: Position
  /** Rejects once the caller may not listen any more. */
  check: () => Promise<void>
}

type StreamPorts = {
  tail: EventTail
  limits: StreamLimits
  /** Ends the connection at once, with all that waits for it. */
  cut: () => void
  /** Called once, when nothing of the stream is left. */
  onEnd: () => void
}

type RunningStream = { body: ReadableStream<Uint8Array>; end(reason: string): void }

/** So little that a consumer who is behind reads from the database, not from memory. */
const AHEAD_BYTES = 16_384
const PAGE = 50
/** What a stream holds of the past while its consumer takes nothing, unless one event is longer. */
const PAGE_BYTES = 262_144
/** After that many events that came while it read the past, it reads the past further instead. */
const MAX_HELD = 1_000
/** Clients of a process that ends come back at different moments. */
const RETRY_MS = 1_000
const RETRY_SPREAD_MS = 4_000
const LINGER_MS = 10_000

/**
 * The events of one caller as they happen, resumed from a position without gap or double: the past
 * by pages of the feed, as fast as the consumer takes them, then the new events of the tail.
 */
export const openStream = (request: StreamRequest, ports: StreamPorts): RunningStream => {
  const { ctx, filter } = request
  const { tail, limits } = ports
  let position = request.after
  /** New events that arrived while past ones were still read, and whether some were dropped. */
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
    // Cuts off a consumer that does not read the rest.
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

  /** The past, until a page that was read while the tail was listened to finds nothing more. */
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
        // One event may be larger than the limit, because the buffer was nearly empty.
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
    // Once live, the position follows the tail, past events that the filter dropped.
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
