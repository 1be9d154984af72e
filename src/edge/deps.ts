import type { KeyedHash } from '../auth/keyed-hash.ts'
import type { Context, VisitorReads } from '../db/context.ts'
import type { Credentials } from '../domain/account/index.ts'
import type { Actor } from '../kernel/actor.ts'
import type { DevChain } from '../kernel/dev-chain.ts'
import type { Log } from '../kernel/ports/log.ts'
import type { Metrics } from '../kernel/ports/metrics.ts'
import type { Tracer } from '../kernel/ports/tracing.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Gatekeepers } from './request/authenticate.ts'
import type { RateLimits } from './request/rate-limit.ts'
import type { EventStreams } from './streams/event-streams.ts'

/** The part of a domain context that comes from the request. */
type RequestBase = { actor: Actor; requestId: string; traceParent?: string | null; log: Log }

/** The state of a dependency that the service needs to answer, such as the database. */
type Check = { ok: boolean; note?: string }
export type Readiness = Readonly<Record<string, Check>>

export type AppDeps = Gatekeepers & {
  context(base: RequestBase): Context
  /** Without this field, visitors read the primary. */
  visitors?: VisitorReads | undefined
  settings: Settings
  log: Log
  credentials: Credentials
  /** Makes the hash that is stored instead of a request body, which may contain a password. */
  fingerprint: KeyedHash
  /** Converts an error of the infrastructure to an error that a caller may see. */
  translateError(error: unknown): unknown
  ready(): Promise<Readiness>
  /** Whether a newer version of the service has migrated the database. Default: false. */
  isOutdated?(): boolean
  /** Origins that browsers may call from. `*` allows all; an empty list allows none. */
  corsOrigins: readonly string[]
  /** Without this field, no request is limited. */
  rateLimits?: RateLimits | undefined
  /** Without this field, no metrics are measured. */
  metrics?: Metrics
  tracer?: Tracer
  streams: EventStreams
  version: string
  /** The development chain for simulated faults and test money. Only a sandbox has this chain. */
  devChain?: DevChain
}
