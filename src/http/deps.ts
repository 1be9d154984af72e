import type { KeyedHash } from '../auth/keyed-hash.ts'
import type { Context } from '../domain/context.ts'
import type { Credentials } from '../domain/user/index.ts'
import type { Actor } from '../kernel/actor.ts'
import type { DevChain } from '../kernel/dev-chain.ts'
import type { Log } from '../kernel/ports/log.ts'
import type { Metrics } from '../kernel/ports/metrics.ts'
import type { Tracer } from '../kernel/ports/tracing.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Gatekeepers } from './request/authenticate.ts'
import type { RateLimits } from './request/rate-limit.ts'
import type { EventStreams } from './streams/event-streams.ts'

/** What one request brings to the context of the verbs that it calls. */
type RequestBase = { actor: Actor; requestId: string; traceParent?: string | null; log: Log }

/** One thing that the service needs before it can answer, such as `database`. */
export type Check = { ok: boolean; note?: string }
export type Readiness = Readonly<Record<string, Check>>

/** All that the HTTP half needs from the composition root. */
export type AppDeps = Gatekeepers & {
  context(base: RequestBase): Context
  settings: Settings
  log: Log
  credentials: Credentials
  /** What an Idempotency-Key was used for is kept only as this hash: a body may hold a password. */
  fingerprint: KeyedHash
  /** Turns an error of the infrastructure into what a caller may hear of it. */
  translateError(error: unknown): unknown
  ready(): Promise<Readiness>
  /** Whether a newer version has migrated the database. Left out: it has not. */
  isOutdated?(): boolean
  /** Origins that browsers may call from; `*` is any, empty none. */
  corsOrigins: readonly string[]
  /** Left out: without limits, as most tests are. */
  rateLimits?: RateLimits | undefined
  /** Left out: not measured. */
  metrics?: Metrics
  tracer?: Tracer
  /** The live streams of this process. */
  streams: EventStreams
  version: string
  /** Of a sandbox, where its chain is a development chain: faults and test money on demand. */
  devChain?: DevChain
}
