import type { Context } from '../../domain/context.ts'
import { textFrames } from '../../http/streams/frames.ts'
import { DomainError, messageOf } from '../../kernel/errors.ts'
import type { Language } from '../shared/languages.ts'

/** Where live parts come from. `ctx` has no caller, because all viewers get the same parts. */
export type LiveSource = {
  /** Returns a text that is new whenever the parts may be new. Must be one cheap query. */
  version(ctx: Context): Promise<string>
  /**
   * Renders the parts, as HTML by name.
   *
   * @throws DomainError if there is nothing to show any more; the streams then end
   */
  parts(ctx: Context, lang: Language): Promise<Readonly<Record<string, string>>>
}

/** A stream that shows the parts in one language. */
export type Viewer = {
  readonly lang: Language
  send(frames: Uint8Array): void
  end(reason: string): void
}

export type Watcher = {
  /** Adds a viewer, who gets all parts within one pause. Returns a function that removes it. */
  join(viewer: Viewer): () => void
}

export type WatcherOptions = {
  ctx: Context
  source: LiveSource
  /** The pause before the next look, in milliseconds. */
  pauseMs: () => number
  heartbeatMs: number
  /** Called once, when the last viewer has left. */
  onEnd: () => void
}

/** The parts in one language. Their bytes are one object as long as the parts stay the same. */
type Rendered = { version: string; text: string; frames: Uint8Array }

/** The type of the event that tells viewers that the parts are still looked after. */
const BEAT = textFrames({ beat: 'still here' })

/**
 * Looks at one source for all its viewers. After a change it renders the parts once for each
 * language, and sends the same bytes to all viewers of this language.
 */
export const createWatcher = (options: WatcherOptions): Watcher => {
  const { ctx, source, pauseMs, heartbeatMs, onEnd } = options
  /** The bytes that each viewer got last. */
  const viewers = new Map<Viewer, Uint8Array | undefined>()
  const rendered = new Map<Language, Rendered>()
  let timer: NodeJS.Timeout | undefined
  let beatAtMs = performance.now()
  let failing = false

  const render = async (version: string, lang: Language): Promise<Rendered> => {
    const known = rendered.get(lang)
    if (known?.version === version) return known
    const parts = await source.parts(ctx, lang)
    ctx.metrics.count('fundproof_page_updates_rendered_total', { lang })
    const text = JSON.stringify(parts)
    const frames = known?.text === text ? known.frames : textFrames(parts)
    const fresh = { version, text, frames }
    rendered.set(lang, fresh)
    return fresh
  }

  const beat = (): void => {
    if (performance.now() - beatAtMs < heartbeatMs) return
    beatAtMs = performance.now()
    for (const viewer of viewers.keys()) viewer.send(BEAT)
  }

  const update = async (): Promise<void> => {
    // A viewer who joins later waits, because its page may be newer than this version.
    const present = [...viewers.keys()]
    const version = await source.version(ctx)
    for (const lang of new Set(present.map((viewer) => viewer.lang))) {
      const { frames } = await render(version, lang)
      for (const viewer of present) {
        const isBehind = viewers.has(viewer) && viewers.get(viewer) !== frames
        if (viewer.lang !== lang || !isBehind) continue
        viewers.set(viewer, frames)
        viewer.send(frames)
      }
    }
    beat()
  }

  const look = async (): Promise<void> => {
    try {
      await update()
      failing = false
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'unavailable') {
        for (const viewer of viewers.keys()) viewer.end(error.message)
      } else if (!failing) {
        // Without heartbeats, viewers see after a while that their page is not live.
        ctx.log.warn({ reason: messageOf(error) }, 'live parts of a page could not be read')
      }
      failing = true
    }
    if (viewers.size > 0) timer = setTimeout(look, pauseMs())
  }

  return {
    join(viewer) {
      const isFirst = viewers.size === 0
      viewers.set(viewer, undefined)
      if (isFirst) void look()
      return () => {
        if (!viewers.delete(viewer) || viewers.size > 0) return
        clearTimeout(timer)
        onEnd()
      }
    },
  }
}
