import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { configForPg, type DatabasePassword } from '../db/connect.ts'
import type { WakeTopic } from '../db/context.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { type Debounced, debounce } from './debounce.ts'
import { QUEUE_SCHEMA, queueOf, TOPICS } from './topics.ts'

type QueueOptions = {
  databaseUrl: string
  /** Replaces the password of the URL. */
  password?: DatabasePassword | undefined
  log: Log
  /** `api` only sends wake-ups. `worker` also receives wake-ups and maintains pg-boss's tables. */
  role: 'api' | 'worker'
}

export type Queue = {
  /** Connects. @throws StartError if pg-boss cannot connect or its tables have a wrong version */
  start(): Promise<void>
  /** Sends pending wake-ups, then disconnects. Takes at most two seconds. */
  stop(): Promise<void>
  /**
   * Signals that rows of this topic wait. Returns at once and never throws. A failed signal is
   * logged and retried. If all retries fail, the jobs find the rows in their regular searches.
   */
  wake(topic: WakeTopic): void
  /** Calls `handler` at each wake-up of the topic. Only for workers, and only before `start`. */
  onWake(topic: WakeTopic, handler: () => void): void
  /** Counts the waiting wake-ups of each topic. Rejects if the database does not answer. */
  waiting(): Promise<ReadonlyMap<WakeTopic, number>>
}

/** The minimum time between two wake-ups that a process sends for the same topic. */
const INTERVAL_MS = 20
const RETRY_MS = 250
const MAX_RETRIES = 5
const STOP_MS = 2_000
const WARN_EVERY_MS = 30_000

/**
 * Sends wake-ups between processes through pg-boss, a job queue in PostgreSQL with LISTEN/NOTIFY. A
 * wake-up has no content, because handlers search the database for waiting rows. So a lost wake-up
 * only delays these rows. A process calls its own handlers directly, without the database.
 *
 * Connects as the owner of the database, which also owns the tables of pg-boss.
 */
export const createQueue = ({ databaseUrl, password, log, role }: QueueOptions): Queue => {
  const boss = createBoss(databaseUrl, password, role)
  boss.on('error', createThrottledWarning(log, 'the queue had an error'))
  boss.on('warning', createThrottledWarning(log, 'the queue has a warning'))
  const handlers = new Map<WakeTopic, (() => void)[]>()
  const senders = new Map<WakeTopic, Debounced>()
  let open = false
  let stopped: Promise<void> | undefined

  const runHandlers = (topic: WakeTopic): void => {
    for (const handler of handlers.get(topic) ?? []) handler()
  }

  const send = (topic: WakeTopic) =>
    debounce(
      async () => {
        // If a wake-up of this topic is waiting already, `send` adds no second wake-up.
        if (open) await boss.send(queueOf(topic), null)
      },
      {
        intervalMs: INTERVAL_MS,
        retryMs: RETRY_MS,
        maxRetries: MAX_RETRIES,
        onError: (error, willRetry) =>
          log.warn({ topic, willRetry, reason: messageOf(error) }, 'a wake-up could not be sent'),
      },
    )
  for (const topic of TOPICS) senders.set(topic, send(topic))

  const disconnect = async (): Promise<void> => {
    const timeUp = delay(STOP_MS, undefined, { ref: false })
    await Promise.race([
      Promise.all([...senders.values()].map((sender) => sender.settle())),
      timeUp,
    ])
    open = false
    await Promise.race([boss.stop({ graceful: false }), timeUp])
  }

  return {
    async start() {
      try {
        await boss.start()
        for (const topic of handlers.keys()) await listen(boss, topic, () => runHandlers(topic))
      } catch (error) {
        await boss.stop({ graceful: false })
        throw new StartError(`The queue could not be started: ${messageOf(error)}.`)
      }
      open = true
    },
    stop() {
      stopped ??= disconnect()
      return stopped
    },
    wake(topic) {
      if (handlers.has(topic)) runHandlers(topic)
      else senders.get(topic)?.()
    },
    onWake(topic, handler) {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handler])
    },
    waiting: () => countWaiting(boss),
  }
}

/** Logs one warning per `WARN_EVERY_MS`, because every poll fails while the database is down. */
const createThrottledWarning = (log: Log, problem: string) => {
  let quietUntilMs = 0
  let suppressed = 0
  // pg-boss emits some errors as plain objects with a message, not as an Error.
  return ({ message }: { message: string }): void => {
    const nowMs = performance.now()
    if (nowMs < quietUntilMs) {
      suppressed += 1
      return
    }
    log.warn({ reason: message, ...(suppressed > 0 ? { suppressed } : {}) }, problem)
    quietUntilMs = nowMs + WARN_EVERY_MS
    suppressed = 0
  }
}

const createBoss = (
  databaseUrl: string,
  password: DatabasePassword | undefined,
  role: 'api' | 'worker',
): PgBoss =>
  new PgBoss({
    ...configForPg({ url: databaseUrl, password }),
    application_name: `fundproof-queue-${role}`,
    schema: QUEUE_SCHEMA,
    // A worker needs a second connection, which waits for notifications (LISTEN).
    max: role === 'api' ? 1 : 2,
    connectionTimeoutMillis: 5_000,
    migrate: false,
    schedule: false,
    supervise: role === 'worker',
    maintenanceIntervalSeconds: 60,
    useListenNotify: role === 'worker',
  })

/**
 * Calls `wake` at each wake-up of a topic. Does not wait for the job that this starts, so that the
 * next wake-up can come during the job. Also looks for wake-ups every 10 seconds, because a
 * notification can be lost.
 */
const listen = (boss: PgBoss, topic: WakeTopic, wake: () => void): Promise<string> =>
  boss.work(
    queueOf(topic),
    {
      batchSize: 10,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 10,
    },
    async () => wake(),
  )

/** Counts waiting wake-ups by SQL, because the counts of pg-boss are updated too rarely. */
const countWaiting = async (boss: PgBoss): Promise<ReadonlyMap<WakeTopic, number>> => {
  const { rows } = await boss.getDb().executeSql(
    `select name, count(*)::int as count from ${QUEUE_SCHEMA}.job
       where name = any($1) and state < 'active' group by name`,
    [TOPICS.map(queueOf)],
  )
  const counted = rows as { name: string; count: number }[]
  return new Map(
    TOPICS.map((topic) => [topic, counted.find(({ name }) => name === queueOf(topic))?.count ?? 0]),
  )
}
