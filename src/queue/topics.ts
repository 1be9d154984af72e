import type { WakeTopic } from '../db/context.ts'

/** The schema of pg-boss, beside the service's own. */
export const QUEUE_SCHEMA = 'pgboss'

export const TOPICS: readonly WakeTopic[] = ['donations', 'events', 'deliveries', 'mail']

/** The queue that carries the wake-ups of a topic. */
export const queueOf = (topic: WakeTopic): string => `wake-${topic}`

/**
 * What all those queues have in common. `short` lets one wake-up of a topic wait, however many are
 * sent: whoever takes it afterwards sees every row committed before. A wake-up lost with the
 * process that took it is not tried again: the sweeps of the jobs are what finds its rows.
 */
export const QUEUE_OPTIONS = {
  policy: 'short',
  notify: true,
  retryLimit: 0,
  expireInSeconds: 30,
  retentionSeconds: 3_600,
  // 0 would keep finished ones for ever.
  deleteAfterSeconds: 60,
} as const
