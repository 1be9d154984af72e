export { createLive, type Live, type LiveOptions } from './live.ts'
export { renderParts, stream } from './stream.ts'
export type { LiveSource } from './watcher.ts'
