import type { EventTail } from '../../domain/event/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { AnswerStream } from '../answer-stream.ts'
import { openStream, type StreamLimits, type StreamRequest } from './event-stream.ts'

export type EventStreamOptions = {
  tail: EventTail
  metrics: Metrics
  maxPerUser?: number
  maxPerProcess?: number
} & Partial<StreamLimits>

/** The live streams of one process. */
export type EventStreams = {
  /**
   * Takes a place for a stream; the edge opens it, or gives the place back.
   *
   * @throws DomainError `too_many_streams`, `unavailable`
   */
  prepare(userId: string, request: StreamRequest): AnswerStream
  /** Ends all of them: their clients come back to another process, or to the next one. */
  stop(): void
}

const MAX_PER_USER = 10
const MAX_PER_PROCESS = 1_000
const LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  checkMs: 5_000,
  maxQueuedBytes: 262_144,
}

export const createEventStreams = (options: EventStreamOptions): EventStreams => {
  const { tail, metrics, maxPerUser = MAX_PER_USER, maxPerProcess = MAX_PER_PROCESS } = options
  const limits: StreamLimits = {
    heartbeatMs: options.heartbeatMs ?? LIMITS.heartbeatMs,
    checkMs: options.checkMs ?? LIMITS.checkMs,
    maxQueuedBytes: options.maxQueuedBytes ?? LIMITS.maxQueuedBytes,
  }
  const places = new Map<string, number>()
  const running = new Set<{ end(reason: string): void }>()
  let taken = 0
  let stopped = false

  const takePlace = (userId: string): (() => void) => {
    const ofUser = places.get(userId) ?? 0
    if (stopped || taken >= maxPerProcess) {
      throw new DomainError('unavailable', 'No further event stream can be opened here now.')
    }
    if (ofUser >= maxPerUser) {
      throw new DomainError(
        'too_many_streams',
        `An account has at most ${maxPerUser} event streams open at a time.`,
      )
    }
    const count = (by: number): void => {
      taken += by
      const left = (places.get(userId) ?? 0) + by
      if (left === 0) places.delete(userId)
      else places.set(userId, left)
      metrics.gauge('fundproof_event_streams_open', {}, taken)
    }
    count(1)
    let given = false
    return () => {
      if (!given) count(-1)
      given = true
    }
  }

  return {
    prepare(userId, request) {
      const givePlace = takePlace(userId)
      return {
        open(cut) {
          const stream = openStream(request, {
            tail,
            limits,
            cut,
            onEnd() {
              running.delete(stream)
              givePlace()
            },
          })
          running.add(stream)
          if (stopped) stream.end('stopping')
          return stream.body
        },
        discard: givePlace,
      }
    },
    stop() {
      stopped = true
      for (const stream of running) stream.end('stopping')
      tail.stop()
    },
  }
}
