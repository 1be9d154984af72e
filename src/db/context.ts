import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { ContractReader } from '../kernel/ports/contract-reader.ts'
import type { Log } from '../kernel/ports/log.ts'
import type { Metrics } from '../kernel/ports/metrics.ts'
import type { SanctionScreen } from '../kernel/ports/sanctions.ts'
import type { SecretBox } from '../kernel/ports/secrets.ts'
import type { SignatureVerifier } from '../kernel/ports/signatures.ts'
import type { Tracer } from '../kernel/ports/tracing.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Database, Queryable } from './client.ts'

/** Wakes the jobs of a topic. The call has no data, because jobs find their work in the tables. */
export type Wake = (topic: WakeTopic) => void
export type WakeTopic = 'donations' | 'events' | 'deliveries' | 'mail'

/**
 * The context in which a function of the domain runs: the database, the caller and the services
 * that the function uses. `sql` is the pool or, inside a transaction, this transaction.
 * `afterCommit` exists only inside a transaction.
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
  readonly contracts: ContractReader
  readonly sanctions: SanctionScreen
  readonly metrics: Metrics
  readonly tracer: Tracer
  /** The W3C `traceparent` of this request or job. Donations and events store it. */
  readonly traceParent?: string | null
  readonly afterCommit?: (() => void)[]
}

/** Decides which database answers visitors, who have no credentials. */
export type VisitorReads = {
  /**
   * Runs `work` on a replica, or on the primary: if no replica is up to date, if `work` fails on
   * the replica, or if the replica does not know what `work` looks for. So `work` must only read.
   */
  read<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T>
  /**
   * Waits until each replica that visitors may read has all that was committed before. So a visitor
   * reads what the visitor has written, in each process. A replica that takes too long is not read.
   */
  settle(): Promise<void>
}
