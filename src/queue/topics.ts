import type { WakeTopic } from '../db/context.ts'

/** The schema of pg-boss, next to the schema of the service. */
export const QUEUE_SCHEMA = 'pgboss'

export const TOPICS: readonly WakeTopic[] = ['donations', 'events', 'deliveries', 'mail']

/** The queue for the wake-ups of a topic. */
export const queueOf = (topic: WakeTopic): string => `wake-${topic}`

/**
 * Options of all these queues. `short` keeps at most one waiting wake-up per topic, because its
 * handler sees all rows committed before. A wake-up lost with its process is not retried: the
 * sweeps of the jobs find the rows.
 */
export const QUEUE_OPTIONS = {
  policy: 'short',
  notify: true,
  retryLimit: 0,
  expireInSeconds: 30,
  retentionSeconds: 3_600,
  // 0 would keep completed jobs for ever.
  deleteAfterSeconds: 60,
} as const
