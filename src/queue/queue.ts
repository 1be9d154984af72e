import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { WakeTopic } from '../db/context.ts'
import { messageOf, StartError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { type Debounced, debounce } from './debounce.ts'
import { QUEUE_SCHEMA, queueOf, TOPICS } from './topics.ts'

export type QueueOptions = {
  databaseUrl: string
  log: Log
  /** `api` only sends; `worker` also listens, and keeps pg-boss's own tables tidy. */
  role: 'api' | 'worker'
}

export type Queue = {
  /** Connects. Throws StartError where pg-boss's schema is not this version's. */
  start(): Promise<void>
  /** Sends what is still waiting and disconnects, in at most two seconds. */
  stop(): Promise<void>
  /**
   * Says that rows of this topic wait. Returns at once and never throws: where the database cannot
   * be reached it is logged and tried again, and at last left to the sweeps of the jobs.
   */
  wake(topic: WakeTopic): void
  /** Calls `handler` on each wake-up of the topic. Before `start`, in a worker only. */
  onWake(topic: WakeTopic, handler: () => void): void
  /** How many wake-ups of each topic nobody has taken. Rejects where the database does not answer. */
  waiting(): Promise<ReadonlyMap<WakeTopic, number>>
}

/** The shortest time between two wake-ups that one process sends for a topic. */
const INTERVAL_MS = 20
const RETRY_MS = 250
const MAX_RETRIES = 5
const STOP_MS = 2_000
const COMPLAIN_EVERY_MS = 30_000

/**
 * Wake-ups between the processes of a deployment, over pg-boss and LISTEN/NOTIFY. They carry no
 * work: the rows are the work, so a wake-up that is lost, doubled or late changes nothing but the
 * time that a row waits. A process that handles a topic itself is woken without the database.
 *
 * It connects as the login role: pg-boss's tables are none of the service's own.
 */
export const createQueue = ({ databaseUrl, log, role }: QueueOptions): Queue => {
  const boss = createBoss(databaseUrl, role)
  boss.on('error', createComplaint(log, 'the queue had an error'))
  boss.on('warning', createComplaint(log, 'the queue has a warning'))
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
        // Null means that a wake-up of this topic is waiting already.
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

/** While the database is away each poll of each topic fails: one line in a while tells of all of them. */
const createComplaint = (log: Log, complaint: string) => {
  let quietUntilMs = 0
  let unsaid = 0
  // Some of pg-boss's errors are plain objects with a message.
  return ({ message }: { message: string }): void => {
    const nowMs = performance.now()
    if (nowMs < quietUntilMs) {
      unsaid += 1
      return
    }
    log.warn({ reason: message, ...(unsaid > 0 ? { unsaid } : {}) }, complaint)
    quietUntilMs = nowMs + COMPLAIN_EVERY_MS
    unsaid = 0
  }
}

const createBoss = (databaseUrl: string, role: 'api' | 'worker'): PgBoss =>
  new PgBoss({
    connectionString: databaseUrl,
    application_name: `fundproof-queue-${role}`,
    schema: QUEUE_SCHEMA,
    // A worker holds one more, which listens.
    max: role === 'api' ? 1 : 2,
    connectionTimeoutMillis: 5_000,
    migrate: false,
    schedule: false,
    supervise: role === 'worker',
    maintenanceIntervalSeconds: 60,
    useListenNotify: role === 'worker',
  })

/**
 * A wake-up is finished as soon as it has been passed on, so that the next one can come while its
 * job still runs. With NOTIFY on, pg-boss polls only each 30 s unless told otherwise, and after a
 * full batch only with `burstWhenBatchFull` at once again (ignored at batch size 1).
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

/** From the jobs themselves: pg-boss's own counts are as old as its last maintenance. */
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
