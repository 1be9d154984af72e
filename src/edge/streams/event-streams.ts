import type { EventTail } from '../../domain/events/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Metrics } from '../../kernel/ports/metrics.ts'
import type { AnswerStream } from '../answer/outcome.ts'
import { siteOf } from '../request/client-address.ts'
import { openStream, type StreamLimits, type StreamRequest } from './event-stream.ts'
import { createSlots } from './slots.ts'

export type EventStreamOptions = {
  tail: EventTail
  metrics: Metrics
  maxPerUser?: number
  maxPerAddress?: number
  maxPerProcess?: number
} & Partial<StreamLimits>

/** The user of a stream, and the network of the client. */
type Listener = { userId: string; address: string }

/** The open event streams of one process. */
export type EventStreams = {
  /**
   * Takes a slot for a stream. The caller must either open or discard the stream.
   *
   * @throws DomainError `too_many_streams` if the user or the network has too many streams;
   *   `unavailable` if the process has too many streams or is stopping
   */
  prepare(listener: Listener, request: StreamRequest): AnswerStream
  /** Ends all streams. Clients reconnect to another process, or to this process after a restart. */
  stop(): void
}

const MAX_PER_USER = 10
/** The limit per network is needed, because one client can register many accounts. */
const MAX_PER_ADDRESS = 50
const MAX_PER_PROCESS = 1_000

export const createEventStreams = (options: EventStreamOptions): EventStreams => {
  const { tail, metrics, maxPerUser = MAX_PER_USER, maxPerProcess = MAX_PER_PROCESS } = options
  const { maxPerAddress = MAX_PER_ADDRESS } = options
  const { heartbeatMs = 15_000, checkMs = 5_000, maxQueuedBytes = 262_144 } = options
  const limits: StreamLimits = { heartbeatMs, checkMs, maxQueuedBytes }
  const slots = createSlots({
    what: 'event streams',
    max: maxPerProcess,
    onChange: (taken) => metrics.gauge('fundproof_event_streams_open', {}, taken),
  })
  const running = new Set<{ end(reason: string): void }>()
  let stopped = false

  return {
    prepare({ userId, address }, request) {
      if (stopped) throw new DomainError('unavailable', 'This process is stopping.')
      const giveSlot = slots.take([
        { name: 'An account', key: `user:${userId}`, max: maxPerUser },
        { name: 'A network', key: `address:${siteOf(address)}`, max: maxPerAddress },
      ])
      return {
        open(cut) {
          const stream = openStream(request, {
            tail,
            limits,
            cut,
            onEnd() {
              running.delete(stream)
              giveSlot()
            },
          })
          running.add(stream)
          if (stopped) stream.end('stopping')
          return stream.body
        },
        discard: giveSlot,
      }
    },
    stop() {
      stopped = true
      for (const stream of running) stream.end('stopping')
      tail.stop()
    },
  }
}
