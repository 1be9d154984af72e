import type { AppDeps } from '../edge/deps.ts'
import type { Live } from './live/index.ts'

/** What the pages need. */
export type PageDeps = Pick<AppDeps, 'context' | 'settings' | 'credentials' | 'revokedSessions'> & {
  readonly live: Live
}
