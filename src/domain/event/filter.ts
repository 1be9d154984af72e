import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../../outbox/events.ts'

/** Which of the caller's events to tell; left out, all of them. */
export const EventFilter = z.strictObject({
  types: z
    .array(z.enum(EVENT_TYPES))
    .max(EVENT_TYPES.length)
    .optional()
    .meta({ description: 'Types of events, one in each parameter.' }),
  campaignId: z.uuid().optional(),
})
export type EventFilter = {
  types?: readonly EventType[] | undefined
  campaignId?: string | undefined
}

export const isUnfiltered = ({ types, campaignId }: EventFilter): boolean =>
  types === undefined && campaignId === undefined

export const passes = (
  { types, campaignId }: EventFilter,
  event: { type: EventType; campaignId: string | null },
): boolean =>
  (types === undefined || types.includes(event.type)) &&
  (campaignId === undefined || campaignId === event.campaignId)
