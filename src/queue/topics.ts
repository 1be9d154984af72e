import type { WakeTopic } from '../db/context.ts'

/** The database schema with the tables of pg-boss, a job queue in PostgreSQL. */
export const QUEUE_SCHEMA = 'pgboss'

export const TOPICS: readonly WakeTopic[] = ['donations', 'events', 'deliveries', 'mail']

/** The name of the queue that carries a topic's wake-ups. */
export const queueOf = (topic: WakeTopic): string => `wake-${topic}`

/**
 * The options of all queues. `short` means that at most one wake-up per topic waits. One wake-up is
 * enough, because a handler reads all waiting rows. A lost wake-up is not sent again, because the
 * jobs also search for waiting rows at regular intervals.
 */
export const QUEUE_OPTIONS = {
  policy: 'short',
  notify: true,
  retryLimit: 0,
  expireInSeconds: 30,
  retentionSeconds: 3_600,
  // With 0, pg-boss would never delete completed jobs.
  deleteAfterSeconds: 60,
} as const
