import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { ParamsOf } from '../../edge/route.ts'
import { get, type Page, send, type Visit } from '../page.ts'
import type { Live } from './live.ts'
import type { LiveSource } from './watcher.ts'

/** What a stream shows. Equal keys must have equal sources. */
type Watched = { key: string; source: LiveSource }

/**
 * Defines the stream of a page, which the page's `<live-part src>` names. `find` throws `not_found`
 * if a visitor without an account cannot see the page.
 */
export const stream = <const Path extends string>(
  live: Live,
  path: Path,
  name: string,
  find: (visit: Visit<ParamsOf<Path>>) => Promise<Watched>,
): Page =>
  get(path, name, async (visit) => {
    const { key, source } = await find(visit)
    return send({
      status: 200,
      text: null,
      stream: live.prepare({ key, lang: visit.lang, address: visit.address }, source),
      // The headers keep proxies such as nginx from buffering the stream.
      headers: {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      },
    })
  })

/** Renders live parts, by their names. */
export const renderParts = (parts: Readonly<Record<string, VNode>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, renderToString(part)]))
