import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Log } from '../kernel/ports/log.ts'
import type { Metrics } from '../kernel/ports/metrics.ts'
import type { SanctionScreen } from '../kernel/ports/sanctions.ts'
import type { SecretBox } from '../kernel/ports/secrets.ts'
import type { SignatureVerifier } from '../kernel/ports/signatures.ts'
import type { Tracer } from '../kernel/ports/tracing.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Database, Queryable } from './client.ts'

/** Wakes a job. A wake-up carries no work, because the rows are the work. */
export type Wake = (topic: WakeTopic) => void
export type WakeTopic = 'donations' | 'events' | 'deliveries' | 'mail'

/**
 * The context of every verb: database, caller and cause. `sql` is the pool, or the transaction that
 * the verb takes part in; only a transaction has `afterCommit`.
 */
export type Context = {
  readonly sql: Queryable
  readonly pool: Database
  readonly actor: Actor
  readonly requestId: string | null
  readonly clock: Clock
  readonly log: Log
  readonly wake: Wake
  readonly settings: Settings
  readonly secrets: SecretBox
  readonly signatures: SignatureVerifier
  readonly sanctions: SanctionScreen
  readonly metrics: Metrics
  readonly tracer: Tracer
  /** W3C `traceparent` of this work, passed on to its effects. */
  readonly traceParent?: string | null
  readonly afterCommit?: (() => void)[]
}
