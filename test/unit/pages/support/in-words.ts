import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { textOf } from './text-of.ts'

/** Renders a view, and returns its text as a reader sees it. */
export const inWords = (view: VNode): string =>
  textOf(renderToString(view))
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .trim()
