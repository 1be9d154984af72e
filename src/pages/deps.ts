import type { AppDeps } from '../http/deps.ts'

/** What the pages need. */
export type PageDeps = Pick<
  AppDeps,
  'context' | 'settings' | 'log' | 'credentials' | 'revokedSessions' | 'version'
>
