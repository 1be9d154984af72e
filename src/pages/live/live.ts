import type { Context, VisitorReads } from '../../db/context.ts'
import type { AnswerStream } from '../../edge/answer/outcome.ts'
import { siteOf } from '../../edge/request/client-address.ts'
import { retryFrame } from '../../edge/streams/frames.ts'
import { openPushStream, type PushStream } from '../../edge/streams/push-stream.ts'
import { createSlots } from '../../edge/streams/slots.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Language } from '../shared/languages.ts'
import { createWatcher, type LiveSource, type Watcher } from './watcher.ts'

export type LiveOptions = {
  /** A context without a caller. */
  ctx: Context
  /** Without this field, all is read from the primary. */
  visitors?: VisitorReads | undefined
  maxPerAddress?: number
  maxPerProcess?: number
  pauseMs?: number
  heartbeatMs?: number
  maxQueuedBytes?: number
}

/** The streams of one process that keep open pages up to date. */
export type Live = {
  /**
   * Takes a slot for a stream. The caller must either open or discard the stream. All viewers of a
   * key share one watcher, so their sources must show the same.
   *
   * @throws DomainError `too_many_streams` if the network has too many streams; `unavailable` if
   *   the process has too many streams or is stopping
   */
  prepare(
    viewer: { key: string; lang: Language; address: string },
    source: LiveSource,
  ): AnswerStream
  /** Ends all streams. Clients reconnect to another process, or to this process after a restart. */
  stop(): void
}

const MAX_PER_ADDRESS = 50
const MAX_PER_PROCESS = 3_000
const PAUSE_MS = 1_000
/** The pause grows with the number of watchers, so that all look at most 200 times a second. */
const PAUSE_PER_WATCHER_MS = 5
const HEARTBEAT_MS = 15_000
/** All parts of the largest campaign, of 50 milestones, have less. Viewers share these bytes. */
const MAX_QUEUED_BYTES = 262_144

export const createLive = (options: LiveOptions): Live => {
  const { ctx, maxPerAddress = MAX_PER_ADDRESS, pauseMs = PAUSE_MS } = options
  const { heartbeatMs = HEARTBEAT_MS, maxQueuedBytes = MAX_QUEUED_BYTES } = options
  const slots = createSlots({
    what: 'live pages',
    max: options.maxPerProcess ?? MAX_PER_PROCESS,
    onChange: (taken) => ctx.metrics.gauge('fundproof_page_streams_open', {}, taken),
  })
  const watchers = new Map<string, Watcher>()
  const running = new Set<PushStream>()
  let stopped = false

  const watcherOf = (key: string, source: LiveSource): Watcher => {
    const known = watchers.get(key)
    if (known) return known
    const watcher = createWatcher({
      ctx,
      visitors: options.visitors,
      source,
      pauseMs: () => Math.max(pauseMs, PAUSE_PER_WATCHER_MS * watchers.size),
      heartbeatMs,
      onEnd: () => watchers.delete(key),
    })
    watchers.set(key, watcher)
    return watcher
  }

  return {
    prepare({ key, lang, address }, source) {
      if (stopped) throw new DomainError('unavailable', 'This process is stopping.')
      const giveSlot = slots.take([
        { name: 'A network', key: `address:${siteOf(address)}`, max: maxPerAddress },
      ])
      return {
        open(cut) {
          const stream = openPushStream({
            log: ctx.log,
            maxQueuedBytes,
            cut,
            onEnd() {
              running.delete(stream)
              leave()
              giveSlot()
            },
          })
          running.add(stream)
          stream.send(retryFrame())
          const leave = watcherOf(key, source).join({ lang, send: stream.send, end: stream.end })
          if (stopped) stream.end('stopping')
          return stream.body
        },
        discard: giveSlot,
      }
    },
    stop() {
      stopped = true
      for (const stream of running) stream.end('stopping')
    },
  }
}
