import type { WakeTopic } from '../db/context.ts'

/** The schema of pg-boss, next to the schema of the service. */
export const QUEUE_SCHEMA = 'pgboss'

export const TOPICS: readonly WakeTopic[] = ['donations', 'events', 'deliveries', 'mail']

/** The name of the queue for the wake-ups of a topic. */
export const queueOf = (topic: WakeTopic): string => `wake-${topic}`

/**
 * The options of all queues. `short` keeps at most one waiting wake-up per topic. One wake-up is
 * enough, because its handler sees all rows that were committed before. Lost wake-ups are not
 * retried, because the regular sweeps of the jobs find the rows.
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
