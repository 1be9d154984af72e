import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../../../outbox/events.ts'

/** Selects some of the caller's events. An empty filter selects all events of the caller. */
export const EventFilter = z.strictObject({
  event: z
    .array(z.enum(EVENT_TYPES))
    .max(EVENT_TYPES.length)
    .optional()
    .describe('Event types. Repeat the parameter for several types.'),
  campaignId: z.uuid().optional(),
})
export type EventFilter = z.output<typeof EventFilter>

export const isUnfiltered = ({ event, campaignId }: EventFilter): boolean =>
  event === undefined && campaignId === undefined

export const passes = (
  filter: EventFilter,
  event: { type: EventType; campaignId: string | null },
): boolean =>
  (filter.event === undefined || filter.event.includes(event.type)) &&
  (filter.campaignId === undefined || filter.campaignId === event.campaignId)
