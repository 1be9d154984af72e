import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Renders live parts, by their names. */
export const renderParts = (parts: Readonly<Record<string, VNode>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, renderToString(part)]))
