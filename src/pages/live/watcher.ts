import type { Context, VisitorReads } from '../../db/context.ts'
import { textFrames } from '../../edge/streams/frames.ts'
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
type Viewer = {
  readonly lang: Language
  send(frame: Uint8Array): void
  end(reason: string): void
}

export type Watcher = {
  /** Adds a viewer, who gets all parts within one pause. Returns a function that removes it. */
  join(viewer: Viewer): () => void
}

type WatcherOptions = {
  ctx: Context
  visitors?: VisitorReads | undefined
  source: LiveSource
  /** The pause before the next look, in milliseconds. */
  pauseMs: () => number
  heartbeatMs: number
  /** Called once, when the last viewer has left. */
  onEnd: () => void
}

/** A part and its bytes, which are one object as long as the part stays the same. */
type Part = { html: string; frame: Uint8Array }
type Parts = ReadonlyMap<string, Part>
type Rendered = { version: string; parts: Parts }

/** A heartbeat, which says that the parts on the page are still up to date. */
const BEAT = textFrames({ beat: 'still here' })

/**
 * Looks at one source for all its viewers. After a change it renders the parts once for each
 * language, and sends the parts that changed, as the same bytes to all viewers of this language.
 */
export const createWatcher = (options: WatcherOptions): Watcher => {
  const { source, pauseMs, heartbeatMs, onEnd } = options
  /** The parts that each viewer got last. */
  const viewers = new Map<Viewer, Parts | undefined>()
  const rendered = new Map<Language, Rendered>()
  let timer: NodeJS.Timeout | undefined
  let beatAtMs = performance.now()
  let failing = false

  const render = async (ctx: Context, version: string, lang: Language): Promise<Rendered> => {
    const known = rendered.get(lang)
    if (known?.version === version) return known
    const texts = Object.entries(await source.parts(ctx, lang))
    ctx.metrics.count('fundproof_page_updates_rendered_total', { lang })
    const parts = new Map(
      texts.map(([name, html]) => {
        const before = known?.parts.get(name)
        const part = before?.html === html ? before : { html, frame: textFrames({ [name]: html }) }
        return [name, part]
      }),
    )
    const fresh = { version, parts }
    rendered.set(lang, fresh)
    return fresh
  }

  const beat = (): void => {
    if (performance.now() - beatAtMs < heartbeatMs) return
    beatAtMs = performance.now()
    for (const viewer of viewers.keys()) viewer.send(BEAT)
  }

  const update = async (ctx: Context): Promise<void> => {
    // A viewer who joins later waits, because its page may be newer than this version.
    const present = [...viewers.keys()]
    const version = await source.version(ctx)
    for (const lang of new Set(present.map((viewer) => viewer.lang))) {
      const { parts } = await render(ctx, version, lang)
      for (const viewer of present) {
        if (viewer.lang !== lang || !viewers.has(viewer)) continue
        const last = viewers.get(viewer)
        viewers.set(viewer, parts)
        for (const [name, part] of parts) {
          if (last?.get(name) !== part) viewer.send(part.frame)
        }
      }
    }
    beat()
  }

  const look = async (): Promise<void> => {
    const { ctx, visitors } = options
    try {
      // Version and parts come from one database, because another one may be older.
      await (visitors ? visitors.read(ctx, update) : update(ctx))
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
