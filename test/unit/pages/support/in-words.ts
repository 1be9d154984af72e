import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Renders a view, and returns its text as a reader sees it. */
export const inWords = (view: VNode): string =>
  renderToString(view)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .trim()
