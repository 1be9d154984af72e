import { z } from 'zod'

/** How long rows are kept that the service removes. */

const DAY_MS = 24 * 3_600_000
const MOST_DAYS = 36_500

const days = (least: number, reason: string) =>
  z.coerce.number().int().min(least, `must be at least ${least}, because ${reason}`).max(MOST_DAYS)

export const RETENTION = {
  EVENT_RETENTION_DAYS: days(90, 'the event feed goes back 90 days').default(90),
  /** Only deliveries that are not pending are removed. */
  DELIVERY_RETENTION_DAYS: days(90, 'replays go back 90 days').default(90),
  NOTIFICATION_RETENTION_DAYS: days(30, 'users may read them once a month').default(365),
}

type Retention = { [Name in keyof typeof RETENTION]: number }

/** Describes periods that contradict each other. */
export const contradictionsOfRetention = (e: Retention): string[] =>
  e.DELIVERY_RETENTION_DAYS > e.EVENT_RETENTION_DAYS
    ? [
        'DELIVERY_RETENTION_DAYS must be at most EVENT_RETENTION_DAYS, because a delivery needs its event',
      ]
    : []

export const retentionOf = (e: Retention) => ({
  eventsMs: e.EVENT_RETENTION_DAYS * DAY_MS,
  deliveriesMs: e.DELIVERY_RETENTION_DAYS * DAY_MS,
  notificationsMs: e.NOTIFICATION_RETENTION_DAYS * DAY_MS,
})
