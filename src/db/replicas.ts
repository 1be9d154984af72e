import { setTimeout as delay } from 'node:timers/promises'
import { urlsOfHosts } from '../kernel/database-url.ts'
import { DomainError, messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import type { Metrics } from '../kernel/ports/metrics.ts'
import { createDatabase, type Database, type DatabaseAddress } from './client.ts'
import type { VisitorReads } from './context.ts'

type ReplicaOptions = {
  primary: Database
  /** The URL may name several hosts. Each must be one replica. */
  replicas: DatabaseAddress
  max: number
  maxLagMs: number
  log: Log
  metrics: Metrics
}

type Replica = {
  name: string
  sql: Database
  /** The replica has all that was committed before this time, by the monotonic clock. */
  hasUntilMs: number
  isAway: boolean
}

const LOOK_EVERY_MS = 500
const SETTLE_EVERY_MS = 20
/** A replica that needs longer for an answer counts as away, and the primary answers. */
const STATEMENT_TIMEOUT_MS = 5_000
const GRACE_MS = 1_000
const MAX_MARKS = 1_000

/**
 * Lets visitors read replicas that are at most `maxLagMs` behind the primary. Each look reads a
 * position in the log of the primary. A replica that has replayed it has all earlier commits, so
 * its lag is known also if it has lost the primary, which its own clocks would not show.
 */
export const openReplicas = (
  options: ReplicaOptions,
): VisitorReads & { close(): Promise<void> } => {
  const { primary, maxLagMs, log, metrics } = options
  const { url, ...address } = options.replicas
  const pool = {
    max: options.max,
    name: 'fundproof visitors',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  }
  const replicas = urlsOfHosts(url).map(({ host, url }): Replica => {
    const sql = createDatabase({ ...address, url, ...pool, graceMs: GRACE_MS })
    return { name: host, sql, hasUntilMs: Number.NEGATIVE_INFINITY, isAway: false }
  })
  // Processes begin at different replicas, and stay there, so that no visitor sees time go back.
  const first = Math.floor(Math.random() * replicas.length)
  const inOrder = [...replicas.slice(first), ...replicas.slice(0, first)]
  const closing = new AbortController()
  let marks: { atMs: number; position: bigint }[] = []
  let looking: Promise<void> | undefined

  const isFresh = ({ hasUntilMs }: Replica) => performance.now() - hasUntilMs <= maxLagMs

  const mark = async (): Promise<void> => {
    const atMs = performance.now()
    const [row] = await primary<{ position: string }[]>`
      select (pg_current_wal_insert_lsn() - '0/0')::text as position`
    marks = [...marks.slice(-MAX_MARKS), { atMs, position: BigInt(row?.position ?? 0) }]
  }

  const ask = async (replica: Replica): Promise<void> => {
    try {
      const [row] = await replica.sql<{ position: string | null }[]>`
        select (pg_last_wal_replay_lsn() - '0/0')::text as position where pg_is_in_recovery()`
      if (!row?.position) throw new Error('it is no replica')
      const position = BigInt(row.position)
      const newest = marks.findLast((one) => one.position <= position)
      replica.hasUntilMs = Math.max(replica.hasUntilMs, newest?.atMs ?? Number.NEGATIVE_INFINITY)
      replica.isAway = false
    } catch (error) {
      if (!replica.isAway && !closing.signal.aborted) {
        const reason = messageOf(error)
        log.warn({ replica: replica.name, reason }, 'a replica is away: the primary is read')
      }
      replica.isAway = true
      replica.hasUntilMs = Number.NEGATIVE_INFINITY
    }
  }

  /** Callers during a look share the next look. */
  const look = async (): Promise<void> => {
    await mark().catch(() => {})
    await Promise.all(replicas.map(ask))
    for (const { name, hasUntilMs } of replicas) {
      const lagS = (performance.now() - hasUntilMs) / 1_000
      metrics.gauge('fundproof_replica_lag_seconds', { replica: name }, lagS)
    }
  }
  const nextLook = async (): Promise<void> => {
    await looking
    looking ??= look().finally(() => {
      looking = undefined
    })
    await looking
  }

  const watch = async (): Promise<void> => {
    for (;;) {
      await nextLook()
      await delay(LOOK_EVERY_MS, undefined, { signal: closing.signal, ref: false })
    }
  }
  watch().catch(() => {})

  return {
    async read(ctx, work) {
      const replica = inOrder.find(isFresh)
      const count = (from: string) => metrics.count('fundproof_visitor_reads_total', { from })
      if (replica) {
        try {
          const result = await work({ ...ctx, sql: replica.sql, pool: replica.sql })
          count(replica.name)
          return result
        } catch (error) {
          // The primary may have what the replica has not yet, and answers what a replica cannot.
          if (error instanceof DomainError && error.code !== 'not_found') throw error
        }
      }
      count('primary')
      return work(ctx)
    },
    async settle() {
      const writtenMs = performance.now()
      const lacksIt = (replica: Replica) => isFresh(replica) && replica.hasUntilMs < writtenMs
      while (replicas.some(lacksIt) && performance.now() < writtenMs + maxLagMs) {
        await nextLook()
        if (replicas.some(lacksIt)) await delay(SETTLE_EVERY_MS)
      }
    },
    async close() {
      closing.abort()
      await Promise.all(replicas.map(({ sql }) => sql.end({ timeout: 1 })))
    },
  }
}
