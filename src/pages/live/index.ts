export { createLive, type Live, type LiveOptions } from './live.ts'
export { renderParts } from './render-parts.ts'
export { stream } from './stream.ts'
export type { LiveSource } from './watcher.ts'
